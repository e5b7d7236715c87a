/** Custom fields through the door: what an organization asks of its spaces, and what they say. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { mostCustomFields } from '../../contract/custom-fields.js'
import { listBroken } from '../../store/db/invariants.js'
import { type Door, type Person, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('custom fields', (engine) => {
  let door: Door
  let admin: Person
  let writer: Person
  let reader: Person
  let here: string

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await door.ask(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refuse(status: number, method: string, path: string, body?: unknown, person = admin) {
    const answer = await door.ask(person, method, path, body)
    expect(answer.status, answer.text).toBe(status)
    return answer.body.error.message as string
  }
  const newOrganization = async () => `/orgs/${await door.organization(admin)}`
  const newSpace = async (place = here) => (await make('POST', `${place}/spaces`)).id as string
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
    door = await openDoor(await engine.open())
    admin = await door.person('ada')
    const organization: OrganizationId = await door.organization(admin)
    here = `/orgs/${organization}`
    writer = await door.person('will')
    await door.join(organization, writer, 'edit')
    reader = await door.person('rita')
    await door.join(organization, reader, 'read')
    for (const field of [
      { name: 'owner', type: 'text', title: 'Owner', description: 'Who answers.', placeholder: 'A name' },
      { name: 'rank', type: 'number' },
      { name: 'final', type: 'boolean' },
      { name: 'tags', type: 'tags' },
      { name: 'stage', type: 'select:single', options: ['draft', 'done'] },
      { name: 'for-whom', type: 'select:multi', options: ['staff', 'partners'] },
    ])
      await make('POST', `${here}/custom-fields`, field)
  })

  describe('of an organization', () => {
    test('answer what was said of them, and where they stand', async () => {
      const owner = await make('GET', `${here}/custom-fields/owner`, undefined, reader)
      expect(owner).toMatchObject({
        name: 'owner',
        type: 'text',
        title: 'Owner',
        description: 'Who answers.',
        placeholder: 'A name',
        urls: { location: `http://octavo.test/v1${here}/custom-fields/owner` },
        permissions: { view: true, edit: false },
      })
      const stage = await make('GET', `${here}/custom-fields/stage`)
      expect(stage).toMatchObject({ title: 'stage', options: ['draft', 'done'], permissions: { edit: true } })
      const { items, count } = await make('GET', `${here}/custom-fields`)
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

    test('are made where they say', async () => {
      const place = await newOrganization()
      const answer = await door.ask(admin, 'POST', `${place}/custom-fields`, { name: 'a_1-b', type: 'text' })
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
    ])('refuse %j and name what is wrong', async (body, member) => {
      expect(await refuse(400, 'POST', `${here}/custom-fields`, body)).toContain(member)
    })

    test('have names of their own', async () => {
      const message = await refuse(409, 'POST', `${here}/custom-fields`, { name: 'owner', type: 'number' })
      expect(message).toContain('"owner"')
      const elsewhere = await newOrganization()
      await make('POST', `${elsewhere}/custom-fields`, { name: 'owner', type: 'number' })
    })

    test('of two that are made with one name at once, one is', async () => {
      const place = await newOrganization()
      const made = await Promise.all(
        [1, 2, 3, 4].map(() =>
          door.ask(admin, 'POST', `${place}/custom-fields`, { name: 'one', type: 'text' }),
        ),
      )
      expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    })

    test('are bounded in number', async () => {
      const place = await newOrganization()
      for (let count = 0; count < mostCustomFields; count++)
        await make('POST', `${place}/custom-fields`, { name: `f${count}`, type: 'text' })
      const message = await refuse(400, 'POST', `${place}/custom-fields`, { name: 'more', type: 'text' })
      expect(message).toContain(String(mostCustomFields))
    })

    test('change in all but name and type', async () => {
      const place = await newOrganization()
      await make('POST', `${place}/custom-fields`, { name: 'x', type: 'select:single', options: ['a', 'b'] })
      const space = await newSpace(place)
      await set(space, { x: { value: 'a' } }, admin)
      const change = { title: 'X', options: ['b', 'c'] }
      expect(await make('PATCH', `${place}/custom-fields/x`, change)).toMatchObject({ ...change, name: 'x' })
      expect(await valuesOf(space)).toEqual({ x: 'a' })
      await refuse(400, 'PATCH', `/spaces/${space}/custom-fields`, { values: { x: { value: 'a' } } })
      const others = { name: 'y', type: 'text', id: 'y', created_at: 1, unknown: 1 }
      const after = await make('PATCH', `${place}/custom-fields/x`, { ...others, description: 'Said' })
      expect(after).toMatchObject({ ...change, name: 'x', type: 'select:single', description: 'Said' })
      expect(await make('GET', `${place}/custom-fields/x`)).toEqual(after)
    })

    test('take the values of spaces along, and may be gone already', async () => {
      const place = await newOrganization()
      await make('POST', `${place}/custom-fields`, { name: 'x', type: 'text' })
      const space = await newSpace(place)
      await set(space, { x: { value: 'a' } }, admin)
      for (const _ of [1, 2]) await make('DELETE', `${place}/custom-fields/x`)
      expect(await make('GET', `/spaces/${space}/custom-fields`)).toEqual([])
      expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
      await make('POST', `${place}/custom-fields`, { name: 'x', type: 'text' })
      expect(await valuesOf(space)).toEqual({ x: undefined })
    })
  })

  describe('in a space', () => {
    test('are all shown, with the values that there are', async () => {
      const space = await newSpace()
      const said = {
        owner: 'Ann',
        rank: -2.5,
        final: false,
        tags: ['b', 'a', 'b'],
        stage: 'done',
        'for-whom': ['partners', 'staff'],
      }
      const none = Object.fromEntries(Object.keys(said).map((name) => [name, undefined]))
      expect(await valuesOf(space)).toEqual(none)
      await set(space, Object.fromEntries(Object.entries(said).map(([name, value]) => [name, { value }])))
      expect(await valuesOf(space)).toEqual(said)
      expect((await make('GET', `/spaces/${space}`)).customFields).toEqual(said)
      const { items } = await make('GET', `${here}/spaces?limit=100`)
      expect(items.find(({ id }: any) => id === space).customFields).toEqual(said)

      await set(space, { rank: { value: null }, tags: { value: [] }, owner: { value: 'Bob' } })
      const { rank: _rank, tags: _tags, ...left } = said
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
    ])('refuse %j, and nothing else is set either', async (wrong, told) => {
      const space = await newSpace()
      const first = 'owner' in wrong ? { rank: { value: 1 } } : { owner: { value: 'Ann' } }
      const values = { ...first, ...wrong }
      expect(await refuse(400, 'PATCH', `/spaces/${space}/custom-fields`, { values })).toContain(told)
      expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
    })

    test('of a name that there is not are 404, which names it', async () => {
      const space = await newSpace()
      for (const name of ['nothing', 'constructor']) {
        const values = { owner: { value: 'Ann' }, [name]: { value: 'x' } }
        const message = await refuse(404, 'PATCH', `/spaces/${space}/custom-fields`, { values })
        expect(message).toContain(`"${name}"`)
      }
      expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
    })

    test('are set by those who may edit it, and in the trash by nobody', async () => {
      const space = await newSpace()
      const values = { owner: { value: 'Ann' } }
      await refuse(403, 'PATCH', `/spaces/${space}/custom-fields`, { values }, reader)
      await set(space, values, writer)
      expect((await make('GET', `/spaces/${space}/custom-fields`, undefined, reader))[0].value).toBe('Ann')
      await make('DELETE', `/spaces/${space}`)
      await refuse(409, 'PATCH', `/spaces/${space}/custom-fields`, { values })
    })

    test('find it', async () => {
      const place = await newOrganization()
      for (const field of [
        { name: 'owner', type: 'text' },
        { name: 'rank', type: 'number' },
        { name: 'tags', type: 'tags' },
      ])
        await make('POST', `${place}/custom-fields`, field)
      const [one, two, three] = [await newSpace(place), await newSpace(place), await newSpace(place)]
      await set(one, { owner: { value: 'Ann: A' }, rank: { value: 2 }, tags: { value: ['x', 'y'] } }, admin)
      await set(two, { owner: { value: 'Bob' }, rank: { value: 2 }, tags: { value: ['y'] } }, admin)
      await set(three, { rank: { value: 20 } }, admin)
      const found = async (...sought: string[]) => {
        const query = sought.map((part) => `&customField=${encodeURIComponent(part)}`).join('')
        const { items, count } = await make('GET', `${place}/spaces?limit=100${query}`)
        expect(count).toBe(items.length)
        return items.map(({ id }: any) => id)
      }
      expect(await found()).toEqual([one, two, three])
      expect(await found('rank:2.0')).toEqual([one, two])
      expect(await found('tags:y', 'owner:Bob')).toEqual([two])
      expect(await found('owner:Ann: A')).toEqual([one])
      expect(await found('tags:z')).toEqual([])
      expect(await refuse(400, 'GET', `${place}/spaces?customField=nothing:x`)).toContain('"nothing"')
      for (const wrong of ['rank:two', 'rank:', 'rank'])
        expect(await refuse(400, 'GET', `${place}/spaces?customField=${wrong}`)).toContain('number')
    })
  })

  test('go along with a copy of the space', async () => {
    const space = await newSpace()
    await set(space, { owner: { value: 'Ann' }, tags: { value: ['a', 'b'] } })
    const copy = await make('POST', `/spaces/${space}/duplicate`)
    expect(copy.customFields).toEqual({ owner: 'Ann', tags: ['a', 'b'] })
  })

  test('go along to another organization where it asks for the same', async () => {
    const there = await newOrganization()
    for (const field of [
      { name: 'owner', type: 'text' },
      { name: 'rank', type: 'text' },
      { name: 'stage', type: 'select:single', options: ['done', 'over'] },
      { name: 'for-whom', type: 'select:multi', options: ['staff'] },
    ])
      await make('POST', `${there}/custom-fields`, field)
    const space = await newSpace()
    await set(space, {
      owner: { value: 'Ann' },
      rank: { value: 1 },
      stage: { value: 'done' },
      'for-whom': { value: ['staff', 'partners'] },
      tags: { value: ['a'] },
    })
    const moved = await make('POST', `/spaces/${space}/transfer`, { organization: there.split('/')[2] })
    expect(moved.customFields).toEqual({ owner: 'Ann', stage: 'done' })
    expect(await listBroken(door.services.database.read)).toEqual([])
  })

  test('end with the space or the field they are set in, whichever goes meanwhile', async () => {
    const place = await newOrganization()
    await make('POST', `${place}/custom-fields`, { name: 'x', type: 'text' })
    const space = await newSpace(place)
    const values = { x: { value: 'a' } }
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => door.ask(admin, 'PATCH', `/spaces/${space}/custom-fields`, { values })),
      door.ask(admin, 'DELETE', `${place}/custom-fields/x`),
    ])
    for (const { status } of answers.slice(0, 3)) expect([204, 404]).toContain(status)
    expect(answers[3]!.status).toBe(204)
    expect(await make('GET', `/spaces/${space}`)).not.toHaveProperty('customFields')
    expect(await listBroken(door.services.database.read)).toEqual([])
  })
})
