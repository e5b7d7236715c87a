/** Invitations by e-mail address, from the view of the inviter, an attacker, and the owner of the address. */
import { expect, test } from 'vitest'
import { sessionCookie } from '../../access/signin/sessions.js'
import {
  insertMailedLink,
  insertSignInLink,
  openSession,
  startSession,
} from '../../access/signin/sessions.js'
import { setPassword } from '../../access/signin/passwords.js'
import { signInWithPassword } from '../../access/signin/password-sign-in.js'
import { confirmEmail } from '../../access/signin/verified-email.js'
import type { OrganizationId, SamlProviderId, UserId } from '../../core/ids.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { admitUser } from '../saml-providers/admit.js'
import { findProvider, insertProvider } from '../saml-providers/store.js'
import { maxPendingInvitations } from './invite.js'

const password = 'correct horse battery'
const browser = { ip: '192.0.2.7', userAgent: 'Browser' }

/** Sends requests with a session cookie, as our own page does. */
function clientWithSession(api: TestClient, secret: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await api.server.inject({
      method: method as 'GET',
      url: `/v1${path}`,
      headers: {
        cookie: `${sessionCookie}=${secret}`,
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
  }
}

const follow = (api: TestClient, link: string) =>
  api.services.database.write((tx) => openSession(tx, link, { ...browser, now: api.now() }))

const linkIn = ({ url }: { url: string }) => new URL(url).searchParams.get('link')!

async function invite(
  api: TestClient,
  admin: Person,
  organization: OrganizationId,
  email: string,
  more: object = {},
) {
  const answer = await api.request(admin, 'POST', `/orgs/${organization}/invites`, {
    emails: [email],
    ...more,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { users: UserId[]; links: { url: string }[]; invited: number }
}

/** A user who signs in by a mailed link. */
async function ownerOf(api: TestClient, userId: UserId, joins: OrganizationId | null = null) {
  const link = await api.services.database.write((tx) => insertMailedLink(tx, userId, api.now(), joins))
  return clientWithSession(api, await follow(api, link))
}

describeEngines('an invitation by address', ({ open }) => {
  test('gives the inviter access to their organization only, and nothing the owner adds later', async () => {
    const api = await openTestClient(await open())
    const [eve, boss] = [await api.person('eve'), await api.person('boss')]
    const [evil, good] = [await api.organization(eve, 'Evil'), await api.organization(boss, 'Good')]
    const { users, links } = await invite(api, eve, evil, 'ceo@octavo.test', { role: 'admin' })
    const boundSession = clientWithSession(api, await follow(api, linkIn(links[0]!)))
    expect((await boundSession('GET', `/orgs/${evil}`)).status).toBe(200)
    expect((await boundSession('GET', '/user/sessions')).body.items).toMatchObject([{ organization: evil }])
    expect((await boundSession('PUT', '/user/password', { password })).status).toBe(403)
    expect((await boundSession('POST', '/orgs', { title: 'Mine' })).status).toBe(403)
    expect((await boundSession('GET', '/user/invitations')).status).toBe(403)
    expect((await boundSession('POST', `/user/invitations/${evil}`)).status).toBe(403)
    const { body: token } = await boundSession('POST', '/user/tokens', { label: 'script' })
    expect(token).toMatchObject({ organization: evil, expiresAt: expect.any(String) })

    // The owner signs in, invited by another user, with a link mailed to the address.
    expect((await invite(api, boss, good, 'CEO@octavo.test')).users).toEqual(users)
    const owner = await ownerOf(api, users[0]!, good)
    expect((await boundSession('GET', '/user')).status).toBe(401)
    expect((await api.request({ id: users[0]!, token: token.token }, 'GET', '/user')).status).toBe(401)
    expect((await owner('GET', `/orgs/${good}`)).status).toBe(200)
    expect((await owner('GET', '/orgs')).body.items.map(({ id }: { id: string }) => id)).toEqual([good])
    expect((await owner('GET', `/orgs/${evil}`)).status).toBe(403)
    expect((await owner('GET', '/user/tokens')).body.count).toBe(0)
  })

  test('is pending until the user accepts, and may be declined', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const organization = await api.organization(admin)
    await invite(api, admin, organization, 'ada@octavo.test', { role: 'admin' })
    const organizationPath = `/orgs/${organization}`
    const refused = await api.request(ada, 'GET', `${organizationPath}/members`)
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('have not accepted'),
    ])
    expect((await api.request(ada, 'GET', '/orgs')).body.count).toBe(0)
    expect((await api.request(ada, 'GET', '/user/invitations')).body.items).toMatchObject([
      { object: 'invitation', organization: { id: organization, title: 'Acme' }, role: 'admin' },
    ])
    const [pending] = (await api.request(admin, 'GET', `${organizationPath}/members?search=ada`)).body.items
    expect(pending).toMatchObject({ id: ada.id, role: 'admin', pending: true })
    // A pending member does not count as an admin: the only admin cannot leave.
    expect((await api.request(admin, 'DELETE', `${organizationPath}/members/${admin.id}`)).status).toBe(409)

    expect((await api.request(ada, 'DELETE', `/user/invitations/${organization}`)).status).toBe(204)
    expect((await api.request(ada, 'POST', `/user/invitations/${organization}`)).status).toBe(404)
    await invite(api, admin, organization, 'ada@octavo.test', { role: 'admin' })
    expect((await api.request(ada, 'POST', `/user/invitations/${organization}`)).status).toBe(204)
    const { body } = await api.request(ada, 'GET', `${organizationPath}/members/${ada.id}`)
    expect(body.role).toBe('admin')
    expect(body).not.toHaveProperty('pending')
    expect((await api.request(admin, 'DELETE', `${organizationPath}/members/${admin.id}`)).status).toBe(204)
  })

  test('is accepted by joining by link or domain', async () => {
    const api = await openTestClient(await open())
    const [admin, ada, bob] = [await api.person('admin'), await api.person('ada'), await api.person('bob')]
    const organization = await api.organization(admin)
    await invite(api, admin, organization, 'ada@octavo.test', { role: 'edit' })
    await invite(api, admin, organization, 'bob@octavo.test', { role: 'read' })
    expect((await api.request(ada, 'POST', `/orgs/${organization}/join`)).status).toBe(204)
    expect((await api.request(ada, 'GET', `/orgs/${organization}/members/${ada.id}`)).body.role).toBe('edit')
    const { body } = await api.request(admin, 'POST', `/orgs/${organization}/link-invites`, {
      role: 'comment',
    })
    expect((await api.request(bob, 'POST', `/orgs/${organization}/invites/${body.id}`)).status).toBe(200)
    expect((await api.request(bob, 'GET', `/orgs/${organization}/members/${bob.id}`)).body.role).toBe(
      'comment',
    )
  })

  test('is neither accepted nor changed by credentials limited to another organization', async () => {
    const api = await openTestClient(await open())
    const [eve, boss] = [await api.person('eve'), await api.person('boss')]
    const [evil, good] = [await api.organization(eve, 'Evil'), await api.organization(boss, 'Good')]
    const { links, users } = await invite(api, eve, evil, 'new@octavo.test')
    await invite(api, boss, good, 'new@octavo.test', { role: 'read' })
    const boundSession = clientWithSession(api, await follow(api, linkIn(links[0]!)))
    const { body: link } = await api.request(boss, 'POST', `/orgs/${good}/link-invites`, { role: 'edit' })
    expect((await boundSession('POST', `/orgs/${good}/invites/${link.id}`)).status).toBe(403)
    expect((await boundSession('POST', `/orgs/${good}/join`)).status).toBe(403)
    expect((await boundSession('DELETE', `/user/invitations/${good}`)).status).toBe(403)
    const { body } = await api.request(boss, 'GET', `/orgs/${good}/members/${users[0]}`)
    expect(body).toMatchObject({ role: 'read', pending: true })
  })

  test('of an existing user reveals nothing of their profile, and ends none of their credentials', async () => {
    const api = await openTestClient(await open())
    const { database } = api.services
    const [eve, ceo] = [await api.person('eve'), await api.person('ceo')]
    const [evil, home] = [await api.organization(eve, 'Evil'), await api.organization(ceo, 'Home')]
    const profile = { displayName: 'Carla the Chief', photoURL: 'https://octavo.test/carla.png' }
    await api.request(ceo, 'PATCH', `/users/${ceo.id}`, profile)
    await database.write((tx) => setPassword(tx, ceo.id, password, api.now()))
    const signIn = async (transferred: string) =>
      signInWithPassword(
        database,
        { email: 'ceo@octavo.test', password: transferred },
        { ...browser, now: api.now() },
      )
    const session = clientWithSession(api, await signIn(password))

    const { links, users } = await invite(api, eve, evil, 'ceo@octavo.test', { sso: true })
    expect([links, users]).toEqual([[], [ceo.id]])
    await signIn(password)
    await expect(signIn('wrong')).rejects.toThrow('is wrong')
    await api.request(ceo, 'POST', '/user/tokens', { label: 'ci' })
    const { body: seen } = await api.request(eve, 'GET', `/orgs/${evil}/members/${ceo.id}`)
    expect(seen).toMatchObject({ pending: true, user: { displayName: 'ceo', email: 'ceo@octavo.test' } })
    expect(seen.user).not.toHaveProperty('photoURL')
    expect(seen).not.toHaveProperty('lastSeenAt')
    expect((await api.request(eve, 'GET', `/users/${ceo.id}`)).body.displayName).toBe('ceo')
    expect((await api.request(eve, 'GET', `/orgs/${evil}/members?search=Carla`)).body.count).toBe(0)
    expect((await api.request(eve, 'GET', `/orgs/${evil}/members?sort=lastSeenAt`)).body.count).toBe(0)
    const log = await api.request(eve, 'GET', `/orgs/${evil}/audit?actor=${ceo.id}`)
    expect(log.body.items).toEqual([])
    expect((await api.request(ceo, 'GET', `/orgs/${home}/audit?action=signIn`)).body.count).toBe(2)

    const path = `/orgs/${evil}/members/${ceo.id}`
    const refused = await api.request(eve, 'POST', `${path}/sign-in-link`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('of their own'),
    ])
    expect((await api.request(eve, 'DELETE', `${path}/sessions`)).status).toBe(204)
    expect((await session('GET', '/user')).status).toBe(200)
    expect((await api.request(eve, 'DELETE', path)).status).toBe(204)
    expect((await session('GET', '/user')).status).toBe(200)
    expect((await api.request(ceo, 'GET', '/user')).status).toBe(200)
  })

  /** Signs in a user by an identity provider of an organization that they never accepted. */
  async function openByProvider(api: TestClient) {
    const { database } = api.services
    const [eve, ceo] = [await api.person('eve'), await api.person('ceo')]
    const evil = await api.organization(eve, 'Evil')
    const profile = { displayName: 'Carla the Chief', photoURL: 'https://octavo.test/carla.png' }
    await api.request(ceo, 'PATCH', `/users/${ceo.id}`, profile)
    const provider = { id: 'evil-provider' as SamlProviderId, label: 'Evil', created_at: 0, updated_at: 0 }
    const row = { ...provider, organization_id: evil, default_role: 'create', default_team_id: null }
    const boundSession = await database.write(async (tx) => {
      await insertProvider(tx, { ...row, entity_id: null, sso_url: null, certificate: null })
      const found = (await findProvider(tx, evil, provider.id))!
      const claims = { email: 'ceo@octavo.test', displayName: undefined }
      const userId = await admitUser(tx, found, claims, api.now())
      expect(userId).toBe(ceo.id)
      const session = { userId, openedBy: 'saml', organizationId: evil, samlProviderId: provider.id } as const
      return clientWithSession(api, await startSession(tx, session, { ...browser, now: api.now() }))
    })
    const space = (await boundSession('POST', `/orgs/${evil}/spaces`, { title: 'Made' })).body
    const made = await boundSession('POST', `/spaces/${space.id}/change-requests`, {})
    return { eve, ceo, evil, profile, held: boundSession, space: `/spaces/${space.id}`, made }
  }

  test('of a user signed in by the identity provider reveals no more', async () => {
    const api = await openTestClient(await open())
    const { eve, ceo, evil, profile, held: boundSession, made } = await openByProvider(api)
    const seen = [
      (await boundSession('GET', '/user')).body,
      (await boundSession('GET', `/users/${ceo.id}`)).body,
      made.body.createdBy,
      (await api.request(eve, 'GET', `/users/${ceo.id}`)).body,
      (await api.request(eve, 'GET', `/orgs/${evil}/audit?action=createSpace`)).body.items[0].actor,
    ]
    for (const one of seen) expect(one).toMatchObject({ id: ceo.id, displayName: 'ceo' })
    expect(JSON.stringify(seen)).not.toContain('carla')
    expect((await api.request(ceo, 'GET', `/orgs/${evil}`)).status).toBe(403)
    expect((await api.request(ceo, 'POST', `/user/invitations/${evil}`)).status).toBe(204)
    expect((await boundSession('GET', '/user')).body).toMatchObject(profile)
    expect((await api.request(eve, 'GET', `/users/${ceo.id}`)).body).toMatchObject(profile)
  })

  test('that ends before acceptance reveals no more of the user, even after a transfer of their content', async () => {
    const api = await openTestClient(await open())
    const { eve, ceo, evil, profile, space, made } = await openByProvider(api)
    const at = `${space}/change-requests/${made.body.id}`
    expect((await api.request(eve, 'DELETE', `/orgs/${evil}/members/${ceo.id}`)).status).toBe(204)
    const seen = async () => [
      (await api.request(eve, 'GET', at)).body.createdBy,
      (await api.request(eve, 'GET', `${space}/revisions`)).body.items.at(-1).createdBy,
    ]
    const inLog = async () =>
      (await api.request(eve, 'GET', `/orgs/${evil}/audit?action=createSpace`)).body.items[0].actor
    const expectStranger = (one: object) => {
      expect(one).toMatchObject({ id: ceo.id, displayName: 'ceo' })
      expect(one).not.toHaveProperty('photoURL')
    }
    for (const one of [...(await seen()), await inLog()]) expectStranger(one)
    const other = await api.organization(eve, 'Other')
    const transferred = await api.request(eve, 'POST', `${space}/transfer`, { organization: other })
    expect(transferred.status, transferred.text).toBe(200)
    for (const one of await seen()) expectStranger(one)
    expect((await api.request(ceo, 'GET', `${space}/revisions`)).status).toBe(404)
    // A user who joins on their own has their own name, also after leaving.
    await api.join(other, ceo, 'read')
    for (const one of await seen()) expect(one).toMatchObject({ displayName: profile.displayName })
    expect((await api.request(eve, 'DELETE', `/orgs/${other}/members/${ceo.id}`)).status).toBe(204)
    for (const one of await seen()) expect(one).toMatchObject({ displayName: profile.displayName })
  })

  test('hides members of other organizations from a session limited to one', async () => {
    const api = await openTestClient(await open())
    const [admin, ada, mate] = [await api.person('admin'), await api.person('ada'), await api.person('mate')]
    const [ours, theirs] = [await api.organization(admin), await api.organization(mate, 'Theirs')]
    await api.join(ours, ada, 'edit')
    await api.join(theirs, ada, 'edit')
    const { body } = await api.request(admin, 'POST', `/orgs/${ours}/members/${ada.id}/sign-in-link`)
    const bound = clientWithSession(api, await follow(api, linkIn(body)))
    expect((await bound('GET', `/users/${admin.id}`)).status).toBe(200)
    expect((await bound('GET', `/users/${mate.id}`)).status).toBe(404)
    expect((await api.request(ada, 'GET', `/users/${mate.id}`)).status).toBe(200)
  })

  test('sent again while it is pending changes the role, and a member is left alone', async () => {
    const api = await openTestClient(await open())
    const [admin, ada, bob] = [await api.person('admin'), await api.person('ada'), await api.person('bob')]
    const organization = await api.organization(admin)
    await api.join(organization, bob, 'edit')
    const at = (email: string, role: string | null) => ({ email, role })
    const send = (...emails: object[]) =>
      api.request(admin, 'POST', `/orgs/${organization}/invites`, { emails })
    const roleOf = async ({ id }: Person) =>
      (await api.request(admin, 'GET', `/orgs/${organization}/members/${id}`)).body.role
    expect((await send(at('ada@octavo.test', 'read'))).body).toMatchObject({ users: [ada.id], invited: 1 })
    const again = await send(
      at('ada@octavo.test', 'edit'),
      at('ADA@octavo.test', 'review'),
      at('bob@octavo.test', 'admin'),
    )
    expect(again.body).toMatchObject({ users: [ada.id], invited: 1 })
    expect([await roleOf(ada), await roleOf(bob)]).toEqual(['review', 'edit'])
    const { items } = (await api.request(ada, 'GET', '/user/invitations')).body
    expect(items).toMatchObject([{ organization: { id: organization }, role: 'review' }])
    await api.request(ada, 'POST', `/user/invitations/${organization}`)
    expect(await roleOf(ada)).toBe('review')
    expect((await send(at('ada@octavo.test', 'admin'))).body).toMatchObject({ users: [], invited: 0 })
    expect(await roleOf(ada)).toBe('review')
  })

  test('is rate limited per hour, and in the number of pending ones', async () => {
    const api = await openTestClient(await open())
    const { database } = api.services
    const admin = await api.person('admin')
    const many = (stem: string) => Array.from({ length: 100 }, (_, at) => `${stem}${at}@octavo.test`)
    const send = async (organization: OrganizationId, stem: string) =>
      api.request(admin, 'POST', `/orgs/${organization}/invites`, { emails: many(stem) })
    const organization = await api.organization(admin)
    await database.write(async (tx) => {
      await tx
        .insertInto('users')
        .values(fillers(maxPendingInvitations - 99))
        .execute()
      const rows = fillers(maxPendingInvitations - 99).map(({ id }) => ({
        organization_id: organization,
        user_id: id,
        role: null,
        disabled: 0 as const,
        sso: 0 as const,
        joined_at: 0,
        last_seen_at: null,
        accepted_at: null,
        known_as: 'x',
      }))
      await tx.insertInto('members').values(rows).execute()
    })
    const full = await send(organization, 'a')
    expect([full.status, full.body.error.message]).toEqual([
      409,
      expect.stringContaining(`may have ${maxPendingInvitations}`),
    ])
    // Another organization of the same user shares the limit.
    const [second, third] = [await api.organization(admin, 'Second'), await api.organization(admin, 'Third')]
    expect((await send(second, 'b')).status).toBe(200)
    expect((await send(second, 'c')).status).toBe(200)
    const refused = await send(third, 'd')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  })
})

