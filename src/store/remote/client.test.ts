import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, createServer as listen } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRemote } from './create.js'
import { RemoteError } from './remote.js'

const limits = { maxBytes: 1_000_000, timeout: 5_000 }
const megabytes = 64

/** Responses of the server, by path; it records its requests. */
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/': (_, response) => response.end('secret'),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to-metadata': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/to-loopback': (_, response) => response.writeHead(301, { location: `http://127.0.0.2:${port}/` }).end(),
  '/to-file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-nonsense': (_, response) => response.writeHead(302, { location: 'http://[' }).end(),
  '/twice': (_, response) => response.writeHead(307, { location: 'once?b#c' }).end(),
  '/once?b': (_, response) => response.writeHead(308, { location: './gzip' }).end(),
  '/gzip': (_, response) =>
    response
      .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-8' })
      .end(gzipSync('packed')),
  '/brotli': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed')),
  '/twice-packed': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('packed'))),
  '/often-packed': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end('x'),
  '/unknown-packed': (_, response) => response.writeHead(200, { 'content-encoding': 'rot13' }).end('x'),
  '/no-gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
  '/bomb': (_, response) =>
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(megabytes << 20), { level: 9 })),
  '/announced': (_, response) => {
    response.writeHead(200, { 'content-length': '10000000000' })
    response.write('x')
  },
  '/endless': (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  },
  '/drip': (_, response) => {
    response.writeHead(200, {})
    const drop = setInterval(() => response.write('x'), 50)
    response.on('close', () => clearInterval(drop))
  },
  '/silent': () => {},
  '/short': (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('only this')
    setTimeout(() => response.destroy(), 50)
  },
  '/busy': (_, response) => response.writeHead(429, { 'retry-after': '7' }).end('later'),
  '/gone': (_, response) => response.writeHead(404).end('gone'),
}

let port = 0
const requested: string[] = []
const server = createServer((request, response) => {
  requested.push(request.url!)
  const answer = answers[request.url!]
  if (answer === undefined) response.writeHead(404).end()
  else answer(request, response)
})
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-remote-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await opened.close()
  await rm(folder, { recursive: true })
})

const closed = createRemote()
const opened = createRemote({ openNetworks: '127.0.0.1' })
const at = (path: string): string => `http://127.0.0.1:${port}${path}`
const textAt = async (path: string): Promise<string> =>
  Buffer.from((await opened.fetch(at(path), limits)).bytes).toString()

describe('a server on this machine', () => {
  test.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://127.1',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://0',
    'http://①②⑦.0.0.1',
  ])('%s is not reached', async (host) => {
    const before = requested.length
    await expect(closed.fetch(`${host}:${port}/`, limits)).rejects.toThrow('not on the public internet')
    expect(requested).toHaveLength(before)
  })

  test('is reachable when its network is allowed, and its neighbours are not', async () => {
    expect(await textAt('/')).toBe('secret')
    await expect(opened.fetch(`http://127.0.0.2:${port}/`, limits)).rejects.toThrow('not on the public')
  })
})

test.each(['file:///etc/passwd', 'ftp://example.com/x', 'http://user:secret@example.com/', 'nonsense'])(
  '%s is refused before anything is sent',
  async (address) => {
    await expect(closed.fetch(address, limits)).rejects.toThrow(RemoteError)
  },
)

