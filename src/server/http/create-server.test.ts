import { Agent, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpServer } from './create-server.js'

const server = createHttpServer({ logLevel: 'silent' })
server.get('/things/:id', () => ({ found: true }))
server.post('/things', () => ({ found: true }))
let url: URL
beforeAll(async () => void (url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))))
afterAll(() => server.close())

describe('an invalid URL', () => {
  test.each([
    ['/%', 'The address is not percent-encoded UTF-8.'],
    ['/things/%ff', 'The address is not percent-encoded UTF-8.'],
    ['/things/%00', 'The address holds %00.'],
    ['/elsewhere?a=%00', 'The address holds %00.'],
    [`/things/${'a'.repeat(2049)}`, 'A part of the address is longer than 2048 bytes.'],
  ])('%.20s is refused in the shape of every error', async (url, message) => {
    const answer = await server.inject({ url })
    expect(answer.json()).toEqual({ error: { code: 400, message } })
    expect(answer.statusCode).toBe(400)
  })

  test('any other URL is answered', async () => {
    expect((await server.inject({ url: `/things/${'a'.repeat(2048)}` })).json()).toEqual({ found: true })
  })
})

describe('requests that Node or the parser would refuse by itself', () => {
  const terms = 'Connection: close\r\n'
  const host = `Host: octavo.test\r\n${terms}`
  const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  const broken = 'The request is no HTTP that can be read.'
  const largeHeaders = 'The headers are larger than the allowed 16384 bytes together, cookies among them.'

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, broken],
    ['an unknown method', `FLY / HTTP/1.1\r\n${host}\r\n`, 400, broken],
    [
      'a method that nothing answers',
      `TRACE /things/1 HTTP/1.1\r\n${host}\r\n`,
      404,
      'There is no operation TRACE /things/1.',
    ],
    [
      'the wrong method',
      `DELETE /things/1 HTTP/1.1\r\n${host}\r\n`,
      404,
      'There is no operation DELETE /things/1.',
    ],
    [
      'a tunnel',
      `CONNECT elsewhere:443 HTTP/1.1\r\n${host}\r\n`,
      404,
      'There is no operation CONNECT elsewhere:443.',
    ],
    ['another version of HTTP', `GET /things/1 HTTP/3.7\r\n${host}\r\n`, 400, broken],
    ['no host', `GET /things/1 HTTP/1.1\r\n${terms}\r\n`, 400, 'The header "Host" is missing.'],
    [
      'two hosts',
      `GET /things/1 HTTP/1.1\r\nHost: one.test\r\nhost: two.test\r\n${terms}\r\n`,
      400,
      'The header "Host" is sent more than once.',
    ],
    ['an address of asterisk', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 404, 'There is no operation OPTIONS *.'],
    [
      'a long address',
      `GET /${'a'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`,
      414,
      'The address is longer than the allowed 8000 characters: send less in its query.',
    ],
    ['an endless address', `GET /${'a'.repeat(90_000)} HTTP/1.1\r\n${host}\r\n`, 431, largeHeaders],
    ['large headers', `GET /things/1 HTTP/1.1\r\nX: ${'a'.repeat(90_000)}\r\n${host}\r\n`, 431, largeHeaders],
    [
      'an expectation',
      `POST /things HTTP/1.1\r\n${host}Expect: a-pony\r\n${body}`,
      417,
      'The header "Expect" names "a-pony"; only "100-continue" is known here.',
    ],
    [
      'a compressed body',
      `POST /things HTTP/1.1\r\n${host}Content-Encoding: gzip\r\n${body}`,
      415,
      'The content encoding "gzip" is not read here: send the body as it is.',
    ],
    [
      'a transfer of another coding',
      `POST /things HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`,
      400,
      broken,
    ],
    ['two lengths', `POST /things HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n${body}`, 400, broken],
    [
      'a broken chunk',
      `POST /things HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n\r\n`,
      400,
      broken,
    ],
    ['a length that is none', `POST /things HTTP/1.1\r\n${host}Content-Length: -2\r\n\r\n{}`, 400, broken],
  ])('%s is refused in the shape of every error', async (_title, request, status, message) => {
    const answer = await exchange(request)
    expect(answer).toEqual({
      status,
      type: 'application/json; charset=utf-8',
      body: { error: { code: status, message } },
    })
  })

  test.each([
    ['what HTTP/1.0 asks without a host', 'GET /things/1 HTTP/1.0\r\n\r\n'],
    [
      'a body that says that it is not compressed',
      `POST /things HTTP/1.1\r\n${host}Content-Encoding: identity\r\n${body}`,
    ],
    ['a whole address', `GET http://octavo.test/things/1 HTTP/1.1\r\n${host}\r\n`],
    [
      'an upgrade that is not taken',
      `GET /things/1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    ],
  ])('%s is answered', async (_title, request) => {
    expect((await exchange(request)).body).toEqual({ found: true })
  })
})

describe('a server that stops', () => {
  test('answers requests on an open connection like any other, and ends the connection', async () => {
    const stopping = createHttpServer({ logLevel: 'silent' })
    let closed: Promise<unknown> | undefined
    const second = new Promise<void>((arrived) => {
      stopping.server.on('request', ({ url }) => url === '/nowhere' && arrived())
    })
    const hasBegun = new Promise<void>((begun) => stopping.addHook('preClose', async () => begun()))
    stopping.get('/stop', async () => {
      closed = stopping.close()
      await second
      return { stopping: true }
    })
    const address = new URL(await stopping.listen({ host: '127.0.0.1', port: 0 }))
    const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: octavo.test\r\n\r\n`
    const text = await send(
      address,
      ask('/stop'),
      hasBegun.then(() => ask('/nowhere')),
    )
    expect(text).toContain('{"stopping":true}')
    expect(text).toContain('{"error":{"code":404,"message":"There is no operation GET /nowhere."}}')
    await closed
  })
})

