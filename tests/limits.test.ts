/**
 * Request limits: oversized requests are refused by a real server in a separate process, with the right status, in the
 * shape of every error, and without the memory that reading them would take.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type ClientRequest, request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import { limits } from '../src/contract/limits.js'

const token = `oct_${'a'.repeat(40)}`
const megabyte = 1_000_000

let folder: string
let server: ChildProcess
let base: URL
let space: string
let organization: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-limits-'))
  const entry = fileURLToPath(new URL('./limits-server.ts', import.meta.url))
  server = spawn(process.execPath, ['--import', 'tsx', entry, folder, token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  base = await new Promise<URL>((resolve, reject) => {
    let output = ''
    server.stdout!.on('data', (chunk) => {
      output += String(chunk)
      const ready = /octavo ready (\S+)/.exec(output)
      if (ready) resolve(new URL(ready[1]!))
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  const { items } = JSON.parse((await send('GET', '/v1/orgs')).text)
  organization = items[0].id
  const made = await sendJson('POST', `/v1/orgs/${organization}/spaces`, { title: 'Small', editMode: 'live' })
  space = JSON.parse(made.text).id
})

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly text: string
}

function send(
  method: string,
  path: string,
  {
    headers = {},
    body,
  }: { headers?: Record<string, string>; body?: string | Uint8Array | Iterable<string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answered = false
    const request = ask(
      base,
      { method, path, headers: { authorization: `Bearer ${token}`, ...headers } },
      (answer) => {
        answered = true
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode!, text }))
        answer.on('error', reject)
      },
    )
    // The server may close before everything is sent; its response counts.
    request.on('error', (error) => setTimeout(() => !answered && reject(error), 500))
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) request.end(body)
    else void sendSlowly(request, body, () => answered)
  })
}

/** Sends chunk after chunk until there is a response. */
async function sendSlowly(
  request: ClientRequest,
  pieces: Iterable<string>,
  isAnswered: () => boolean,
): Promise<void> {
  let sent = 0
  for (const piece of pieces) {
    if (isAnswered() || request.destroyed) return
    if (!request.write(piece)) {
      await new Promise((resolve) => request.once('drain', resolve).once('close', resolve))
    }
    // What is refused for its first words is refused before there are many.
    await pause(++sent <= 40 ? 10 : 0)
  }
  request.end()
}

const json = { 'content-type': 'application/json' }
const sendJson = (method: string, path: string, body: unknown) =>
  send(method, path, { headers: json, body: JSON.stringify(body) })

/** Peak memory of the server, in bytes. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024
}

/** Parts of a form without end, as fast as they are taken. */
function* parts(bytes: number, value: string): Generator<string> {
  for (let sent = 0, at = 0; sent < bytes; at++) {
    const part = `--x\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\n${value}\r\n`
    sent += part.length
    yield part
  }
  yield '--x--\r\n'
}

const form = { 'content-type': 'multipart/form-data; boundary=x' }
const xml = (inner: string) => Buffer.from(`<a xmlns="b">${inner}</a>`).toString('base64')
const saml = (inner: string) => `SAMLResponse=${encodeURIComponent(xml(inner))}`
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const zip = (files: Record<string, Uint8Array>) => Buffer.from(zipSync(files, { level: 1 }))

interface Oversized {
  readonly what: string
  readonly statuses: readonly number[]
  send(): Promise<Answer>
}

