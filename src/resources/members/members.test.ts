/** Members of an organization through the API: listing, roles, leaving, teams, invites. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { insertMailedLink, insertSignInLink, openSession } from '../../access/signin/sessions.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { insertToken } from '../../access/signin/tokens.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

describeEngines('people', (engine) => {
  let api: TestClient
  let admin: Person
  let organization: OrganizationId
  let organizationPath: string
  const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)
  const joinAs = async (name: string, role: Parameters<TestClient['join']>[2]) => {
    const person = await api.person(name)
    await api.join(organization, person, role)
    return person
  }

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('ada')
    organization = await api.organization(admin)
    organizationPath = `/orgs/${organization}`
  })

  describe('members', () => {
    let [reader, guest]: Person[] = []
    beforeAll(async () => {
      reader = await joinAs('reader', 'read')
      guest = await joinAs('gwen', null)
    })

    test('are listed newest first, filtered by role and by a part of a name or address', async () => {
      const list = await api.request(reader!, 'GET', `${organizationPath}/members`)
      expect(ids(list)).toEqual([guest!.id, reader!.id, admin.id])
      expect(list.body.items[1]).toMatchObject({
        object: 'member',
        role: 'read',
        disabled: false,
        sso: false,
      })
      expect(list.body.items[1].user.email).toBe('reader@octavo.test')
      const idsOf = async (query: string) =>
        ids(await api.request(reader!, 'GET', `${organizationPath}/members?${query}`))
      expect(await idsOf('order=asc')).toEqual([admin.id, reader!.id, guest!.id])
      expect(await idsOf('role=guest')).toEqual([guest!.id])
      expect(await idsOf('role=admin')).toEqual([admin.id])
      expect(await idsOf('search=EADE')).toEqual([reader!.id])
      expect(await idsOf('search=%25')).toEqual([])
      expect(await idsOf('search=gwen%40octavo')).toEqual([guest!.id])
    })

    test('have a last-seen time after a ping, and only those are listed when sorting by it', async () => {
      expect(
        (await api.request(reader!, 'GET', `${organizationPath}/members?sort=lastSeenAt`)).body.count,
      ).toBe(0)
      expect((await api.request(guest!, 'POST', `${organizationPath}/ping`)).body).toEqual({})
      const sorted = await api.request(reader!, 'GET', `${organizationPath}/members?sort=lastSeenAt`)
      expect(ids(sorted)).toEqual([guest!.id])
      expect(sorted.body.items[0].lastSeenAt).toMatch(/^2026-01-01T/)
    })

    test('have their role changed and are linked to single sign-on by admins only', async () => {
      const path = `${organizationPath}/members/${reader!.id}`
      expect((await api.request(reader!, 'PATCH', path, { role: 'admin' })).status).toBe(403)
      expect((await api.request(admin, 'PATCH', path, { role: 'boss' })).status).toBe(400)
      expect((await api.request(admin, 'PATCH', path, { role: 'edit' })).body.role).toBe('edit')
      expect((await api.request(admin, 'POST', `${path}/sso`)).body.sso).toBe(true)
      expect((await api.request(admin, 'PATCH', path, { role: null })).body.role).toBeNull()
      expect((await api.request(reader!, 'GET', `${organizationPath}/members`)).status).toBe(403)
      await api.request(admin, 'PATCH', path, { role: 'read' })
    })

    test('leave or are removed, idempotently', async () => {
      const leaver = await joinAs('leaver', null)
      expect((await api.request(leaver, 'DELETE', `${organizationPath}/members/${admin.id}`)).status).toBe(
        404,
      )
      expect((await api.request(leaver, 'DELETE', `${organizationPath}/members/${leaver.id}`)).status).toBe(
        204,
      )
      expect((await api.request(leaver, 'GET', organizationPath)).status).toBe(404)
      expect((await api.request(admin, 'DELETE', `${organizationPath}/members/${leaver.id}`)).status).toBe(
        204,
      )
      expect((await api.request(reader!, 'DELETE', `${organizationPath}/members/${leaver.id}`)).status).toBe(
        403,
      )
    })

    test('list the spaces that they and the caller may read', async () => {
      const space = (await api.request(admin, 'POST', `${organizationPath}/spaces`, { title: 'Open' })).body
      const hidden = (await api.request(admin, 'POST', `${organizationPath}/spaces`, { title: 'Hidden' }))
        .body
      await api.request(admin, 'PATCH', `/spaces/${hidden.id}`, { defaultLevel: null })
      await api.request(admin, 'POST', `/spaces/${hidden.id}/permissions`, {
        role: 'edit',
        users: [guest!.id],
      })
      const path = `${organizationPath}/members/${guest!.id}/spaces`
      const byAdmin = await api.request(admin, 'GET', path)
      expect(byAdmin.body.items).toMatchObject([{ permission: 'edit', space: { id: hidden.id } }])
      expect((await api.request(reader!, 'GET', path)).body).toEqual({ items: [], count: 0 })
      const own = await api.request(admin, 'GET', `${organizationPath}/members/${reader!.id}/spaces`)
      expect(own.body.items).toMatchObject([{ permission: 'read', space: { id: space.id } }])
      expect((await api.request(admin, 'GET', `${organizationPath}/members/${guest!.id}`)).body.spaces).toBe(
        1,
      )
      expect(
        (await api.request(reader!, 'GET', `${organizationPath}/members/${guest!.id}`)).body.spaces,
      ).toBe(0)
    })

    test('see each other, and change only themselves', async () => {
      const stranger = await api.person('stranger')
      expect((await api.request(reader!, 'GET', `/users/${guest!.id}`)).body.displayName).toBe('gwen')
      expect((await api.request(guest!, 'GET', `/users/${reader!.id}`)).status).toBe(404)
      expect((await api.request(stranger, 'GET', `/users/${reader!.id}`)).status).toBe(404)
      expect((await api.request(admin, 'PATCH', `/users/${reader!.id}`, { displayName: 'X' })).status).toBe(
        403,
      )
      const change = { displayName: 'Rea', photoURL: 'https://octavo.test/r.png' }
      expect((await api.request(reader!, 'PATCH', `/users/${reader!.id}`, change)).body).toMatchObject(change)
      const script = { photoURL: 'javascript:alert(1)' }
      expect((await api.request(reader!, 'PATCH', `/users/${reader!.id}`, script)).status).toBe(400)
    })
  })

  describe('teams', () => {
    test('are created with members, renamed, filtered, and deleted idempotently', async () => {
      const [one, other] = [await joinAs('one', 'read'), await joinAs('other', 'read')]
      const stranger = await api.person('outside')
      const refused = await api.request(admin, 'PUT', `${organizationPath}/teams`, {
        title: 'T',
        members: [stranger.id],
      })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain('members[0]')
      const made = await api.request(admin, 'PUT', `${organizationPath}/teams`, {
        title: 'Writers',
        members: [one.id],
      })
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({
        object: 'team',
        members: 1,
        permissions: { admin: true, view: true },
      })
      const path = `${organizationPath}/teams/${made.body.id}`
      expect((await api.request(admin, 'PATCH', path, { title: 'Authors' })).body.title).toBe('Authors')
      expect((await api.request(one, 'GET', `${organizationPath}/teams?title=AUTH`)).body.count).toBe(1)
      expect((await api.request(one, 'GET', `${organizationPath}/teams?owner=${one.id}`)).body.count).toBe(0)

      const added = { add: ['OTHER@octavo.test'], memberships: { [one.id]: { role: 'owner' } } }
      expect((await api.request(one, 'PUT', `${path}/members`, added)).status).toBe(403)
      expect((await api.request(admin, 'PUT', `${path}/members`, added)).status).toBe(204)
      const people = await api.request(other, 'GET', `${path}/members`)
      expect(people.body.items).toMatchObject([
        { organization: { id: one.id }, team: { role: 'owner' } },
        { organization: { id: other.id }, team: { role: 'member' } },
      ])
      const owned = await api.request(other, 'GET', `${organizationPath}/members/${one.id}/teams?title=thor`)
      expect(owned.body.items).toMatchObject([{ team: { id: made.body.id }, member: { role: 'owner' } }])
      expect((await api.request(one, 'GET', organizationPath)).body.permissions.ownTeam).toBe(true)

      expect((await api.request(one, 'DELETE', `${path}/members/${other.id}`)).status).toBe(204)
      expect((await api.request(one, 'PUT', `${path}/members/${other.id}`, { role: 'member' })).status).toBe(
        204,
      )
      expect((await api.request(one, 'PATCH', path, { title: 'Mine' })).status).toBe(403)
      const both = { add: [other.id], remove: [other.id] }
      expect((await api.request(one, 'PUT', `${path}/members`, both)).status).toBe(204)
      expect((await api.request(one, 'GET', path)).body.members).toBe(1)
      expect((await api.request(admin, 'DELETE', path)).status).toBe(204)
      expect((await api.request(admin, 'DELETE', path)).status).toBe(204)
      expect((await api.request(admin, 'GET', path)).status).toBe(404)
    })
  })

  describe('invites', () => {
    test('by mail create members and accounts, and give no access to existing accounts', async () => {
      const known = await api.person('known')
      const emails = ['Known@octavo.test', { email: 'new@octavo.test', role: 'edit' }, 'ada@octavo.test']
      const answer = await api.request(admin, 'POST', `${organizationPath}/invites`, {
        emails,
        role: 'comment',
      })
      expect(answer.body.invited).toBe(2)
      expect(answer.body.users).toContain(known.id)
      expect(answer.body.links).toHaveLength(1)
      expect(answer.body.links[0]).toMatchObject({ email: 'new@octavo.test' })
      const list = await api.request(admin, 'GET', `${organizationPath}/members?search=new@`)
      expect(list.body.items[0].role).toBe('edit')
      expect((await api.request(known, 'POST', `/user/invitations/${organization}`)).status).toBe(204)
      expect((await api.request(known, 'GET', `${organizationPath}/members/${known.id}`)).body.role).toBe(
        'comment',
      )
      const jobs = await api.services.database.read
        .selectFrom('jobs')
        .select('payload')
        .where('type', '=', 'send-invitation')
        .execute()
      expect(jobs).toHaveLength(2)
      for (const { payload } of jobs) expect(payload).not.toContain(answer.body.links[0].url.split('=')[1])
    })

    test('by link are created, listed, changed, used, and revoked', async () => {
      const made = await api.request(admin, 'POST', `${organizationPath}/link-invites`, { role: 'read' })
      expect(made.body).toEqual({
        object: 'invite',
        id: made.body.id,
        role: 'read',
        redundant: true,
        urls: {
          app: expect.stringContaining('/~octavo/join/'),
          location: expect.stringContaining(made.body.id),
        },
      })
      const path = `${organizationPath}/link-invites/${made.body.id}`
      expect((await api.request(admin, 'PATCH', path, { level: 'edit' })).status).toBe(400)
      expect((await api.request(admin, 'PATCH', path, { role: 'edit' })).body.role).toBe('edit')
      expect(ids(await api.request(admin, 'GET', `${organizationPath}/link-invites`))).toEqual([made.body.id])
      const comer = await api.person('comer')
      expect((await api.request(comer, 'GET', organizationPath)).status).toBe(404)
      expect((await api.request(comer, 'POST', `${organizationPath}/invites/${made.body.id}`)).body).toEqual(
        {},
      )
      expect((await api.request(comer, 'GET', `${organizationPath}/members/${comer.id}`)).body.role).toBe(
        'edit',
      )

      await api.request(admin, 'PATCH', organizationPath, { inviteLinks: false })
      const late = await api.person('late')
      expect((await api.request(late, 'POST', `${organizationPath}/invites/${made.body.id}`)).status).toBe(
        404,
      )
      expect(
        (await api.request(admin, 'POST', `${organizationPath}/link-invites`, { role: 'read' })).status,
      ).toBe(409)
      await api.request(admin, 'PATCH', organizationPath, { inviteLinks: true })
      const creator = await api.person('link maker')
      await api.join(organization, creator, 'create')
      expect((await api.request(creator, 'DELETE', path)).status).toBe(404)
      expect((await api.request(admin, 'DELETE', path)).status).toBe(205)
      expect((await api.request(admin, 'DELETE', path)).status).toBe(204)
      expect((await api.request(creator, 'DELETE', path)).status).toBe(404)
      expect((await api.request(late, 'POST', `${organizationPath}/invites/${made.body.id}`)).status).toBe(
        404,
      )
    })

    test('do not let a disabled member in', async () => {
      const { id } = (await api.request(admin, 'POST', `${organizationPath}/link-invites`, { role: 'edit' }))
        .body
      const disabled = await joinAs('disabled', 'read')
      await api.services.database.write((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('members')
          .set({ disabled: 1 })
          .where('user_id', '=', disabled.id)
          .execute(),
      )
      expect((await api.request(disabled, 'POST', `${organizationPath}/invites/${id}`)).status).toBe(404)
      expect((await api.request(disabled, 'GET', organizationPath)).status).toBe(404)
    })

    test('by domain let users in as guests', async () => {
      let visitor = await api.person('visitor')
      expect((await api.request(visitor, 'POST', `${organizationPath}/join`)).status).toBe(400)
      await api.request(admin, 'PATCH', organizationPath, { emailDomains: ['OCTAVO.test', 'other.test'] })
      const unproven = await api.request(visitor, 'GET', '/email-domains/octavo.test/orgs')
      expect(unproven.body.organizations).toEqual([])
      const refused = await api.request(visitor, 'POST', `${organizationPath}/join`)
      expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('mailed')])
      const { database } = api.services
      const arriving = { ip: null, userAgent: null, now: api.now() }
      // A link that another person had does not verify the address.
      await database.write(async (tx) =>
        openSession(tx, await insertSignInLink(tx, visitor.id, api.now()), arriving),
      )
      expect((await api.request(visitor, 'POST', `${organizationPath}/join`)).status).toBe(403)
      await database.write(async (tx) => {
        await openSession(tx, await insertMailedLink(tx, visitor.id, api.now()), arriving)
        const renewed = { userId: visitor.id, token: newApiToken(), label: 'renewed', now: api.now() }
        await insertToken(tx, renewed)
        visitor = { ...visitor, token: renewed.token }
      })
      const found = await api.request(visitor, 'GET', '/email-domains/octavo.test/orgs')
      expect(found.body.organizations).toMatchObject([{ id: organization, emailDomains: ['octavo.test'] }])
      expect(found.body.organizations[0].permissions.view).toBe(false)
      const foreign = await api.request(visitor, 'GET', '/email-domains/other.test/orgs')
      expect(foreign.body.organizations).toEqual([])
      expect((await api.request(visitor, 'POST', `${organizationPath}/join`)).status).toBe(204)
      expect(
        (await api.request(visitor, 'GET', `${organizationPath}/members/${visitor.id}`)).body.role,
      ).toBeNull()
    })
  })

  test('leaving ends the credentials limited to this organization, and no others', async () => {
    const [goes, stays] = [await joinAs('goes', 'read'), await joinAs('stays', 'read')]
    const otherOrganization = await api.organization(goes, 'Of who goes')
    const tokenFor = async (userId: Person['id'], onlyIn: OrganizationId): Promise<Person> => {
      const token = newApiToken()
      const wanted = { userId, token, label: 'one', now: api.now(), onlyIn }
      await api.services.database.write((tx) => insertToken(tx, wanted))
      return { id: userId, token }
    }
    const [ended, own, other] = [
      await tokenFor(goes.id, organization),
      await tokenFor(goes.id, otherOrganization),
      await tokenFor(stays.id, organization),
    ]
    for (const person of [ended, own, other])
      expect((await api.request(person, 'GET', '/user')).status).toBe(200)
    expect((await api.request(admin, 'DELETE', `${organizationPath}/members/${goes.id}`)).status).toBe(204)
    const statuses = [ended, own, other].map(
      async (person) => (await api.request(person, 'GET', '/user')).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 200, 200])
  })

  test('settings of the organization are changed by admins, and its hostname is resolved for members', async () => {
    const other = await api.organization(await api.person('else'), 'Elsewhere')
    const taken = await api.request(admin, 'PATCH', organizationPath, { hostname: 'elsewhere' })
    expect(taken.status).toBe(409)
    expect((await api.request(admin, 'PATCH', `/orgs/${other}`, { title: 'Mine' })).status).toBe(404)
    const change = { title: 'Acme Ltd', hostname: 'acme-ltd', defaultRole: 'comment', ai: true }
    expect((await api.request(admin, 'PATCH', organizationPath, change)).body).toMatchObject(change)
    const nowhere = { defaultContent: { type: 'site', site: 'site_none' } }
    expect((await api.request(admin, 'PATCH', organizationPath, nowhere)).status).toBe(400)
    const found = await api.request(admin, 'GET', '/subdomains/acme-ltd')
    expect(found.body).toMatchObject({ subdomain: 'acme-ltd', target: { organization }, isActive: true })
    expect((await api.request(admin, 'GET', '/subdomains/elsewhere')).status).toBe(404)
  })
})
