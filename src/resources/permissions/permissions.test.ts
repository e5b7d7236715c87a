/** Listing grants through the API, in addition to the numbered scenarios. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('a grant', ({ open }) => {
  let api: TestClient
  let [admin, reader, guest, other]: Person[] = []
  let organization: OrganizationId

  const make = async (method: string, path: string, body: object = {}, person = admin) => {
    const answer = await api.request(person!, method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }

  beforeAll(async () => {
    api = await openTestClient(await open())
    ;[admin, reader, guest, other] = await Promise.all(
      ['admin', 'reader', 'guest', 'other'].map((name) => api.person(name)),
    )
    organization = await api.organization(admin!)
    await api.join(organization, reader!, 'read')
    await api.join(organization, guest!, null)
  })

  test('is listed once per member, whatever teams they are in', async () => {
    const elsewhere = await api.organization(other!, 'Elsewhere')
    await api.join(elsewhere, reader!, 'create')
    const { id } = await make('POST', `/orgs/${organization}/spaces`)
    await make('POST', `/spaces/${id}/permissions`, { role: 'edit', users: [reader!.id] })
    const list = await api.request(admin!, 'GET', `/spaces/${id}/permissions/users`)
    expect(list.body.count).toBe(1)
    expect(list.body.items).toMatchObject([{ permission: 'edit', user: { id: reader!.id } }])
  })

  test.each(['users', 'teams', 'aggregate'])('is hidden from guests who read the space: %s', async (whom) => {
    const { id } = await make('POST', `/orgs/${organization}/spaces`)
    await make('POST', `/spaces/${id}/permissions`, { role: 'edit', users: [guest!.id] })
    const listAs = (person: Person) => api.request(person, 'GET', `/spaces/${id}/permissions/${whom}`)
    expect((await api.request(guest!, 'GET', `/spaces/${id}`)).status).toBe(200)
    expect((await listAs(reader!)).status).toBe(200)
    expect((await listAs(guest!)).status).toBe(403)
    await make('POST', `/spaces/${id}/permissions`, { role: 'create', users: [guest!.id] })
    expect((await listAs(guest!)).status).toBe(200)
  })

  test('to a team is listed with the counts that the caller may see', async () => {
    const team = await make('PUT', `/orgs/${organization}/teams`, { title: 'Writers' })
    for (const defaultLevel of ['inherit', null]) {
      const { id } = await make('POST', `/orgs/${organization}/spaces`)
      await make('PATCH', `/spaces/${id}`, { defaultLevel })
      await make('POST', `/spaces/${id}/permissions`, { role: 'edit', teams: [team.id] })
    }
    const spaces = async (person: Person) =>
      (await api.request(person, 'GET', `/orgs/${organization}/teams/${team.id}`)).body.spaces
    expect([await spaces(admin!), await spaces(reader!)]).toEqual([2, 1])
  })
})
