import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { readUpload } from './upload.js'

const server = Fastify()
await server.register(multipart)
server.setErrorHandler((error, _request, reply) =>
  error instanceof ApiError ? reply.code(error.status).send(error.message) : reply.code(500).send('failed'),
)
server.route({
  method: 'POST',
  url: '/',
  handler: async (request) => {
    const { name, stream } = await readUpload(request, 10)
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return { name, text: Buffer.concat(chunks).toString() }
  },
})
afterAll(() => server.close())

const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

async function send(payload: string, boundary = '; boundary=x') {
  const headers = { 'content-type': `multipart/form-data${boundary}` }
  return server.inject({ method: 'POST', url: '/', headers, payload })
}

describe('a form', () => {
  test('returns its file', async () => {
    expect((await send(`${head}hello\r\n--x--\r\n`)).json()).toEqual({ name: 'a.txt', text: 'hello' })
  })

  test('with a file of exactly the limit is accepted, with a larger one refused', async () => {
    const ofSize = (size: number) => send(`${head}${'a'.repeat(size)}\r\n--x--\r\n`)
    expect((await ofSize(10)).json().text).toBe('a'.repeat(10))
    expect((await ofSize(11)).statusCode).toBe(413)
  })

  test('that announces more than its fields and file may have is refused without reading', async () => {
    const most = 10 + limits.formFields * (limits.formFieldBytes + 1_000) + 10_000
    const file = `${head}hello\r\n--x--\r\n`
    // Bytes after the end of a form are ignored, so that only the announced length differs.
    const announcing = (size: number) => send(file.padEnd(size, '-'))
    expect((await announcing(most)).json().text).toBe('hello')
    expect((await announcing(most + 1)).statusCode).toBe(413)
  })

  test.each([
    ['without an end', `${head}hel`, '; boundary=x', 'cannot be read'],
    ['that ends in the head of a part', '--x\r\n\r\n', '; boundary=x', 'cannot be read'],
    ['without a boundary', `${head}hello\r\n--x--\r\n`, '', 'cannot be read'],
    ['without a file', '--x--\r\n', '; boundary=x', 'has no file'],
  ])('%s is refused with a sentence', async (_, payload, boundary, sentence) => {
    const answer = await send(payload, boundary)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(`The form ${sentence}`)
  })

  test.each([
    ['', 71],
    ['"', 71],
    ['', 5_000],
  ])('with a boundary of more than 70 characters is refused: %s%i', async (quote, length) => {
    const boundary = 'b'.repeat(length)
    const answer = await send(`--${boundary}--\r\n`, `; boundary=${quote}${boundary}${quote}`)
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      expect.stringContaining('The boundary of the form is longer than 70 characters.'),
    ])
  })

  test('with the longest boundary is read', async () => {
    const boundary = 'b'.repeat(70)
    const file = `${head}hello\r\n--x--\r\n`.replaceAll('--x', `--${boundary}`)
    expect((await send(file, `; boundary="${boundary}"`)).json().text).toBe('hello')
  })
})