const content = () => `/v1/spaces/${space}/content`
const oversized: readonly Oversized[] = [
  {
    what: 'lists of lists, ten megabytes of them',
    statuses: [400],
    send: () => send('POST', content(), { headers: json, body: `[${'[],'.repeat(3_300_000)}[]]` }),
  },
  {
    what: 'a list of numbers',
    statuses: [400],
    send: () => send('POST', content(), { headers: json, body: `{"changes":[${'1,'.repeat(4_900_000)}1]}` }),
  },
  {
    what: 'members without number',
    statuses: [400],
    send: () =>
      send('POST', content(), {
        headers: json,
        body: `{${Array.from({ length: 600_000 }, (_, at) => `"m${at}":1`).join(',')}}`,
      }),
  },
  {
    what: 'objects in one another',
    statuses: [400],
    send: () => send('POST', content(), { headers: json, body: '{"a":'.repeat(1_900_000) }),
  },
  {
    what: 'a body of 30 MB',
    statuses: [413],
    send: () =>
      send('POST', content(), {
        headers: { ...json, 'content-length': String(30 * megabyte) },
        body: Array.from({ length: 30 }, () => 'x'.repeat(megabyte)),
      }),
  },
  {
    what: 'small fields of a form, 200 MB of them',
    statuses: [413],
    send: () =>
      send('POST', `${content()}/files`, { headers: form, body: parts(200 * megabyte, 'v'.repeat(1_000)) }),
  },
  {
    what: 'large fields of a form, 200 MB of them',
    statuses: [413],
    send: () =>
      send('POST', `${content()}/files`, {
        headers: form,
        body: parts(200 * megabyte, 'v'.repeat(megabyte)),
      }),
  },
  {
    what: 'a file that is announced too large',
    statuses: [413],
    send: () =>
      send('POST', `${content()}/files`, {
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(limits.fileBytes + 300_000_000),
        },
        body: ['x'],
      }),
  },
  { what: 'a long address', statuses: [414], send: () => send('GET', `/v1/user?x=${'a'.repeat(9_000)}`) },
  {
    what: 'a long part of an address',
    statuses: [400, 414],
    send: () => send('GET', `/v1/spaces/${'a'.repeat(3_000)}`),
  },
  {
    what: 'many members of a query',
    statuses: [400],
    send: () => send('GET', `/v1/user?${'a=&'.repeat(500)}`),
  },
  {
    what: 'large headers',
    statuses: [431],
    send: () => send('GET', '/v1/user', { headers: { 'x-large': 'a'.repeat(20_000) } }),
  },
  {
    what: 'large cookies',
    statuses: [431],
    send: () => send('GET', '/', { headers: { cookie: 'a=b; '.repeat(5_000) } }),
  },
  {
    what: 'a form of signing in',
    statuses: [413],
    send: () => send('POST', '/~octavo/sign-in', { headers: formType, body: `email=${'a'.repeat(100_000)}` }),
  },
  {
    what: 'deep XML at the api of single sign-on',
    statuses: [401, 404],
    send: () =>
      send('POST', '/~octavo/saml/none/acs', { headers: formType, body: saml('<a>'.repeat(50_000)) }),
  },
  {
    what: 'an e-mail address of 400 characters',
    statuses: [400],
    send: () =>
      sendJson('POST', `/v1/orgs/${organization}/invites`, { emails: [`a@${'b.'.repeat(200)}test`] }),
  },
  {
    what: 'a path of 100 folders in an archive',
    statuses: [400],
    send: () =>
      send('POST', `${content()}/archive`, {
        headers: { 'content-type': 'application/zip' },
        body: zip({ 'README.md': strToU8('# A\n'), [`${'a/'.repeat(100)}b.md`]: strToU8('# B\n') }),
      }),
  },
  {
    what: 'a table of contents of 5 MB',
    statuses: [413],
    send: () =>
      send('POST', `${content()}/archive`, {
        headers: { 'content-type': 'application/zip' },
        body: zip({
          'README.md': strToU8('# A\n'),
          'SUMMARY.md': strToU8('* [A](README.md)\n'.repeat(300_000)),
        }),
      }),
  },
  {
    what: 'an entry of an archive with much to say',
    statuses: [413],
    send: () =>
      send('POST', `${content()}/archive`, {
        headers: { 'content-type': 'application/zip' },
        body: Buffer.from(zipSync({ 'README.md': [strToU8('# A\n'), { comment: 'x'.repeat(5_000) }] })),
      }),
  },
  {
    what: 'an archive that unpacks to a thousand times its size',
    statuses: [413],
    send: () =>
      send('POST', `${content()}/archive`, {
        headers: { 'content-type': 'application/zip' },
        body: Buffer.from(zipSync({ 'a.bin': new Uint8Array(60 * megabyte) }, { level: 9 })),
      }),
  },
]

/** A valid body of the largest size is in memory several times: as bytes, as text, and as values. */
const allowedGrowth = 150 * megabyte

describe('what is too large', () => {
  test('is refused by its status, before it takes memory', async () => {
    // An honest upload first, so that what is loaded when needed is there.
    const honest = await send('POST', `${content()}/files`, {
      headers: form,
      body: [
        '--x\r\ncontent-disposition: form-data; name="note"\r\n\r\nkept\r\n',
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbytes\r\n--x--\r\n',
      ],
    })
    expect(honest.status, honest.text).toBe(201)
    for (const { what, statuses, send: sendIt } of oversized) {
      const before = await peakMemory()
      const { status, text } = await sendIt().catch((error: unknown) => ({ status: 0, text: String(error) }))
      expect(statuses, `${what}: ${status} ${text.slice(0, 300)}`).toContain(status)
      if (text.startsWith('{')) {
        const { error } = JSON.parse(text)
        expect([error.code, typeof error.message], what).toEqual([status, 'string'])
      }
      const growth = (await peakMemory()) - before
      expect(growth, `${what} took ${Math.round(growth / megabyte)} MB`).toBeLessThan(allowedGrowth)
    }
    expect((await send('GET', '/v1/user')).status).toBe(200)
  })
})

test('every part of a request has a limit in the contract', () => {
  const endless: string[] = []
  const walk = (shape: any, path: string): void => {
    if (shape === null || typeof shape !== 'object') return
    const types = new Set([shape.type].flat())
    if (types.has('array') && shape.maxItems === undefined) endless.push(`${path} is a list`)
    if (types.has('object') && shape.patternProperties && shape.maxProperties === undefined)
      endless.push(`${path} is a map`)
    const isOpen = !shape.enum && !shape.pattern && !shape.format && shape.maxLength === undefined
    if (types.has('string') && isOpen && shape.const === undefined) endless.push(`${path} is a text`)
    for (const members of [shape.properties, shape.patternProperties]) {
      for (const name in members ?? {}) walk(members[name], `${path}.${name}`)
    }
    for (const one of [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])])
      walk(one, path)
    walk(shape.items, `${path}[]`)
  }
  for (const { endpoint } of routes) {
    walk(endpoint.body, `${endpoint.operationId} body`)
    walk(endpoint.query, `${endpoint.operationId} query`)
  }
  expect(endless).toEqual([])
})

test('docs/api/limits.md lists every limit', () => {
  const page = readFileSync(new URL('../docs/api/limits.md', import.meta.url), 'utf8')
  const documented = new Map(
    [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name, value]) => [name, value]),
  )
  const wanted = Object.entries(limits).map(([name, value]) => [name, value.toLocaleString('en')])
  expect([...documented]).toEqual(wanted)
})
