/** Custom fields through the API: definitions of an organization, and values of its spaces. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { maxCustomFields } from '../../contract/custom-fields.js'
import { listViolations } from '../../store/db/invariants.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('custom fields', (engine) => {
  let api: TestClient
  let admin: Person
  let writer: Person
  let reader: Person
  let organizationPath: string

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refuse(status: number, method: string, path: string, body?: unknown, person = admin) {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, answer.text).toBe(status)
    return answer.body.error.message as string
  }
  const newOrganization = async () => `/orgs/${await api.organization(admin)}`
  const newSpace = async (path = organizationPath) => (await make('POST', `${path}/spaces`)).id as string
  const set = (space: string, values: object, person = writer) =>
    make('PATCH', `/spaces/${space}/custom-fields`, { values }, person)
  const valuesOf = async (space: string) =>
    Object.fromEntries(
      (await make('GET', `/spaces/${space}/custom-fields`)).map((one: any) => [
        one.customField.name,
        one.value,
      ]),
    )

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('ada')
    const organization: OrganizationId = await api.organization(admin)
    organizationPath = `/orgs/${organization}`
    writer = await api.person('will')
    await api.join(organization, writer, 'edit')
    reader = await api.person('rita')
    await api.join(organization, reader, 'read')
    for (const field of [
      { name: 'owner', type: 'text', title: 'Owner', description: 'Who answers.', placeholder: 'A name' },
      { name: 'rank', type: 'number' },
      { name: 'final', type: 'boolean' },
      { name: 'tags', type: 'tags' },
      { name: 'stage', type: 'select:single', options: ['draft', 'done'] },
      { name: 'for-whom', type: 'select:multi', options: ['staff', 'partners'] },
    ])
      await make('POST', `${organizationPath}/custom-fields`, field)
  })

  describe('of an organization', () => {
    test('are returned as defined, with their URLs', async () => {
      const owner = await make('GET', `${organizationPath}/custom-fields/owner`, undefined, reader)
      expect(owner).toMatchObject({
        name: 'owner',
        type: 'text',
        title: 'Owner',
        description: 'Who answers.',
        placeholder: 'A name',
        urls: { location: `http://octavo.test/v1${organizationPath}/custom-fields/owner` },
        permissions: { view: true, edit: false },
      })
      const stage = await make('GET', `${organizationPath}/custom-fields/stage`)
      expect(stage).toMatchObject({ title: 'stage', options: ['draft', 'done'], permissions: { edit: true } })
      const { items, count } = await make('GET', `${organizationPath}/custom-fields`)
      expect(items.map(({ name }: any) => name)).toEqual([
        'owner',
        'rank',
        'final',
        'tags',
        'stage',
        'for-whom',
      ])
      expect(count).toBe(6)
    })

    test('are created at their location', async () => {
      const path = await newOrganization()
      const answer = await api.request(admin, 'POST', `${path}/custom-fields`, {
        name: 'a_1-b',
        type: 'text',
      })
      expect(answer.status).toBe(201)
      expect(answer.headers['location']).toBe(answer.body.urls.location)
    })

    test.each([
      [{ name: 'Owner', type: 'text' }, 'body.name'],
      [{ name: '', type: 'text' }, 'body.name'],
      [{ name: '__proto__', type: 'text' }, 'body.name'],
      [{ name: 'x'.repeat(51), type: 'text' }, 'body.name'],
      [{ name: 'new', type: 'date' }, 'body.type'],
      [{ name: 'new', type: 'select:single' }, 'options'],
      [{ name: 'new', type: 'select:multi', options: [] }, 'body.options'],
      [{ name: 'new', type: 'select:multi', options: ['a', 'a'] }, 'body.options'],
      [{ name: 'new', type: 'text', title: 'x'.repeat(101) }, 'body.title'],
      [{ name: 'new', type: 'text', options: ['a'] }, '"options"'],
      [{ name: 'new', type: 'tags', options: ['a'] }, '"options"'],
    ])('refuse %j, naming the member', async (body, member) => {
      expect(await refuse(400, 'POST', `${organizationPath}/custom-fields`, body)).toContain(member)
    })

    test.each([
      ['owner', { type: 'number' }, '"type"'],
      ['owner', { type: 'text', title: 'New' }, '"type"'],
      ['owner', { type: 7 }, '"type"'],
      ['owner', { name: 'other' }, '"name"'],
      ['owner', { options: ['a'], title: 'New' }, '"options"'],
      ['final', { options: ['yes', 'no'] }, '"options"'],
      ['stage', { type: 'select:multi' }, '"type"'],
    ])('refuse an update of %s with %j, naming the member', async (name, body, member) => {
      const before = await make('GET', `${organizationPath}/custom-fields/${name}`)
      expect(await refuse(400, 'PATCH', `${organizationPath}/custom-fields/${name}`, body)).toContain(member)
      expect(await make('GET', `${organizationPath}/custom-fields/${name}`)).toEqual(before)
    })

    test('have unique names', async () => {
      const message = await refuse(409, 'POST', `${organizationPath}/custom-fields`, {
        name: 'owner',
        type: 'number',
      })
      expect(message).toContain('"owner"')
      const elsewhere = await newOrganization()
      await make('POST', `${elsewhere}/custom-fields`, { name: 'owner', type: 'number' })
    })

    test('created concurrently with one name: one succeeds', async () => {
      const path = await newOrganization()
      const made = await Promise.all(
        [1, 2, 3, 4].map(() =>
          api.request(admin, 'POST', `${path}/custom-fields`, { name: 'one', type: 'text' }),
        ),
      )
      expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    })

    test('are limited in number', async () => {
      const path = await newOrganization()
      for (let count = 0; count < maxCustomFields; count++)
        await make('POST', `${path}/custom-fields`, { name: `f${count}`, type: 'text' })
      const message = await refuse(400, 'POST', `${path}/custom-fields`, { name: 'more', type: 'text' })
      expect(message).toContain(String(maxCustomFields))
    })

    test('change in all but name and type', async () => {
      const path = await newOrganization()
      await make('POST', `${path}/custom-fields`, { name: 'x', type: 'select:single', options: ['a', 'b'] })
      const space = await newSpace(path)
      await set(space, { x: { value: 'a' } }, admin)
      const change = { title: 'X', options: ['b', 'c'] }
      expect(await make('PATCH', `${path}/custom-fields/x`, change)).toMatchObject({ ...change, name: 'x' })
      expect(await valuesOf(space)).toEqual({ x: 'a' })
      await refuse(400, 'PATCH', `/spaces/${space}/custom-fields`, { values: { x: { value: 'a' } } })
      const others = { id: 'y', created_at: 1, unknown: 1 }
      const after = await make('PATCH', `${path}/custom-fields/x`, { ...others, description: 'Said' })
      expect(after).toMatchObject({ ...change, name: 'x', type: 'select:single', description: 'Said' })
      expect(await make('GET', `${path}/custom-fields/x`)).toEqual(after)
    })

    test('are deleted with the values of spaces, idempotently', async () => {
      const path = await newOrganization()
      await make('POST', `${path}/custom-fields`, { name: 'x', type: 'text' })
      const space = await newSpace(path)
      await set(space, { x: { value: 'a' } }, admin)
      for (const _ of [1, 2]) await make('DELETE', `${path}/custom-fields/x`)
      expect(await make('GET', `/spaces/${space}/custom-fields`)).toEqual([])
      expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
      await make('POST', `${path}/custom-fields`, { name: 'x', type: 'text' })
      expect(await valuesOf(space)).toEqual({ x: undefined })
    })
  })

  describe('in a space', () => {
    test('are all listed, with their values', async () => {
      const space = await newSpace()
      const values = {
        owner: 'Ann',
        rank: -2.5,
        final: false,
        tags: ['b', 'a', 'b'],
        stage: 'done',
        'for-whom': ['partners', 'staff'],
      }
      const none = Object.fromEntries(Object.keys(values).map((name) => [name, undefined]))
      expect(await valuesOf(space)).toEqual(none)
      await set(space, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])))
      expect(await valuesOf(space)).toEqual(values)
      expect((await make('GET', `/spaces/${space}`)).customFields).toEqual(values)
      const { items } = await make('GET', `${organizationPath}/spaces?limit=100`)
      expect(items.find(({ id }: any) => id === space).customFields).toEqual(values)

      await set(space, { rank: { value: null }, tags: { value: [] }, owner: { value: 'Bob' } })
      const { rank: _rank, tags: _tags, ...left } = values
      expect(await valuesOf(space)).toEqual({ ...none, ...left, owner: 'Bob' })
    })

    test.each([
      [{ owner: { value: 1 } }, 'values.owner.value'],
      [{ owner: { value: 'x'.repeat(257) } }, 'body.values'],
      [{ rank: { value: '1' } }, 'a number'],
      [{ final: { value: 'true' } }, 'true or false'],
      [{ tags: { value: 'a' } }, 'a list of texts'],
      [{ stage: { value: 'gone' } }, '"draft", "done"'],
      [{ stage: { value: ['done'] } }, '"draft", "done"'],
      [{ 'for-whom': { value: ['staff', 'staff'] } }, 'each once'],
      [{ 'for-whom': { value: ['staff', 'others'] } }, '"staff", "partners"'],
    ])('refuse %j, and set nothing else', async (wrong, problem) => {
      const space = await newSpace()
      const first = 'owner' in wrong ? { rank: { value: 1 } } : { owner: { value: 'Ann' } }
      const values = { ...first, ...wrong }
      expect(await refuse(400, 'PATCH', `/spaces/${space}/custom-fields`, { values })).toContain(problem)
      expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
    })

    test('of an unknown name are 404, naming it', async () => {
      const space = await newSpace()
      for (const name of ['nothing', 'constructor']) {
        const values = { owner: { value: 'Ann' }, [name]: { value: 'x' } }
        const message = await refuse(404, 'PATCH', `/spaces/${space}/custom-fields`, { values })
        expect(message).toContain(`"${name}"`)
      }
      expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
    })

    test('are set by editors, and by no one in the trash', async () => {
      const space = await newSpace()
      const values = { owner: { value: 'Ann' } }
      await refuse(403, 'PATCH', `/spaces/${space}/custom-fields`, { values }, reader)
      await set(space, values, writer)
      expect((await make('GET', `/spaces/${space}/custom-fields`, undefined, reader))[0].value).toBe('Ann')
      await make('DELETE', `/spaces/${space}`)
      await refuse(409, 'PATCH', `/spaces/${space}/custom-fields`, { values })
    })

    test('find it by value', async () => {
      const path = await newOrganization()
      for (const field of [
        { name: 'owner', type: 'text' },
        { name: 'rank', type: 'number' },
        { name: 'tags', type: 'tags' },
      ])
        await make('POST', `${path}/custom-fields`, field)
      const [one, two, three] = [await newSpace(path), await newSpace(path), await newSpace(path)]
      await set(one, { owner: { value: 'Ann: A' }, rank: { value: 2 }, tags: { value: ['x', 'y'] } }, admin)
      await set(two, { owner: { value: 'Bob' }, rank: { value: 2 }, tags: { value: ['y'] } }, admin)
      await set(three, { rank: { value: 20 } }, admin)
      const found = async (...sought: string[]) => {
        const query = sought.map((part) => `&customField=${encodeURIComponent(part)}`).join('')
        const { items, count } = await make('GET', `${path}/spaces?limit=100${query}`)
        expect(count).toBe(items.length)
        return items.map(({ id }: any) => id)
      }
      expect(await found()).toEqual([one, two, three])
      expect(await found('rank:2.0')).toEqual([one, two])
      expect(await found('tags:y', 'owner:Bob')).toEqual([two])
      expect(await found('owner:Ann: A')).toEqual([one])
      expect(await found('tags:z')).toEqual([])
      expect(await refuse(400, 'GET', `${path}/spaces?customField=nothing:x`)).toContain('"nothing"')
      for (const wrong of ['rank:two', 'rank:', 'rank'])
        expect(await refuse(400, 'GET', `${path}/spaces?customField=${wrong}`)).toContain('number')
    })
  })

  test('are copied with the space', async () => {
    const space = await newSpace()
    await set(space, { owner: { value: 'Ann' }, tags: { value: ['a', 'b'] } })
    const copy = await make('POST', `/spaces/${space}/duplicate`)
    expect(copy.customFields).toEqual({ owner: 'Ann', tags: ['a', 'b'] })
  })

  test('are transferred to another organization with the same field', async () => {
    const otherPath = await newOrganization()
    for (const field of [
      { name: 'owner', type: 'text' },
      { name: 'rank', type: 'text' },
      { name: 'stage', type: 'select:single', options: ['done', 'over'] },
      { name: 'for-whom', type: 'select:multi', options: ['staff'] },
    ])
      await make('POST', `${otherPath}/custom-fields`, field)
    const space = await newSpace()
    await set(space, {
      owner: { value: 'Ann' },
      rank: { value: 1 },
      stage: { value: 'done' },
      'for-whom': { value: ['staff', 'partners'] },
      tags: { value: ['a'] },
    })
    const moved = await make('POST', `/spaces/${space}/transfer`, { organization: otherPath.split('/')[2] })
    expect(moved.customFields).toEqual({ owner: 'Ann', stage: 'done' })
    expect(await listViolations(api.services.database.read)).toEqual([])
  })

  test('are deleted with their space or field, even concurrently', async () => {
    const path = await newOrganization()
    await make('POST', `${path}/custom-fields`, { name: 'x', type: 'text' })
    const space = await newSpace(path)
    const values = { x: { value: 'a' } }
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => api.request(admin, 'PATCH', `/spaces/${space}/custom-fields`, { values })),
      api.request(admin, 'DELETE', `${path}/custom-fields/x`),
    ])
    for (const { status } of answers.slice(0, 3)) expect([204, 404]).toContain(status)
    expect(answers[3]!.status).toBe(204)
    expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
    expect(await listViolations(api.services.database.read)).toEqual([])
  })
})
