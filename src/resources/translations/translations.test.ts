import { beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('translation settings', (engine) => {
  let api: TestClient
  let admin: Person
  let creator: Person
  let settingsPath: string

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    const organization = await api.organization(admin)
    creator = await api.person('creator')
    await api.join(organization, creator, 'create')
    settingsPath = `/orgs/${organization}/translations`
  })

  test('have a title and languages, English by default', async () => {
    const made = await api.request(admin, 'POST', settingsPath, { title: 'Guides' })
    expect([made.status, made.headers['location']]).toEqual([201, made.body.urls.location])
    expect(made.body).toMatchObject({
      title: 'Guides',
      languages: ['en'],
      permissions: { view: true, edit: true },
    })
    const at = `${settingsPath}/${made.body.id}`
    const changed = await api.request(admin, 'PUT', at, { title: 'Words', languages: ['fr', 'ja'] })
    expect(changed.body).toMatchObject({ title: 'Words', languages: ['fr', 'ja'] })
    const renamed = await api.request(admin, 'PUT', at, { title: 'Texts' })
    expect(renamed.body).toMatchObject({ title: 'Texts', languages: ['fr', 'ja'] })
    const seen = await api.request(creator, 'GET', at)
    expect(seen.body).toEqual({ ...renamed.body, permissions: { view: true, edit: false } })
    expect((await api.request(creator, 'GET', settingsPath)).body).toMatchObject({
      count: 1,
      items: [seen.body],
    })
    expect((await api.request(creator, 'DELETE', at)).status).toBe(403)
    expect((await api.request(admin, 'DELETE', at)).status).toBe(205)
    expect((await api.request(admin, 'DELETE', at)).status).toBe(204)
    expect((await api.request(admin, 'GET', at)).status).toBe(404)
  })

  test.each([
    [{}, 'body.title'],
    [{ title: '' }, 'body.title'],
    [{ title: 'x'.repeat(101) }, 'body.title'],
    [{ title: 'x', languages: [] }, 'body.languages'],
    [{ title: 'x', languages: ['xx'] }, 'body.languages'],
    [{ title: 'x', languages: ['en', 'en'] }, 'body.languages'],
  ])('refuse %j and name the problem', async (body, member) => {
    const answer = await api.request(admin, 'POST', settingsPath, body)
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(member)])
  })
})
