import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.js'
import { createInlineReader } from '../../store/reading/reader.js'
import { createHttpServer } from './create-server.js'

const server = createHttpServer({ logLevel: 'silent', parseLargeJson: createInlineReader().parseJson })
server.post('/echo', { bodyLimit: 2_000_000 }, async ({ body }) => ({ body }))

const send = (payload: string | Buffer) =>
  server.inject({ method: 'POST', url: '/echo', headers: { 'content-type': 'application/json' }, payload })
const padding = ' '.repeat(300_000)

test.each([
  ['small', ''],
  ['large', padding],
])('the errors of a %s body', async (_size, blanks) => {
  const messageOf = async (json: string) => {
    const { statusCode, body } = await send(blanks + json)
    return [statusCode, (JSON.parse(body) as { error?: { message: string } }).error?.message]
  }
  const invalid = [400, 'The body is not valid JSON: it cannot be parsed, or names a prototype.']
  for (const json of ['[1', '{"__proto__":1}', '{"constructor":{"prototype":1}}'])
    expect(await messageOf(json), json).toEqual(invalid)
  expect(await messageOf(`[${'1,'.repeat(limits.jsonValues)}1]`)).toEqual([
    400,
    'The body is refused before it is read: it holds more than 100000 values.',
  ])
  const deep = limits.jsonDepth + 1
  expect(await messageOf('['.repeat(deep) + ']'.repeat(deep))).toEqual([
    400,
    'The body is refused before it is read: it is nested deeper than 64 levels.',
  ])
  expect((await send(`${blanks}{"a":[1,"文"]}`)).json()).toEqual({ body: { a: [1, '文'] } })
  expect((await send(`\ufeff${blanks}[1]`)).json()).toEqual({ body: [1] })
})

test('a body may have bytes that are no UTF-8, and be empty', async () => {
  const broken = Buffer.concat([Buffer.from('["'), Buffer.alloc(300_000, 0x80), Buffer.from('"]')])
  expect((await send(broken)).json<{ body: string[] }>().body[0]).toMatch(/^\ufffd{300000}$/)
  expect((await send('')).json()).toEqual({})
})

test('a body beyond the limit is refused before it is parsed', async () => {
  const { statusCode, body } = await send('['.repeat(2_000_001))
  expect([statusCode, body]).toEqual([413, expect.stringContaining('larger than the allowed 2 MB')])
})
