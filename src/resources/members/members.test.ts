/** People of an organization through the door: listing, roles, leaving, teams, invites. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { insertMailedLink, insertSignInLink, openSession } from '../../access/signin/sessions.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { insertToken } from '../../access/signin/tokens.js'
import { type Door, type Person, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'
import { everywhere } from '../../../tests/rows.js'

describeEngines('people', (engine) => {
  let door: Door
  let admin: Person
  let organization: OrganizationId
  let here: string
  const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)
  const named = async (name: string, role: Parameters<Door['join']>[2]) => {
    const person = await door.person(name)
    await door.join(organization, person, role)
    return person
  }

  beforeAll(async () => {
    door = await openDoor(await engine.open())
    admin = await door.person('ada')
    organization = await door.organization(admin)
    here = `/orgs/${organization}`
  })

  describe('members', () => {
    let [reader, guest]: Person[] = []
    beforeAll(async () => {
      reader = await named('reader', 'read')
      guest = await named('gwen', null)
    })

    test('are listed newest first, filtered by role and by a part of a name or address', async () => {
      const list = await door.ask(reader!, 'GET', `${here}/members`)
      expect(ids(list)).toEqual([guest!.id, reader!.id, admin.id])
      expect(list.body.items[1]).toMatchObject({
        object: 'member',
        role: 'read',
        disabled: false,
        sso: false,
      })
      expect(list.body.items[1].user.email).toBe('reader@octavo.test')
      const asked = async (query: string) => ids(await door.ask(reader!, 'GET', `${here}/members?${query}`))
      expect(await asked('order=asc')).toEqual([admin.id, reader!.id, guest!.id])
      expect(await asked('role=guest')).toEqual([guest!.id])
      expect(await asked('role=admin')).toEqual([admin.id])
      expect(await asked('search=EADE')).toEqual([reader!.id])
      expect(await asked('search=%25')).toEqual([])
      expect(await asked('search=gwen%40octavo')).toEqual([guest!.id])
    })

    test('are seen last when they ping, and only those seen are sorted by it', async () => {
      expect((await door.ask(reader!, 'GET', `${here}/members?sort=lastSeenAt`)).body.count).toBe(0)
      expect((await door.ask(guest!, 'POST', `${here}/ping`)).body).toEqual({})
      const seen = await door.ask(reader!, 'GET', `${here}/members?sort=lastSeenAt`)
      expect(ids(seen)).toEqual([guest!.id])
      expect(seen.body.items[0].lastSeenAt).toMatch(/^2026-01-01T/)
    })

    test('change roles by an admin alone, and become members of single sign-on', async () => {
      const path = `${here}/members/${reader!.id}`
      expect((await door.ask(reader!, 'PATCH', path, { role: 'admin' })).status).toBe(403)
      expect((await door.ask(admin, 'PATCH', path, { role: 'boss' })).status).toBe(400)
      expect((await door.ask(admin, 'PATCH', path, { role: 'edit' })).body.role).toBe('edit')
      expect((await door.ask(admin, 'POST', `${path}/sso`)).body.sso).toBe(true)
      expect((await door.ask(admin, 'PATCH', path, { role: null })).body.role).toBeNull()
      expect((await door.ask(reader!, 'GET', `${here}/members`)).status).toBe(403)
      await door.ask(admin, 'PATCH', path, { role: 'read' })
    })

    test('leave, are removed, and are gone without an error when they were', async () => {
      const leaver = await named('leaver', null)
      expect((await door.ask(leaver, 'DELETE', `${here}/members/${admin.id}`)).status).toBe(404)
      expect((await door.ask(leaver, 'DELETE', `${here}/members/${leaver.id}`)).status).toBe(204)
      expect((await door.ask(leaver, 'GET', here)).status).toBe(404)
      expect((await door.ask(admin, 'DELETE', `${here}/members/${leaver.id}`)).status).toBe(204)
      expect((await door.ask(reader!, 'DELETE', `${here}/members/${leaver.id}`)).status).toBe(403)
    })

    test('list the spaces that they may read, as far as the asker may', async () => {
      const space = (await door.ask(admin, 'POST', `${here}/spaces`, { title: 'Open' })).body
      const hidden = (await door.ask(admin, 'POST', `${here}/spaces`, { title: 'Hidden' })).body
      await door.ask(admin, 'PATCH', `/spaces/${hidden.id}`, { defaultLevel: null })
      await door.ask(admin, 'POST', `/spaces/${hidden.id}/permissions`, { role: 'edit', users: [guest!.id] })
      const path = `${here}/members/${guest!.id}/spaces`
      const byAdmin = await door.ask(admin, 'GET', path)
      expect(byAdmin.body.items).toMatchObject([{ permission: 'edit', space: { id: hidden.id } }])
      expect((await door.ask(reader!, 'GET', path)).body).toEqual({ items: [], count: 0 })
      const own = await door.ask(admin, 'GET', `${here}/members/${reader!.id}/spaces`)
      expect(own.body.items).toMatchObject([{ permission: 'read', space: { id: space.id } }])
      expect((await door.ask(admin, 'GET', `${here}/members/${guest!.id}`)).body.spaces).toBe(1)
      expect((await door.ask(reader!, 'GET', `${here}/members/${guest!.id}`)).body.spaces).toBe(0)
    })

    test('see each other, and change only themselves', async () => {
      const stranger = await door.person('stranger')
      expect((await door.ask(reader!, 'GET', `/users/${guest!.id}`)).body.displayName).toBe('gwen')
      expect((await door.ask(guest!, 'GET', `/users/${reader!.id}`)).status).toBe(404)
      expect((await door.ask(stranger, 'GET', `/users/${reader!.id}`)).status).toBe(404)
      expect((await door.ask(admin, 'PATCH', `/users/${reader!.id}`, { displayName: 'X' })).status).toBe(403)
      const change = { displayName: 'Rea', photoURL: 'https://octavo.test/r.png' }
      expect((await door.ask(reader!, 'PATCH', `/users/${reader!.id}`, change)).body).toMatchObject(change)
      const script = { photoURL: 'javascript:alert(1)' }
      expect((await door.ask(reader!, 'PATCH', `/users/${reader!.id}`, script)).status).toBe(400)
    })
  })

  describe('teams', () => {
    test('are made with members, renamed, filtered, and deleted twice', async () => {
      const [one, other] = [await named('one', 'read'), await named('other', 'read')]
      const stranger = await door.person('outside')
      const refused = await door.ask(admin, 'PUT', `${here}/teams`, { title: 'T', members: [stranger.id] })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain('members[0]')
      const made = await door.ask(admin, 'PUT', `${here}/teams`, { title: 'Writers', members: [one.id] })
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({
        object: 'team',
        members: 1,
        permissions: { admin: true, view: true },
      })
      const path = `${here}/teams/${made.body.id}`
      expect((await door.ask(admin, 'PATCH', path, { title: 'Authors' })).body.title).toBe('Authors')
      expect((await door.ask(one, 'GET', `${here}/teams?title=AUTH`)).body.count).toBe(1)
      expect((await door.ask(one, 'GET', `${here}/teams?owner=${one.id}`)).body.count).toBe(0)

      const added = { add: ['OTHER@octavo.test'], memberships: { [one.id]: { role: 'owner' } } }
      expect((await door.ask(one, 'PUT', `${path}/members`, added)).status).toBe(403)
      expect((await door.ask(admin, 'PUT', `${path}/members`, added)).status).toBe(204)
      const people = await door.ask(other, 'GET', `${path}/members`)
      expect(people.body.items).toMatchObject([
        { organization: { id: one.id }, team: { role: 'owner' } },
        { organization: { id: other.id }, team: { role: 'member' } },
      ])
      const owned = await door.ask(other, 'GET', `${here}/members/${one.id}/teams?title=thor`)
      expect(owned.body.items).toMatchObject([{ team: { id: made.body.id }, member: { role: 'owner' } }])
      expect((await door.ask(one, 'GET', here)).body.permissions.ownTeam).toBe(true)

      expect((await door.ask(one, 'DELETE', `${path}/members/${other.id}`)).status).toBe(204)
      expect((await door.ask(one, 'PUT', `${path}/members/${other.id}`, { role: 'member' })).status).toBe(204)
      expect((await door.ask(one, 'PATCH', path, { title: 'Mine' })).status).toBe(403)
      const both = { add: [other.id], remove: [other.id] }
      expect((await door.ask(one, 'PUT', `${path}/members`, both)).status).toBe(204)
      expect((await door.ask(one, 'GET', path)).body.members).toBe(1)
      expect((await door.ask(admin, 'DELETE', path)).status).toBe(204)
      expect((await door.ask(admin, 'DELETE', path)).status).toBe(204)
      expect((await door.ask(admin, 'GET', path)).status).toBe(404)
    })
  })

  describe('invites', () => {
    test('by mail make members and accounts, and open no account that was there', async () => {
      const known = await door.person('known')
      const emails = ['Known@octavo.test', { email: 'new@octavo.test', role: 'edit' }, 'ada@octavo.test']
      const answer = await door.ask(admin, 'POST', `${here}/invites`, { emails, role: 'comment' })
      expect(answer.body.invited).toBe(2)
      expect(answer.body.users).toContain(known.id)
      expect(answer.body.links).toHaveLength(1)
      expect(answer.body.links[0]).toMatchObject({ email: 'new@octavo.test' })
      const list = await door.ask(admin, 'GET', `${here}/members?search=new@`)
      expect(list.body.items[0].role).toBe('edit')
      expect((await door.ask(known, 'POST', `/user/invitations/${organization}`)).status).toBe(204)
      expect((await door.ask(known, 'GET', `${here}/members/${known.id}`)).body.role).toBe('comment')
      const jobs = await door.services.database.read
        .selectFrom('jobs')
        .select('payload')
        .where('type', '=', 'send-invitation')
        .execute()
      expect(jobs).toHaveLength(2)
      for (const { payload } of jobs) expect(payload).not.toContain(answer.body.links[0].url.split('=')[1])
    })

    test('by link are made, listed, changed, used, and revoked', async () => {
      const made = await door.ask(admin, 'POST', `${here}/link-invites`, { role: 'read' })
      expect(made.body).toEqual({ object: 'invite', id: made.body.id, role: 'read', redundant: true })
      const path = `${here}/link-invites/${made.body.id}`
      expect((await door.ask(admin, 'PATCH', path, { level: 'edit' })).status).toBe(400)
      expect((await door.ask(admin, 'PATCH', path, { role: 'edit' })).body.role).toBe('edit')
      expect(ids(await door.ask(admin, 'GET', `${here}/link-invites`))).toEqual([made.body.id])
      const comer = await door.person('comer')
      expect((await door.ask(comer, 'GET', here)).status).toBe(404)
      expect((await door.ask(comer, 'POST', `${here}/invites/${made.body.id}`)).body).toEqual({})
      expect((await door.ask(comer, 'GET', `${here}/members/${comer.id}`)).body.role).toBe('edit')

      await door.ask(admin, 'PATCH', here, { inviteLinks: false })
      const late = await door.person('late')
      expect((await door.ask(late, 'POST', `${here}/invites/${made.body.id}`)).status).toBe(404)
      expect((await door.ask(admin, 'POST', `${here}/link-invites`, { role: 'read' })).status).toBe(409)
      await door.ask(admin, 'PATCH', here, { inviteLinks: true })
      const creator = await door.person('link maker')
      await door.join(organization, creator, 'create')
      expect((await door.ask(creator, 'DELETE', path)).status).toBe(404)
      expect((await door.ask(admin, 'DELETE', path)).status).toBe(205)
      expect((await door.ask(admin, 'DELETE', path)).status).toBe(204)
      expect((await door.ask(creator, 'DELETE', path)).status).toBe(404)
      expect((await door.ask(late, 'POST', `${here}/invites/${made.body.id}`)).status).toBe(404)
    })

    test('of a disabled member open nothing', async () => {
      const { id } = (await door.ask(admin, 'POST', `${here}/link-invites`, { role: 'edit' })).body
      const disabled = await named('disabled', 'read')
      await door.services.database.write((tx) =>
        everywhere(tx)
          .updateTable('members')
          .set({ disabled: 1 })
          .where('user_id', '=', disabled.id)
          .execute(),
      )
      expect((await door.ask(disabled, 'POST', `${here}/invites/${id}`)).status).toBe(404)
      expect((await door.ask(disabled, 'GET', here)).status).toBe(404)
    })

    test('by domain let people in as guests', async () => {
      let visitor = await door.person('visitor')
      expect((await door.ask(visitor, 'POST', `${here}/join`)).status).toBe(400)
      await door.ask(admin, 'PATCH', here, { emailDomains: ['OCTAVO.test', 'other.test'] })
      const unproven = await door.ask(visitor, 'GET', '/email-domains/octavo.test/orgs')
      expect(unproven.body.organizations).toEqual([])
      const refused = await door.ask(visitor, 'POST', `${here}/join`)
      expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('mailed')])
      const { database } = door.services
      const arriving = { ip: null, userAgent: null, now: door.now() }
      // A link that somebody else held in hand proves nothing.
      await database.write(async (tx) =>
        openSession(tx, await insertSignInLink(tx, visitor.id, door.now()), arriving),
      )
      expect((await door.ask(visitor, 'POST', `${here}/join`)).status).toBe(403)
      await database.write(async (tx) => {
        await openSession(tx, await insertMailedLink(tx, visitor.id, door.now()), arriving)
        const renewed = { userId: visitor.id, token: newApiToken(), label: 'renewed', now: door.now() }
        await insertToken(tx, renewed)
        visitor = { ...visitor, token: renewed.token }
      })
      const found = await door.ask(visitor, 'GET', '/email-domains/octavo.test/orgs')
      expect(found.body.organizations).toMatchObject([{ id: organization, emailDomains: ['octavo.test'] }])
      expect(found.body.organizations[0].permissions.view).toBe(false)
      const foreign = await door.ask(visitor, 'GET', '/email-domains/other.test/orgs')
      expect(foreign.body.organizations).toEqual([])
      expect((await door.ask(visitor, 'POST', `${here}/join`)).status).toBe(204)
      expect((await door.ask(visitor, 'GET', `${here}/members/${visitor.id}`)).body.role).toBeNull()
    })
  })

  test('who leaves takes along what opened this organization alone in their name, and nothing of others or elsewhere', async () => {
    const [goes, stays] = [await named('goes', 'read'), await named('stays', 'read')]
    const elsewhere = await door.organization(goes, 'Of who goes')
    const tokenFor = async (userId: Person['id'], onlyIn: OrganizationId): Promise<Person> => {
      const token = newApiToken()
      const wanted = { userId, token, label: 'one', now: door.now(), onlyIn }
      await door.services.database.write((tx) => insertToken(tx, wanted))
      return { id: userId, token }
    }
    const [ended, own, other] = [
      await tokenFor(goes.id, organization),
      await tokenFor(goes.id, elsewhere),
      await tokenFor(stays.id, organization),
    ]
    for (const person of [ended, own, other])
      expect((await door.ask(person, 'GET', '/user')).status).toBe(200)
    expect((await door.ask(admin, 'DELETE', `${here}/members/${goes.id}`)).status).toBe(204)
    const statuses = [ended, own, other].map(
      async (person) => (await door.ask(person, 'GET', '/user')).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 200, 200])
  })

  test('settings of the organization are changed by admins, and its hostname is found by its people', async () => {
    const other = await door.organization(await door.person('else'), 'Elsewhere')
    const taken = await door.ask(admin, 'PATCH', here, { hostname: 'elsewhere' })
    expect(taken.status).toBe(409)
    expect((await door.ask(admin, 'PATCH', `/orgs/${other}`, { title: 'Mine' })).status).toBe(404)
    const change = { title: 'Acme Ltd', hostname: 'acme-ltd', defaultRole: 'comment', ai: true }
    expect((await door.ask(admin, 'PATCH', here, change)).body).toMatchObject(change)
    const nowhere = { defaultContent: { type: 'site', site: 'site_none' } }
    expect((await door.ask(admin, 'PATCH', here, nowhere)).status).toBe(400)
    const found = await door.ask(admin, 'GET', '/subdomains/acme-ltd')
    expect(found.body).toMatchObject({ subdomain: 'acme-ltd', target: { organization }, isActive: true })
    expect((await door.ask(admin, 'GET', '/subdomains/elsewhere')).status).toBe(404)
  })
})