describe('names', () => {
  test('that resolve to public and private addresses are rejected, in either order', async () => {
    for (const addresses of [
      [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
      [
        { address: '10.0.0.1', family: 4 },
        { address: '93.184.216.34', family: 4 },
      ],
    ]) {
      const remote = createRemote({ lookup: async () => addresses })
      await expect(remote.fetch('http://both.test/', limits)).rejects.toThrow('not on the public internet')
    }
  })

  test('that resolve differently the next time are checked by the connected address', async () => {
    const reported: string[] = []
    // Public the first time, private from then on: DNS rebinding.
    const lookup = async (host: string) => {
      reported.push(host)
      return [{ address: reported.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    const remote = createRemote({ openNetworks: '127.0.0.1', lookup })
    const { bytes } = await remote.fetch(`http://changing.test:${port}/`, limits)
    expect(Buffer.from(bytes).toString()).toBe('secret')
    // One lookup, one connection: the name is not resolved again after the check.
    expect(reported).toEqual(['changing.test'])
    await remote.close()
    const again = createRemote({ openNetworks: '127.0.0.1', lookup })
    await expect(again.fetch(`http://changing.test:${port}/`, limits)).rejects.toThrow('not on the public')
  })

  test('that do not exist are reported', async () => {
    const unknownHost = createRemote({ lookup: () => Promise.reject(new Error('ENOTFOUND')) })
    await expect(unknownHost.fetch('http://unknownHost.test/', limits)).rejects.toThrow('its host is unknown')
    const empty = createRemote({ lookup: async () => [] })
    await expect(empty.fetch('http://empty.test/', limits)).rejects.toThrow('its host is unknown')
  })
})

describe('redirects', () => {
  test('are followed, relative ones too, and the last address is returned', async () => {
    const file = await opened.fetch(at('/twice'), limits)
    expect(Buffer.from(file.bytes).toString()).toBe('packed')
    expect(file).toMatchObject({ url: at('/gzip'), contentType: 'text/html; charset=utf-8' })
  })

  test.each([
    ['/loop', 'redirects more than 5 times'],
    ['/to-metadata', 'not on the public internet'],
    ['/to-loopback', 'not on the public internet'],
    ['/to-file', 'only http and https'],
    ['/to-nonsense', 'only http and https'],
  ])('%s: %s', async (path, problem) => {
    await expect(opened.fetch(at(path), limits)).rejects.toThrow(problem)
  })

  test('are not followed where that is not wanted, but reported', async () => {
    const before = requested.length
    const failed = opened.fetch(at('/twice'), { ...limits, mayFollow: () => false })
    await expect(failed).rejects.toMatchObject({ status: 307, redirectsTo: at('/once?b#c') })
    expect(requested.slice(before)).toEqual(['/twice'])
  })
})

describe('bodies', () => {
  test.each(['/gzip', '/brotli', '/twice-packed'])('%s is unpacked', async (path) => {
    expect(await textAt(path)).toBe('packed')
  })

  test.each([
    ['/bomb', 'larger than 1 MB'],
    ['/announced', 'larger than 1 MB'],
    ['/endless', 'larger than 1 MB'],
    ['/no-gzip', 'it broke off'],
    ['/often-packed', 'encoded too often'],
    ['/unknown-packed', 'encoded in an unknown way'],
    ['/short', 'it broke off'],
    ['/gone', 'it answered 404'],
  ])('%s: %s', async (path, problem) => {
    await expect(opened.fetch(at(path), limits)).rejects.toThrow(problem)
  })

  test('that are rejected release their connection', async () => {
    const open = () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
    const before = await open()
    const remote = createRemote({ openNetworks: '127.0.0.1' })
    await expect(remote.fetch(at('/endless'), limits)).rejects.toThrow('larger than')
    for (let turn = 0; turn < 100 && (await open()) > before; turn += 1) await pause(20)
    expect(await open()).toBeLessThanOrEqual(before)
    await remote.close()
  })

  test('retry-after is returned in seconds', async () => {
    const remote = createRemote({ openNetworks: '127.0.0.1' })
    await expect(remote.fetch(at('/busy'), limits)).rejects.toMatchObject({ status: 429, retryAfter: 7 })
    await remote.close()
  })
})

describe('time', () => {
  const remote = createRemote({ openNetworks: '127.0.0.1' })
  afterAll(() => remote.close())

  test.each(['/drip', '/silent'])('%s ends at its deadline', async (path) => {
    await expect(remote.fetch(at(path), { ...limits, timeout: 200 })).rejects.toThrow(
      'it did not answer in time',
    )
  })

  test('has its own limit, besides the signal of the caller', async () => {
    const { signal } = new AbortController()
    const requested = remote.fetch(at('/silent'), { ...limits, timeout: 200, signal })
    await expect(requested).rejects.toMatchObject({ message: 'it did not answer in time', isLate: true })
  })

  test('a server that accepts and stays silent times out', async () => {
    const sockets: Socket[] = []
    const deaf = listen((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`
    await expect(remote.fetch(address, { ...limits, timeout: 200 })).rejects.toThrow('in time')
    for (const socket of sockets) socket.destroy()
    deaf.close()
  })

  test('aborting the signal ends it', async () => {
    const stopping = new AbortController()
    const fetching = remote.fetch(at('/drip'), { ...limits, signal: stopping.signal })
    setTimeout(() => stopping.abort(), 100)
    await expect(fetching).rejects.toThrow('it was not waited for')
  })
})

describe('downloads', () => {
  const remote = createRemote({ openNetworks: '127.0.0.1' })
  afterAll(() => remote.close())

  test('are written to their file', async () => {
    const path = join(folder, 'whole')
    expect(await remote.download(at('/gzip'), path, limits)).toMatchObject({ url: at('/gzip') })
    expect(await readFile(path, 'utf8')).toBe('packed')
    await rm(path)
  })

  test.each(['/bomb', '/short', '/drip'])('%s leaves nothing behind', async (path) => {
    const failed = remote.download(at(path), join(folder, 'part'), { ...limits, timeout: 500 })
    await expect(failed).rejects.toThrow(RemoteError)
    expect(await readdir(folder)).toEqual([])
  })
})
