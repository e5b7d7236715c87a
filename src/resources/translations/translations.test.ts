import { beforeAll, expect, test } from 'vitest'
import { type Door, type Person, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('translation settings', (engine) => {
  let door: Door
  let admin: Person
  let creator: Person
  let here: string

  beforeAll(async () => {
    door = await openDoor(await engine.open())
    admin = await door.person('admin')
    const organization = await door.organization(admin)
    creator = await door.person('creator')
    await door.join(organization, creator, 'create')
    here = `/orgs/${organization}/translations`
  })

  test('have a title and languages, English unless others are named', async () => {
    const made = await door.ask(admin, 'POST', here, { title: 'Guides' })
    expect([made.status, made.headers['location']]).toEqual([201, made.body.urls.location])
    expect(made.body).toMatchObject({
      title: 'Guides',
      languages: ['en'],
      permissions: { view: true, edit: true },
    })
    const at = `${here}/${made.body.id}`
    const changed = await door.ask(admin, 'PUT', at, { title: 'Words', languages: ['fr', 'ja'] })
    expect(changed.body).toMatchObject({ title: 'Words', languages: ['fr', 'ja'] })
    const renamed = await door.ask(admin, 'PUT', at, { title: 'Texts' })
    expect(renamed.body).toMatchObject({ title: 'Texts', languages: ['fr', 'ja'] })
    const seen = await door.ask(creator, 'GET', at)
    expect(seen.body).toEqual({ ...renamed.body, permissions: { view: true, edit: false } })
    expect((await door.ask(creator, 'GET', here)).body).toMatchObject({ count: 1, items: [seen.body] })
    expect((await door.ask(creator, 'DELETE', at)).status).toBe(403)
    expect((await door.ask(admin, 'DELETE', at)).status).toBe(205)
    expect((await door.ask(admin, 'DELETE', at)).status).toBe(204)
    expect((await door.ask(admin, 'GET', at)).status).toBe(404)
  })

  test.each([
    [{}, 'body.title'],
    [{ title: '' }, 'body.title'],
    [{ title: 'x'.repeat(101) }, 'body.title'],
    [{ title: 'x', languages: [] }, 'body.languages'],
    [{ title: 'x', languages: ['xx'] }, 'body.languages'],
    [{ title: 'x', languages: ['en', 'en'] }, 'body.languages'],
  ])('refuse %j and name what is wrong', async (body, member) => {
    const answer = await door.ask(admin, 'POST', here, body)
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(member)])
  })
})