/** Unknown addresses. */
function fillers(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    id: `filler-${at}` as UserId,
    display_name: 'x',
    email: `filler${at}@octavo.test`,
    photo_url: null,
    password_hash: null,
    created_at: 0,
    updated_at: 0,
  }))
}

describeEngines('what was issued to an admin', ({ open }) => {
  test('ends with the admin role: links, sessions, tokens and invite links', async () => {
    const api = await openTestClient(await open())
    const [boss, eve, bob] = [await api.person('boss'), await api.person('eve'), await api.person('bob')]
    const organization = await api.organization(boss)
    const organizationPath = `/orgs/${organization}`
    for (const end of ['demoted', 'removed']) {
      await api.request(boss, 'DELETE', `${organizationPath}/members/${eve.id}`)
      await api.join(organization, eve, 'admin')
      if (end === 'demoted') await api.join(organization, bob, 'edit')
      const linkFor = async () =>
        linkIn((await api.request(eve, 'POST', `${organizationPath}/members/${bob.id}/sign-in-link`)).body)
      const asBob = clientWithSession(api, await follow(api, await linkFor()))
      const { body: made } = await asBob('POST', '/user/tokens', { label: 'script' })
      const token = { id: bob.id, token: made.token }
      const unused = await linkFor()
      const { body: invitation } = await api.request(eve, 'POST', `${organizationPath}/link-invites`, {
        role: 'admin',
      })
      expect((await api.request(token, 'GET', organizationPath)).status).toBe(200)
      if (end === 'demoted')
        await api.request(boss, 'PATCH', `${organizationPath}/members/${eve.id}`, { role: 'read' })
      else await api.request(boss, 'DELETE', `${organizationPath}/members/${eve.id}`)
      expect((await asBob('GET', organizationPath)).status, end).toBe(401)
      expect((await api.request(token, 'GET', organizationPath)).status, end).toBe(401)
      await expect(follow(api, unused)).rejects.toThrow('sign-in link is unknown')
      expect(
        (await api.request(eve, 'POST', `${organizationPath}/invites/${invitation.id}`)).status,
        end,
      ).toBe(404)
      expect((await api.request(bob, 'GET', organizationPath)).status).toBe(200)
    }
  })

  test('gives no access once the member was removed, invited again or not', async () => {
    const api = await openTestClient(await open())
    const [boss, bob] = [await api.person('boss'), await api.person('bob')]
    const organization = await api.organization(boss)
    await api.join(organization, bob, 'edit')
    const organizationPath = `/orgs/${organization}`
    const { body } = await api.request(boss, 'POST', `${organizationPath}/members/${bob.id}/sign-in-link`)
    const bound = clientWithSession(api, await follow(api, linkIn(body)))
    await api.request(boss, 'DELETE', `${organizationPath}/members/${bob.id}`)
    await api.join(organization, bob, 'edit')
    expect((await bound('GET', organizationPath)).status).toBe(401)
    expect((await api.request(bob, 'GET', organizationPath)).status).toBe(200)
  })
})