test('a server that stops closes the keep-alive connection of a client that it still answers', async () => {
  const stopping = createHttpServer({ logLevel: 'silent' })
  let [reach, release] = [() => {}, () => {}]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  stopping.get('/slow', async () => {
    reach()
    await released
    return { found: true }
  })
  await stopping.listen({ host: '127.0.0.1', port: 0 })
  // Kept alive for ever, so that only the stop can end it.
  stopping.server.keepAliveTimeout = 0
  const agent = new Agent({ keepAlive: true })
  const { port } = stopping.server.address() as AddressInfo
  const answered = new Promise<void>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/slow', agent }, (answer) => {
      answer.resume().on('end', () => resolve())
    }).on('error', reject)
  })
  await reached
  const closed = stopping.close()
  // It has begun to stop once it accepts no other connection.
  await expect.poll(() => stopping.server.listening).toBe(false)
  release()
  await answered
  await closed
  agent.destroy()
})

test('a server that stops does not wait for connections without a request', async () => {
  const stopping = createHttpServer({ logLevel: 'silent' })
  await stopping.listen({ host: '127.0.0.1', port: 0 })
  // Without a timeout, so that only the stop can end it.
  Object.assign(stopping.server, { headersTimeout: 0, requestTimeout: 0 })
  const accepted = new Promise((resolve) => stopping.server.once('connection', resolve))
  const { port } = stopping.server.address() as AddressInfo
  const silent = connect(port, '127.0.0.1')
  await accepted
  const ended = new Promise<void>((resolve) => silent.once('close', () => resolve()))
  silent.resume().on('error', () => {})
  await stopping.close()
  await ended
})

async function exchange(request: string) {
  const [head = '', text = ''] = (await send(url, request)).split('\r\n\r\n')
  return {
    status: Number(head.split(' ')[1]),
    type: /^content-type: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(text),
  }
}

/** Sends raw bytes, and returns all that is received until the server ends the connection. */
function send({ hostname, port }: URL, request: string, more?: Promise<string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    void more?.then((text) => socket.write(text))
    let answer = ''
    socket.on('data', (piece) => (answer += piece))
    socket.on('end', () => resolve(answer))
    // A server that has answered does not read the rest.
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
  })
}
