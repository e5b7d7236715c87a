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
import { type Door, type Person, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'
import { admitUser } from '../saml-providers/admit.js'
import { findProvider, insertProvider } from '../saml-providers/store.js'
import { maxPendingInvitations } from './invite.js'

const password = 'correct horse battery'
const browser = { ip: '192.0.2.7', userAgent: 'Browser' }

/** Sends requests with a session cookie, as our own page does. */
function clientWithSession(door: Door, secret: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await door.server.inject({
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

const follow = (door: Door, link: string) =>
  door.services.database.write((tx) => openSession(tx, link, { ...browser, now: door.now() }))

const linkIn = ({ url }: { url: string }) => new URL(url).searchParams.get('link')!

async function invite(
  door: Door,
  admin: Person,
  organization: OrganizationId,
  email: string,
  more: object = {},
) {
  const answer = await door.ask(admin, 'POST', `/orgs/${organization}/invites`, { emails: [email], ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { users: UserId[]; links: { url: string }[]; invited: number }
}

/** A user who signs in by a mailed link. */
async function ownerOf(door: Door, userId: UserId, joins: OrganizationId | null = null) {
  const link = await door.services.database.write((tx) => insertMailedLink(tx, userId, door.now(), joins))
  return clientWithSession(door, await follow(door, link))
}

describeEngines('an invitation by address', ({ open }) => {
  test('gives the inviter access to their organization only, and nothing the owner adds later', async () => {
    const door = await openDoor(await open())
    const [eve, boss] = [await door.person('eve'), await door.person('boss')]
    const [evil, good] = [await door.organization(eve, 'Evil'), await door.organization(boss, 'Good')]
    const { users, links } = await invite(door, eve, evil, 'ceo@octavo.test', { role: 'admin' })
    const boundSession = clientWithSession(door, await follow(door, linkIn(links[0]!)))
    expect((await boundSession('GET', `/orgs/${evil}`)).status).toBe(200)
    expect((await boundSession('GET', '/user/sessions')).body.items).toMatchObject([{ organization: evil }])
    expect((await boundSession('PUT', '/user/password', { password })).status).toBe(403)
    expect((await boundSession('POST', '/orgs', { title: 'Mine' })).status).toBe(403)
    expect((await boundSession('GET', '/user/invitations')).status).toBe(403)
    expect((await boundSession('POST', `/user/invitations/${evil}`)).status).toBe(403)
    const { body: token } = await boundSession('POST', '/user/tokens', { label: 'script' })
    expect(token).toMatchObject({ organization: evil, expiresAt: expect.any(String) })

    // The owner signs in, invited by another user, with a link mailed to the address.
    expect((await invite(door, boss, good, 'CEO@octavo.test')).users).toEqual(users)
    const owner = await ownerOf(door, users[0]!, good)
    expect((await boundSession('GET', '/user')).status).toBe(401)
    expect((await door.ask({ id: users[0]!, token: token.token }, 'GET', '/user')).status).toBe(401)
    expect((await owner('GET', `/orgs/${good}`)).status).toBe(200)
    expect((await owner('GET', '/orgs')).body.items.map(({ id }: { id: string }) => id)).toEqual([good])
    expect((await owner('GET', `/orgs/${evil}`)).status).toBe(403)
    expect((await owner('GET', '/user/tokens')).body.count).toBe(0)
  })

  test('is pending until the user accepts, and may be declined', async () => {
    const door = await openDoor(await open())
    const [admin, ada] = [await door.person('admin'), await door.person('ada')]
    const organization = await door.organization(admin)
    await invite(door, admin, organization, 'ada@octavo.test', { role: 'admin' })
    const organizationPath = `/orgs/${organization}`
    const refused = await door.ask(ada, 'GET', `${organizationPath}/members`)
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('have not accepted'),
    ])
    expect((await door.ask(ada, 'GET', '/orgs')).body.count).toBe(0)
    expect((await door.ask(ada, 'GET', '/user/invitations')).body.items).toMatchObject([
      { object: 'invitation', organization: { id: organization, title: 'Acme' }, role: 'admin' },
    ])
    const [pending] = (await door.ask(admin, 'GET', `${organizationPath}/members?search=ada`)).body.items
    expect(pending).toMatchObject({ id: ada.id, role: 'admin', pending: true })
    // A pending member does not count as an admin: the only admin cannot leave.
    expect((await door.ask(admin, 'DELETE', `${organizationPath}/members/${admin.id}`)).status).toBe(409)

    expect((await door.ask(ada, 'DELETE', `/user/invitations/${organization}`)).status).toBe(204)
    expect((await door.ask(ada, 'POST', `/user/invitations/${organization}`)).status).toBe(404)
    await invite(door, admin, organization, 'ada@octavo.test', { role: 'admin' })
    expect((await door.ask(ada, 'POST', `/user/invitations/${organization}`)).status).toBe(204)
    const { body } = await door.ask(ada, 'GET', `${organizationPath}/members/${ada.id}`)
    expect(body.role).toBe('admin')
    expect(body).not.toHaveProperty('pending')
    expect((await door.ask(admin, 'DELETE', `${organizationPath}/members/${admin.id}`)).status).toBe(204)
  })

  test('is accepted by joining by link or domain', async () => {
    const door = await openDoor(await open())
    const [admin, ada, bob] = [await door.person('admin'), await door.person('ada'), await door.person('bob')]
    const organization = await door.organization(admin)
    await invite(door, admin, organization, 'ada@octavo.test', { role: 'edit' })
    await invite(door, admin, organization, 'bob@octavo.test', { role: 'read' })
    expect((await door.ask(ada, 'POST', `/orgs/${organization}/join`)).status).toBe(204)
    expect((await door.ask(ada, 'GET', `/orgs/${organization}/members/${ada.id}`)).body.role).toBe('edit')
    const { body } = await door.ask(admin, 'POST', `/orgs/${organization}/link-invites`, { role: 'comment' })
    expect((await door.ask(bob, 'POST', `/orgs/${organization}/invites/${body.id}`)).status).toBe(200)
    expect((await door.ask(bob, 'GET', `/orgs/${organization}/members/${bob.id}`)).body.role).toBe('comment')
  })

  test('is neither accepted nor changed by credentials limited to another organization', async () => {
    const door = await openDoor(await open())
    const [eve, boss] = [await door.person('eve'), await door.person('boss')]
    const [evil, good] = [await door.organization(eve, 'Evil'), await door.organization(boss, 'Good')]
    const { links, users } = await invite(door, eve, evil, 'new@octavo.test')
    await invite(door, boss, good, 'new@octavo.test', { role: 'read' })
    const boundSession = clientWithSession(door, await follow(door, linkIn(links[0]!)))
    const { body: link } = await door.ask(boss, 'POST', `/orgs/${good}/link-invites`, { role: 'edit' })
    expect((await boundSession('POST', `/orgs/${good}/invites/${link.id}`)).status).toBe(403)
    expect((await boundSession('POST', `/orgs/${good}/join`)).status).toBe(403)
    expect((await boundSession('DELETE', `/user/invitations/${good}`)).status).toBe(403)
    const { body } = await door.ask(boss, 'GET', `/orgs/${good}/members/${users[0]}`)
    expect(body).toMatchObject({ role: 'read', pending: true })
  })

  test('of an existing user reveals nothing of their profile, and ends none of their credentials', async () => {
    const door = await openDoor(await open())
    const { database } = door.services
    const [eve, ceo] = [await door.person('eve'), await door.person('ceo')]
    const [evil, home] = [await door.organization(eve, 'Evil'), await door.organization(ceo, 'Home')]
    const profile = { displayName: 'Carla the Chief', photoURL: 'https://octavo.test/carla.png' }
    await door.ask(ceo, 'PATCH', `/users/${ceo.id}`, profile)
    await database.write((tx) => setPassword(tx, ceo.id, password, door.now()))
    const signIn = async (transferred: string) =>
      signInWithPassword(
        database,
        { email: 'ceo@octavo.test', password: transferred },
        { ...browser, now: door.now() },
      )
    const session = clientWithSession(door, await signIn(password))

    const { links, users } = await invite(door, eve, evil, 'ceo@octavo.test', { sso: true })
    expect([links, users]).toEqual([[], [ceo.id]])
    await signIn(password)
    await expect(signIn('wrong')).rejects.toThrow('is wrong')
    await door.ask(ceo, 'POST', '/user/tokens', { label: 'ci' })
    const { body: seen } = await door.ask(eve, 'GET', `/orgs/${evil}/members/${ceo.id}`)
    expect(seen).toMatchObject({ pending: true, user: { displayName: 'ceo', email: 'ceo@octavo.test' } })
    expect(seen.user).not.toHaveProperty('photoURL')
    expect(seen).not.toHaveProperty('lastSeenAt')
    expect((await door.ask(eve, 'GET', `/users/${ceo.id}`)).body.displayName).toBe('ceo')
    expect((await door.ask(eve, 'GET', `/orgs/${evil}/members?search=Carla`)).body.count).toBe(0)
    expect((await door.ask(eve, 'GET', `/orgs/${evil}/members?sort=lastSeenAt`)).body.count).toBe(0)
    const log = await door.ask(eve, 'GET', `/orgs/${evil}/audit?actor=${ceo.id}`)
    expect(log.body.items).toEqual([])
    expect((await door.ask(ceo, 'GET', `/orgs/${home}/audit?action=signIn`)).body.count).toBe(2)

    const path = `/orgs/${evil}/members/${ceo.id}`
    const refused = await door.ask(eve, 'POST', `${path}/sign-in-link`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('of their own'),
    ])
    expect((await door.ask(eve, 'DELETE', `${path}/sessions`)).status).toBe(204)
    expect((await session('GET', '/user')).status).toBe(200)
    expect((await door.ask(eve, 'DELETE', path)).status).toBe(204)
    expect((await session('GET', '/user')).status).toBe(200)
    expect((await door.ask(ceo, 'GET', '/user')).status).toBe(200)
  })

  /** Signs in a user by an identity provider of an organization that they never accepted. */
  async function openByProvider(door: Door) {
    const { database } = door.services
    const [eve, ceo] = [await door.person('eve'), await door.person('ceo')]
    const evil = await door.organization(eve, 'Evil')
    const profile = { displayName: 'Carla the Chief', photoURL: 'https://octavo.test/carla.png' }
    await door.ask(ceo, 'PATCH', `/users/${ceo.id}`, profile)
    const provider = { id: 'evil-provider' as SamlProviderId, label: 'Evil', created_at: 0, updated_at: 0 }
    const row = { ...provider, organization_id: evil, default_role: 'create', default_team_id: null }
    const boundSession = await database.write(async (tx) => {
      await insertProvider(tx, { ...row, entity_id: null, sso_url: null, certificate: null })
      const found = (await findProvider(tx, evil, provider.id))!
      const claims = { email: 'ceo@octavo.test', displayName: undefined }
      const userId = await admitUser(tx, found, claims, door.now())
      expect(userId).toBe(ceo.id)
      const session = { userId, openedBy: 'saml', organizationId: evil, samlProviderId: provider.id } as const
      return clientWithSession(door, await startSession(tx, session, { ...browser, now: door.now() }))
    })
    const space = (await boundSession('POST', `/orgs/${evil}/spaces`, { title: 'Made' })).body
    const made = await boundSession('POST', `/spaces/${space.id}/change-requests`, {})
    return { eve, ceo, evil, profile, held: boundSession, space: `/spaces/${space.id}`, made }
  }

  test('of a user signed in by the identity provider reveals no more', async () => {
    const door = await openDoor(await open())
    const { eve, ceo, evil, profile, held: boundSession, made } = await openByProvider(door)
    const seen = [
      (await boundSession('GET', '/user')).body,
      (await boundSession('GET', `/users/${ceo.id}`)).body,
      made.body.createdBy,
      (await door.ask(eve, 'GET', `/users/${ceo.id}`)).body,
      (await door.ask(eve, 'GET', `/orgs/${evil}/audit?action=createSpace`)).body.items[0].actor,
    ]
    for (const one of seen) expect(one).toMatchObject({ id: ceo.id, displayName: 'ceo' })
    expect(JSON.stringify(seen)).not.toContain('carla')
    expect((await door.ask(ceo, 'GET', `/orgs/${evil}`)).status).toBe(403)
    expect((await door.ask(ceo, 'POST', `/user/invitations/${evil}`)).status).toBe(204)
    expect((await boundSession('GET', '/user')).body).toMatchObject(profile)
    expect((await door.ask(eve, 'GET', `/users/${ceo.id}`)).body).toMatchObject(profile)
  })

  test('that ends before acceptance reveals no more of the user, even after a transfer of their content', async () => {
    const door = await openDoor(await open())
    const { eve, ceo, evil, profile, space, made } = await openByProvider(door)
    const at = `${space}/change-requests/${made.body.id}`
    expect((await door.ask(eve, 'DELETE', `/orgs/${evil}/members/${ceo.id}`)).status).toBe(204)
    const seen = async () => [
      (await door.ask(eve, 'GET', at)).body.createdBy,
      (await door.ask(eve, 'GET', `${space}/revisions`)).body.items.at(-1).createdBy,
    ]
    const inLog = async () =>
      (await door.ask(eve, 'GET', `/orgs/${evil}/audit?action=createSpace`)).body.items[0].actor
    const expectStranger = (one: object) => {
      expect(one).toMatchObject({ id: ceo.id, displayName: 'ceo' })
      expect(one).not.toHaveProperty('photoURL')
    }
    for (const one of [...(await seen()), await inLog()]) expectStranger(one)
    const other = await door.organization(eve, 'Other')
    const transferred = await door.ask(eve, 'POST', `${space}/transfer`, { organization: other })
    expect(transferred.status, transferred.text).toBe(200)
    for (const one of await seen()) expectStranger(one)
    expect((await door.ask(ceo, 'GET', `${space}/revisions`)).status).toBe(404)
    // A user who joins on their own has their own name, also after leaving.
    await door.join(other, ceo, 'read')
    for (const one of await seen()) expect(one).toMatchObject({ displayName: profile.displayName })
    expect((await door.ask(eve, 'DELETE', `/orgs/${other}/members/${ceo.id}`)).status).toBe(204)
    for (const one of await seen()) expect(one).toMatchObject({ displayName: profile.displayName })
  })

  test('hides members of other organizations from a session limited to one', async () => {
    const door = await openDoor(await open())
    const [admin, ada, mate] = [
      await door.person('admin'),
      await door.person('ada'),
      await door.person('mate'),
    ]
    const [ours, theirs] = [await door.organization(admin), await door.organization(mate, 'Theirs')]
    await door.join(ours, ada, 'edit')
    await door.join(theirs, ada, 'edit')
    const { body } = await door.ask(admin, 'POST', `/orgs/${ours}/members/${ada.id}/sign-in-link`)
    const bound = clientWithSession(door, await follow(door, linkIn(body)))
    expect((await bound('GET', `/users/${admin.id}`)).status).toBe(200)
    expect((await bound('GET', `/users/${mate.id}`)).status).toBe(404)
    expect((await door.ask(ada, 'GET', `/users/${mate.id}`)).status).toBe(200)
  })

  test('is rate limited per hour, and in the number of pending ones', async () => {
    const door = await openDoor(await open())
    const { database } = door.services
    const admin = await door.person('admin')
    const many = (stem: string) => Array.from({ length: 100 }, (_, at) => `${stem}${at}@octavo.test`)
    const send = async (organization: OrganizationId, stem: string) =>
      door.ask(admin, 'POST', `/orgs/${organization}/invites`, { emails: many(stem) })
    const organization = await door.organization(admin)
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
    const [second, third] = [
      await door.organization(admin, 'Second'),
      await door.organization(admin, 'Third'),
    ]
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
    const door = await openDoor(await open())
    const [boss, eve, bob] = [await door.person('boss'), await door.person('eve'), await door.person('bob')]
    const organization = await door.organization(boss)
    const organizationPath = `/orgs/${organization}`
    for (const end of ['demoted', 'removed']) {
      await door.ask(boss, 'DELETE', `${organizationPath}/members/${eve.id}`)
      await door.join(organization, eve, 'admin')
      if (end === 'demoted') await door.join(organization, bob, 'edit')
      const linkFor = async () =>
        linkIn((await door.ask(eve, 'POST', `${organizationPath}/members/${bob.id}/sign-in-link`)).body)
      const asBob = clientWithSession(door, await follow(door, await linkFor()))
      const { body: made } = await asBob('POST', '/user/tokens', { label: 'script' })
      const token = { id: bob.id, token: made.token }
      const unused = await linkFor()
      const { body: invitation } = await door.ask(eve, 'POST', `${organizationPath}/link-invites`, {
        role: 'admin',
      })
      expect((await door.ask(token, 'GET', organizationPath)).status).toBe(200)
      if (end === 'demoted')
        await door.ask(boss, 'PATCH', `${organizationPath}/members/${eve.id}`, { role: 'read' })
      else await door.ask(boss, 'DELETE', `${organizationPath}/members/${eve.id}`)
      expect((await asBob('GET', organizationPath)).status, end).toBe(401)
      expect((await door.ask(token, 'GET', organizationPath)).status, end).toBe(401)
      await expect(follow(door, unused)).rejects.toThrow('sign-in link is unknown')
      expect((await door.ask(eve, 'POST', `${organizationPath}/invites/${invitation.id}`)).status, end).toBe(
        404,
      )
      expect((await door.ask(bob, 'GET', organizationPath)).status).toBe(200)
    }
  })

  test('gives no access once the member was removed, invited again or not', async () => {
    const door = await openDoor(await open())
    const [boss, bob] = [await door.person('boss'), await door.person('bob')]
    const organization = await door.organization(boss)
    await door.join(organization, bob, 'edit')
    const organizationPath = `/orgs/${organization}`
    const { body } = await door.ask(boss, 'POST', `${organizationPath}/members/${bob.id}/sign-in-link`)
    const bound = clientWithSession(door, await follow(door, linkIn(body)))
    await door.ask(boss, 'DELETE', `${organizationPath}/members/${bob.id}`)
    await door.join(organization, bob, 'edit')
    expect((await bound('GET', organizationPath)).status).toBe(401)
    expect((await door.ask(bob, 'GET', organizationPath)).status).toBe(200)
  })
})

describeEngines('the first verification of an address', ({ open }) => {
  test('resets memberships to pending that others may have accepted in its name', async () => {
    const door = await openDoor(await open())
    const [admin, ada] = [await door.person('admin'), await door.person('ada')]
    const organization = await door.organization(admin)
    await door.join(organization, ada, 'edit')
    const owner = await ownerOf(door, ada.id)
    expect((await owner('GET', `/orgs/${organization}`)).status).toBe(403)
    expect((await owner('POST', `/user/invitations/${organization}`)).status).toBe(204)
    expect((await owner('GET', `/orgs/${organization}`)).body.permissions.view).toBe(true)
    // Once verified, the address stays theirs.
    await door.services.database.write((tx) => confirmEmail(tx, ada.id, door.now()))
    expect((await owner('GET', `/orgs/${organization}`)).status).toBe(200)
  })

  test('is not a link printed by the operator, nor an identity provider sign-in', async () => {
    const door = await openDoor(await open())
    const [admin, ada] = [await door.person('admin'), await door.person('ada')]
    const organization = await door.organization(admin)
    await door.join(organization, ada, 'edit')
    const { database } = door.services
    await follow(door, await database.write((tx) => insertSignInLink(tx, ada.id, door.now())))
    const bySaml = { userId: ada.id, openedBy: 'saml', organizationId: organization } as const
    await database.write((tx) => startSession(tx, bySaml, { ...browser, now: door.now() }))
    expect((await door.ask(ada, 'GET', `/orgs/${organization}`)).status).toBe(200)
  })
})
