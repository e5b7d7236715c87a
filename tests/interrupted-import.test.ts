/** Interrupted imports of the command line: `octavo import` of a website, killed and stopped in the middle. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heartbeatTimeout } from '../src/resources/imports/store.js'
import type { SpaceId } from '../src/core/ids.js'
import { acrossOrganizations } from '../src/store/db/cross-tenant.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { openDatabase } from '../src/store/db/open.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { type WebServer, serveWeb } from './web-server.js'
import { cleanEnvironment } from './server-program.js'

const program = fileURLToPath(new URL('../bin/octavo.js', import.meta.url))
const pausedPage = 40
const allPages = 60

let folder: string
let web: WebServer
let database: Database
let api: TestClient
let admin: Person
let space: SpaceId
/** Resolves when the page in the middle is requested, whose response waits until it is released. */
let pageRequested: Promise<void>
let pause: { tell: () => void; release: () => void; released: Promise<void> }

function pauseAgain(): void {
  let [tell, release] = [() => {}, () => {}]
  pageRequested = new Promise((resolve) => (tell = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  pause = { tell, release, released }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-interrupted-'))
  pauseAgain()
  web = await serveWeb(async (request, response) => {
    const number = /^\/long\/(\d*)/.exec(request.url!)?.[1]
    if (number === undefined) return void response.writeHead(404).end()
    if (Number(number) === pausedPage) {
      pause.tell()
      await pause.released
    }
    const next = Number(number) + 1
    const link = next < allPages ? `<a href="${next}.html">on</a>` : ''
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<main><h1>Page ${number || 0}</h1><p>Text ${number}</p>${link}</main>`)
  })
  database = await openDatabase({ dataFolder: folder })
  api = await openTestClient(database)
  admin = await api.person('admin')
  const organization = await api.organization(admin)
  space = (await api.request(admin, 'POST', `/orgs/${organization}/spaces`, { title: 'Space' })).body.id
})

afterAll(async () => {
  await database.close()
  await web.close()
  await rm(folder, { recursive: true })
})

function run(...flags: string[]): {
  child: ChildProcess
  ended: Promise<{ code: number | null; output: string }>
  output: () => string
} {
  const child = spawn(
    process.execPath,
    [program, 'import', `${web.url}/long/`, '--from', 'website', '--data', folder, ...flags],
    {
      env: { ...cleanEnvironment, OCTAVO_FETCH_NETWORKS: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  return { child, ended, output: () => output }
}

const pagesOf = async (): Promise<unknown[]> =>
  (await api.request(admin, 'GET', `/spaces/${space}/content/pages`)).body.pages
const everywhere = () => acrossOrganizations(database.read, 'a test looks at all')

test('a killed import leaves the space unchanged, and is resumed', async () => {
  const before = await pagesOf()
  const killed = run('--space', space)
  await Promise.race([
    pageRequested,
    killed.ended.then(({ output }) => Promise.reject(new Error(`It ended: ${output}`))),
  ])
  // Fetched pages are recorded within a second; this page is the next that is requested.
  await expect
    .poll(async () => (await everywhere().selectFrom('import_fetches').select('name').execute()).length)
    .toBeGreaterThan(10)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await pagesOf()).toEqual(before)
  expect(await listViolations(database.read)).toEqual([])

  pause.release()
  web.requests.splice(0)
  const again = run('--space', space)
  await expect.poll(again.output).toContain('under way a moment ago')
  expect(web.requests).toEqual([])
  // Long enough ago that its lease has expired.
  await database.write((tx) =>
    acrossOrganizations(tx, 'a test lets time pass')
      .updateTable('import_runs')
      .set((is) => ({ beat_at: is('beat_at', '-', heartbeatTimeout) }))
      .execute(),
  )
  const { code, output } = await again.ended
  expect(code, output).toBe(0)
  expect(output).toContain('goes on where it was')
  expect(output).toContain(`${allPages} pages`)
  const { items } = (await api.request(admin, 'GET', `/spaces/${space}/imports`)).body
  expect(items).toMatchObject([{ status: 'completed' }, { status: 'failed', error: { code: 409 } }])
  expect(web.requests.length).toBeLessThan(allPages - 10)
  expect(web.requests).not.toContain('/long/5.html')
  expect(await pagesOf()).not.toEqual(before)
  expect(await everywhere().selectFrom('import_fetches').select('name').execute()).toEqual([])
})

test('one that another process does is left to that', async () => {
  pauseAgain()
  const first = run('--space', space)
  await Promise.race([
    pageRequested,
    first.ended.then(({ output }) => Promise.reject(new Error(`It ended: ${output}`))),
  ])
  const second = await run('--space', space).ended
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining('by another process') })
  pause.release()
  expect(await first.ended).toMatchObject({ code: 0 })
})

test('one into a new space that is killed is gone on with, and makes one space', async () => {
  pauseAgain()
  const spaces = async () => (await everywhere().selectFrom('spaces').select('id').execute()).length
  const spool = join(folder, 'spool')
  const importFiles = async () => (await readdir(spool)).filter((name) => name.startsWith('import-'))
  const before = await spaces()
  const killed = run('--title', 'Long')
  await Promise.race([
    pageRequested,
    killed.ended.then(({ output }) => Promise.reject(new Error(`It ended: ${output}`))),
  ])
  await expect
    .poll(
      async () =>
        (await readFile(join(spool, (await importFiles())[0]!), 'utf8')).split('"fetched":{').length,
    )
    .toBeGreaterThan(10)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await spaces()).toBe(before)
  const [name] = await importFiles()
  const rest = await readFile(join(spool, name!))

  pause.release()
  web.requests.splice(0)
  const again = await run('--title', 'Long').ended
  expect(again, again.output).toMatchObject({ code: 0 })
  expect(again.output).toContain('did not end: this goes on with it')
  expect(again.output).toContain(`${allPages} pages`)
  expect(web.requests.length).toBeLessThan(allPages - 10)
  expect(await importFiles()).toEqual([])
  expect(await spaces()).toBe(before + 1)

  // As one that is killed when the space is there, and half a line was written.
  await writeFile(join(spool, name!), Buffer.concat([rest, Buffer.from('\n{"fetched":{"na')]))
  const third = await run('--title', 'Long').ended
  expect(third, third.output).toMatchObject({ code: 0 })
  expect(third.output).toContain('Nothing changed')
  expect(await spaces()).toBe(before + 1)
  expect(await importFiles()).toEqual([])

  // One that ended is over: the same words are another import.
  const fourth = await run('--title', 'Long').ended
  expect(fourth.output).not.toContain('did not end')
  expect(await spaces()).toBe(before + 2)
})

test('an import that failed for its input leaves nothing to resume', async () => {
  const refused = await run('--title', 'Refused', '--from', 'zip').ended
  expect(refused.code).toBe(1)
  expect((await readdir(join(folder, 'spool'))).filter((name) => name.startsWith('import-'))).toEqual([])
})

test('one that is stopped by Ctrl-C makes no space', async () => {
  pauseAgain()
  const count = async () => (await everywhere().selectFrom('spaces').select('id').execute()).length
  const before = await count()
  const stopped = run()
  await Promise.race([
    pageRequested,
    stopped.ended.then(({ output }) => Promise.reject(new Error(`It ended: ${output}`))),
  ])
  stopped.child.kill('SIGINT')
  const { code, output } = await stopped.ended
  pause.release()
  expect(code).toBe(1)
  expect(output).toContain('Stopped: nothing was changed.')
  expect(await count()).toBe(before)
})
