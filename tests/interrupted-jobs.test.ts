/** Interrupted jobs: servers are killed in the middle of calls to other services; acknowledged calls are not repeated, and every job completes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, require2xx, startServer } from '../dev/server-process.js'
import { acrossOrganizations } from '../src/store/db/cross-tenant.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { openDatabase } from '../src/store/db/open.js'
import { type RequestListener, type WebServer, serveWeb } from './web-server.js'
import { specText } from './openapi-specs.js'
import { answerLines, readTranslatorRequest, translateToCapitals } from './translations.js'

const passages = 200
/** Three requests are sent at a time, of thirty passages each. */
const answeredBefore = 2

let folder: string
let web: WebServer
let database: Database
let server: ServerProcess
let organization: string
let serving: Record<string, RequestListener>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-interrupted-'))
  serving = {}
  web = await serveWeb((request, response) => serving[request.url!]!(request, response))
  await start()
  database = await openDatabase({ dataFolder: folder })
  const { items } = await ask('GET', '/orgs')
  organization = items[0].id
})

afterEach(async () => {
  expect(await listViolations(database.read)).toEqual([])
})

afterAll(async () => {
  await server.stop()
  await database.close()
  await web.close()
  await rm(folder, { recursive: true })
})

async function start(): Promise<void> {
  server = await startServer({ data: folder, environment: { OCTAVO_FETCH_NETWORKS: '127.0.0.1' } })
}

/** Starts another server after the leases of the killed one have expired. */
async function startLater(): Promise<void> {
  await database.write((tx) =>
    tx.updateTable('jobs').set({ due_at: 0 }).where('claim', 'is not', null).execute(),
  )
  await start()
}

const ask = (method: string, path: string, body?: unknown) =>
  require2xx<any>(server.request(method, path, body))

async function until<Value>(read: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  let value = await read()
  await expect.poll(async () => isSo((value = await read()))).toBe(true)
  return value
}

const acrossAll = () => acrossOrganizations(database.read, 'a test looks at all')

/** A promise with its resolver. */
function deferred(): { reached: Promise<void>; resolve: () => void } {
  let markDone = () => {}
  const reached = new Promise<void>((resolve) => (markDone = resolve))
  return { reached, resolve: markDone }
}

test('a translation continues where it was, and writes its space once', async () => {
  const requests: string[][] = []
  const { reached, resolve } = deferred()
  let isPaused = true
  serving['/v1/chat/completions'] = async (request, response) => {
    const { lines } = await readTranslatorRequest(request)
    requests.push(lines.map(({ text }) => text))
    // Further requests get no response.
    if (isPaused && requests.length > answeredBefore)
      return void (requests.length > answeredBefore + 2 && resolve())
    answerLines(
      response,
      lines.map(({ id, text }) => ({ id, text: translateToCapitals(text) })),
    )
  }
  await ask('PUT', `/orgs/${organization}/translator`, { endpoint: `${web.url}/v1`, model: 'm' })
  const { id: settings } = await ask('POST', `/orgs/${organization}/translations`, {
    title: 'T',
    languages: ['fr'],
  })
  const { id: source } = await ask('POST', `/orgs/${organization}/spaces`, {
    title: 'Source',
    empty: true,
    editMode: 'live',
  })
  const words = Array.from({ length: passages }, (_, at) => `Passage ${'abcdefghij'[at % 10]} number ${at}.`)
  const markdown = `# Long\n\n${words.join('\n\n')}\n`
  const changes = [{ operation: 'insert_page', title: 'Long', slug: 'long', document: { markdown } }]
  await ask('POST', `/spaces/${source}/content`, { changes })
  const { space } = await ask('POST', `/orgs/${organization}/translations/${settings}/spaces`, {
    source,
    language: 'fr',
  })
  await reached
  const stored = answeredBefore * 30
  const { length } = await until(
    () => acrossAll().selectFrom('translation_memory').select('hash').execute(),
    (rows) => rows.length >= stored,
  )
  expect(length).toBe(stored)
  await server.kill()

  isPaused = false
  const before = requests.splice(0).flat()
  await startLater()
  expect(await ask('GET', `/spaces/${space}/translation`)).toMatchObject({ status: 'running' })
  const translation = await until(
    () => ask('GET', `/spaces/${space}/translation`),
    ({ status }) => status !== 'running',
  )
  expect(translation).toMatchObject({ status: 'completed', missing: 0, failed: 0 })
  const after = new Set(requests.flat())
  expect(before.length).toBeGreaterThan(stored)
  expect(before.filter((text) => !after.has(text))).toHaveLength(stored)
  const page = await ask('GET', `/spaces/${space}/content/path/long?format=markdown`)
  expect(page.markdown).toContain(words.at(-1)!.toUpperCase())
  expect(page.markdown).not.toContain('Passage')
  const { items } = await ask('GET', `/spaces/${space}/revisions?limit=100`)
  expect(items.filter(({ type }: { type: string }) => type === 'computed')).toHaveLength(1)
})

test('an event that was sent but not recorded is sent once more, with the same id', async () => {
  const { reached, resolve } = deferred()
  const taken: unknown[] = []
  let isPaused = true
  serving['/events'] = (request, response) => {
    taken.push(request.headers['webhook-id'])
    if (isPaused) resolve()
    else response.end()
  }
  const { id } = await ask('POST', `/orgs/${organization}/webhooks`, {
    url: `${web.url}/events`,
    events: ['site_published'],
  })
  const at = `/orgs/${organization}/webhooks/${id}`
  const sent = [await ask('POST', `${at}/test`), await ask('POST', `${at}/test`)]
  await reached
  await server.kill()
  isPaused = false
  await startLater()
  const { items } = await until(
    () => ask('GET', `${at}/deliveries`),
    (list) => list.items.every(({ status }: { status: string }) => status !== 'waiting'),
  )
  expect(items).toMatchObject([
    { id: sent[1].id, status: 'delivered', attempts: [{ status: 200 }] },
    { id: sent[0].id, status: 'delivered', attempts: [{ status: 200 }] },
  ])
  expect(taken).toEqual([sent[0].event.id, sent[0].event.id, sent[1].event.id])
})

test('a specification that was being fetched becomes one version', async () => {
  const { reached, resolve } = deferred()
  let isPaused = true
  serving['/pets.json'] = (_, response) => void (isPaused ? resolve() : response.end(specText('Pets')))
  const at = `/orgs/${organization}/openapi/pets`
  await ask('PUT', at, { source: { url: `${web.url}/pets.json` } })
  await reached
  await server.kill()
  isPaused = false
  await startLater()
  const spec = await until(
    () => ask('GET', at),
    ({ processingState }) => processingState === 'complete',
  )
  expect(spec.processingErrorCode).toBeUndefined()
  expect((await ask('GET', `${at}/versions`)).items).toHaveLength(1)
})
