import { expect, it } from 'vitest'
import { openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('the audit log', ({ open }) => {
  it('records every successful action with actor, target and origin, and nothing of the body', async () => {
    const api = await openTestClient(await open())
    const [admin, writer] = [await api.person('admin'), await api.person('writer')]
    const organization = (await api.request(admin, 'POST', '/orgs', { title: 'Acme' })).body.id
    await api.join(organization, writer, 'create')
    const space = await api.request(writer, 'POST', `/orgs/${organization}/spaces`, { title: 'Hidden words' })
    expect(space.status).toBe(201)
    await api.request(writer, 'GET', `/spaces/${space.body.id}`)
    // Updates only a timestamp.
    expect((await api.request(writer, 'POST', `/orgs/${organization}/ping`)).status).toBe(200)
    expect((await api.request(writer, 'PATCH', `/spaces/${space.body.id}`, { title: '' })).status).toBe(400)
    expect((await api.request(writer, 'GET', `/orgs/${organization}/audit`)).status).toBe(403)

    const log = await api.request(admin, 'GET', `/orgs/${organization}/audit`)
    expect(log.body.items.map(({ action }: { action: string }) => action)).toEqual([
      'createSpace',
      'createOrganization',
    ])
    const [entry] = log.body.items
    expect(entry).toMatchObject({
      object: 'audit-event',
      actor: { id: writer.id, displayName: 'writer' },
      thing: space.body.id,
      place: { organizationId: organization },
      ip: '127.0.0.1',
      credential: { type: 'token' },
    })
    expect(entry.credential.id).not.toContain(writer.token)
    expect(log.text).not.toContain('Hidden words')
  })

  it('is filtered by actor, action, thing and time, and paged', async () => {
    const api = await openTestClient(await open())
    const [admin, writer] = [await api.person('admin'), await api.person('writer')]
    const organization = (await api.request(admin, 'POST', '/orgs', { title: 'Acme' })).body.id
    await api.join(organization, writer, 'create')
    const spaces: string[] = []
    for (const person of [admin, writer, writer]) {
      spaces.push((await api.request(person, 'POST', `/orgs/${organization}/spaces`, { title: 'S' })).body.id)
    }
    await api.request(writer, 'PATCH', `/spaces/${spaces[1]}`, { title: 'Renamed' })

    const things = async (query: string) => {
      const { body } = await api.request(admin, 'GET', `/orgs/${organization}/audit?limit=50&${query}`)
      expect(body.count).toBe(body.items.length)
      return body.items.map(({ thing }: { thing: string }) => thing)
    }
    expect(await things(`actor=${writer.id}`)).toEqual([spaces[1], spaces[2], spaces[1]])
    expect(await things('action=createSpace')).toEqual([spaces[2], spaces[1], spaces[0]])
    expect(await things(`thing=${spaces[1]}`)).toEqual([spaces[1], spaces[1]])
    const { items } = (await api.request(admin, 'GET', `/orgs/${organization}/audit?action=createSpace`)).body
    expect(await things(`from=${items[1].at}&to=${items[0].at}`)).toEqual([spaces[1]])

    const first = (await api.request(admin, 'GET', `/orgs/${organization}/audit?limit=2`)).body
    const rest = await api.request(
      admin,
      'GET',
      `/orgs/${organization}/audit?limit=9&page=${first.next.page}`,
    )
    expect([first.count, first.items.length, rest.body.items.length]).toEqual([5, 2, 3])
  })

  it('truncates user agents', async () => {
    const api = await openTestClient(await open())
    const admin = await api.person('admin')
    const organization = await api.organization(admin)
    const headers = { authorization: `Bearer ${admin.token}`, 'user-agent': 'a'.repeat(2_000) }
    const url = `/v1/orgs/${organization}/teams`
    await api.server.inject({ method: 'PUT', url, headers, payload: { title: 'Team' } })
    const [entry] = (await api.request(admin, 'GET', `/orgs/${organization}/audit`)).body.items
    expect([entry.action, entry.userAgent]).toEqual(['createOrganizationTeam', 'a'.repeat(500)])
  })

  it('rolls back with the action, and is hidden from other organizations', async () => {
    const api = await openTestClient(await open())
    const [admin, other] = [await api.person('admin'), await api.person('other')]
    const organization = (await api.request(admin, 'POST', '/orgs', { title: 'Acme' })).body.id
    const theirs = (await api.request(other, 'POST', '/orgs', { title: 'Beta' })).body.id
    await api.request(admin, 'POST', '/orgs', { title: 'Gamma', hostname: 'taken' })
    expect((await api.request(other, 'POST', '/orgs', { title: 'Delta', hostname: 'taken' })).status).toBe(
      409,
    )
    const log = (await api.request(other, 'GET', `/orgs/${theirs}/audit`)).body
    expect(log.items).toHaveLength(1)
    expect((await api.request(other, 'GET', `/orgs/${organization}/audit`)).status).toBe(404)
  })
})
