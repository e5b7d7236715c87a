/** Behaviour of mounted operations: readable validation errors, replies limited to their schema, `Location`. */
import Type from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { endpoint } from '../../contract/endpoint.js'
import { route } from './route.js'
import { withParam, signedIn } from './scope.js'

const createBox = endpoint('createBox', 'POST', '/boxes/:shelf', {
  summary: 'Create a box',
  description: 'Makes a box.',
  tag: 'Spaces',
  query: Type.Object({ many: Type.Optional(Type.Integer()), of: Type.Optional(Type.Array(Type.String())) }),
  body: Type.Object({
    title: Type.String({ minLength: 2, maxLength: 4 }),
    size: Type.Optional(Type.Unsafe<'s' | 'm'>({ type: 'string', enum: ['s', 'm'] })),
    mail: Type.Optional(Type.String({ format: 'email' })),
    slug: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
    parts: Type.Optional(Type.Array(Type.Object({ id: Type.String() }), { maxItems: 2 })),
  }),
  reply: Type.Object({ id: Type.String(), title: Type.String(), query: Type.Unknown() }),
  success: 201,
  location: '/boxes/:shelf/parts/:id',
})

const renameBox = endpoint('renameBox', 'POST', '/boxes/:shelf/name', {
  summary: 'Rename a box',
  description: 'Names a box.',
  tag: 'Spaces',
  preferences: ['wait'],
  body: Type.Object({ title: Type.Optional(Type.String()) }),
  bodyRequired: false,
  reply: Type.Object({ title: Type.Optional(Type.String()) }),
})

describeEngines('a mounted operation', ({ open }) => {
  let api: TestClient
  let ann: Person

  beforeAll(async () => {
    const makes = route(createBox, {
      at: withParam(signedIn, 'shelf'),
      allow: 'ask',
      handle: async ({ body, query }) => {
        const reply = { id: 'a b', title: body.title, query, secret: 'of the row' }
        return reply
      },
    })
    const names = route(renameBox, {
      at: withParam(signedIn, 'shelf'),
      allow: 'ask',
      handle: async ({ body }) => ({ ...body }),
    })
    api = await openTestClient(await open(), [makes, names])
    ann = await api.person('ann')
  })

  test('replies with the members of its schema, and with `Location`', async () => {
    const made = await api.request(ann, 'POST', '/boxes/top?many=3&of=x', { title: 'Abc', other: 1 })
    expect([made.status, made.body]).toEqual([
      201,
      { id: 'a b', title: 'Abc', query: { many: 3, of: ['x'] } },
    ])
    expect(made.headers['location']).toBe('http://octavo.test/v1/boxes/top/parts/a%20b')
  })

  test('refuses a form, because its parts would be ignored', async () => {
    const send = (type: string, payload: string) =>
      api.server.inject({
        method: 'POST',
        url: '/v1/boxes/top/name',
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': type },
        payload,
      })
    expect((await send('application/json', '{"title":"Abc"}')).json()).toEqual({ title: 'Abc' })
    const part = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nAbc\r\n--x--\r\n'
    const refused = await send('multipart/form-data; boundary=x', part)
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      415,
      expect.stringContaining('application/json'),
    ])
  })

  const send = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: string) =>
    api.server.inject({
      method,
      url: `/v1${url}`,
      headers: { authorization: `Bearer ${ann.token}`, ...headers },
      ...(payload !== undefined && { payload }),
    })

  test.each([
    ['text/plain', '{"title":"Abc"}'],
    ['application/xml', '<title/>'],
    ['application/json-patch+json', '[]'],
    // Refused for its type, before it is parsed.
    ['multipart/form-data; boundary=x', '{'],
  ])('refuses a body of the type %s, and names what is accepted', async (type, payload) => {
    const { statusCode, body } = await send('POST', '/boxes/top', { 'content-type': type }, payload)
    expect([statusCode, body]).toEqual([
      415,
      expect.stringContaining(`is not accepted here; allowed: application/json.`),
    ])
  })

  test('takes no null for a body, and no body where it is optional', async () => {
    const json = { 'content-type': 'application/json' }
    for (const path of ['/boxes/top', '/boxes/top/name']) {
      const refused = await send('POST', path, json, 'null')
      expect([refused.statusCode, refused.json().error.message]).toEqual([400, 'The body must be object.'])
    }
    expect((await send('POST', '/boxes/top', json, '')).statusCode).toBe(400)
    for (const payload of ['', '{}'])
      expect((await send('POST', '/boxes/top/name', json, payload)).body).toBe('{}')
    expect((await send('POST', '/boxes/top/name', {})).body).toBe('{}')
  })

  test('says which preference it applied', async () => {
    const name = (prefer: string) => send('POST', '/boxes/top/name', { prefer })
    expect((await name('wait=3, handling=lenient')).headers['preference-applied']).toBe('wait=3')
    expect((await name('handling=lenient')).headers['preference-applied']).toBeUndefined()
    const refused = await name('wait=soon')
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      400,
      expect.stringContaining('"Prefer"'),
    ])
    // An operation ignores preferences that it does not declare.
    const json = { 'content-type': 'application/json', prefer: 'wait=soon' }
    const other = await send('POST', '/boxes/top', json, '{"title":"Abc"}')
    expect([other.statusCode, other.headers['preference-applied']]).toEqual([201, undefined])
  })

  describe('names what is wrong and what is allowed', () => {
    test.each<[body: object, path: string, message: string]>([
      [{}, 'body.title', 'is missing'],
      [{ title: 7 }, 'body.title', 'must be string'],
      [{ title: 'a' }, 'body.title', 'must have at least 2 characters'],
      [{ title: 'abcde' }, 'body.title', 'must have at most 4 characters'],
      [{ title: 'ab', size: 'l' }, 'body.size', 'must be one of "s", "m"'],
      [{ title: 'ab', mail: 'not-mail' }, 'body.mail', 'must be a valid email'],
      [{ title: 'ab', slug: 'A' }, 'body.slug', 'must match ^[a-z]+$'],
      [{ title: 'ab', parts: [{ id: 'x' }, {}] }, 'body.parts[1].id', 'is missing'],
      [{ title: 'ab', parts: [{}, {}, {}] }, 'body.parts', 'must NOT have more than 2 items'],
    ])('%j', async (body, path, message) => {
      const { status, body: answer } = await api.request(ann, 'POST', '/boxes/top', body)
      expect([status, answer.error]).toEqual([
        400,
        { code: 400, message: `The member "${path}" ${message}.`, details: [{ path, message }] },
      ])
    })

    test('in the query and in the body as a whole', async () => {
      const query = await api.request(ann, 'POST', '/boxes/top?many=few', { title: 'ab' })
      expect(query.body.error.message).toBe('The member "query.many" must be integer.')
      const whole = await api.request(ann, 'POST', '/boxes/top', ['ab'])
      expect(whole.body.error.message).toBe('The body must be object.')
    })
  })
})