describeEngines('the first verification of an address', ({ open }) => {
  test('resets memberships to pending that others may have accepted in its name', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const organization = await api.organization(admin)
    await api.join(organization, ada, 'edit')
    const owner = await ownerOf(api, ada.id)
    expect((await owner('GET', `/orgs/${organization}`)).status).toBe(403)
    expect((await owner('POST', `/user/invitations/${organization}`)).status).toBe(204)
    expect((await owner('GET', `/orgs/${organization}`)).body.permissions.view).toBe(true)
    // Once verified, the address stays theirs.
    await api.services.database.write((tx) => confirmEmail(tx, ada.id, api.now()))
    expect((await owner('GET', `/orgs/${organization}`)).status).toBe(200)
  })

  test('is not a link printed by the operator, nor an identity provider sign-in', async () => {
    const api = await openTestClient(await open())
    const [admin, ada] = [await api.person('admin'), await api.person('ada')]
    const organization = await api.organization(admin)
    await api.join(organization, ada, 'edit')
    const { database } = api.services
    await follow(api, await database.write((tx) => insertSignInLink(tx, ada.id, api.now())))
    const bySaml = { userId: ada.id, openedBy: 'saml', organizationId: organization } as const
    await database.write((tx) => startSession(tx, bySaml, { ...browser, now: api.now() }))
    expect((await api.request(ada, 'GET', `/orgs/${organization}`)).status).toBe(200)
  })
})
