/** Imports of a website by the program itself, killed and stopped in the middle. */
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
const heldPage = 40
const allPages = 60

let folder: string
let web: WebServer
let database: Database
let api: TestClient
let admin: Person
let space: SpaceId
/** Told when the page in the middle is asked for, which is answered once it is let go. */
let reached: Promise<void>
let hold: { tell: () => void; release: () => void; released: Promise<void> }

function holdAgain(): void {
  let [tell, release] = [() => {}, () => {}]
  reached = new Promise((resolve) => (tell = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  hold = { tell, release, released }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-interrupted-'))
  holdAgain()
  web = await serveWeb(async (request, response) => {
    const number = /^\/long\/(\d*)/.exec(request.url!)?.[1]
    if (number === undefined) return void response.writeHead(404).end()
    if (Number(number) === heldPage) {
      hold.tell()
      await hold.released
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
  ended: Promise<{ code: number | null; said: string }>
  said: () => string
} {
  const child = spawn(
    process.execPath,
    [program, 'import', `${web.url}/long/`, '--from', 'website', '--data', folder, ...flags],
    {
      env: { ...cleanEnvironment, OCTAVO_FETCH_NETWORKS: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (piece: Buffer) => (said += piece.toString()))
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  )
  return { child, ended, said: () => said }
}

const pagesOf = async (): Promise<unknown[]> =>
  (await api.request(admin, 'GET', `/spaces/${space}/content/pages`)).body.pages
const everywhere = () => acrossOrganizations(database.read, 'a test looks at all')

test('one that is killed leaves the space as it was, and goes on where it was', async () => {
  const before = await pagesOf()
  const killed = run('--space', space)
  await Promise.race([
    reached,
    killed.ended.then(({ said }) => Promise.reject(new Error(`It ended: ${said}`))),
  ])
  // What was fetched is noted within a second; this page is the next that is asked for.
  await expect
    .poll(async () => (await everywhere().selectFrom('import_fetches').select('name').execute()).length)
    .toBeGreaterThan(10)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await pagesOf()).toEqual(before)
  expect(await listViolations(database.read)).toEqual([])

  hold.release()
  web.requests.splice(0)
  const again = run('--space', space)
  await expect.poll(again.said).toContain('under way a moment ago')
  expect(web.requests).toEqual([])
  // As long ago as it takes to be sure that nobody does it any more.
  await database.write((tx) =>
    acrossOrganizations(tx, 'a test lets time pass')
      .updateTable('import_runs')
      .set((is) => ({ beat_at: is('beat_at', '-', heartbeatTimeout) }))
      .execute(),
  )
  const { code, said } = await again.ended
  expect(code, said).toBe(0)
  expect(said).toContain('goes on where it was')
  expect(said).toContain(`${allPages} pages`)
  const { items } = (await api.request(admin, 'GET', `/spaces/${space}/imports`)).body
  expect(items).toMatchObject([{ status: 'completed' }, { status: 'failed', error: { code: 409 } }])
  expect(web.requests.length).toBeLessThan(allPages - 10)
  expect(web.requests).not.toContain('/long/5.html')
  expect(await pagesOf()).not.toEqual(before)
  expect(await everywhere().selectFrom('import_fetches').select('name').execute()).toEqual([])
})

test('one that another process does is left to that', async () => {
  holdAgain()
  const first = run('--space', space)
  await Promise.race([
    reached,
    first.ended.then(({ said }) => Promise.reject(new Error(`It ended: ${said}`))),
  ])
  const second = await run('--space', space).ended
  expect(second).toMatchObject({ code: 1, said: expect.stringContaining('by another process') })
  hold.release()
  expect(await first.ended).toMatchObject({ code: 0 })
})

test('one into a new space that is killed is gone on with, and makes one space', async () => {
  holdAgain()
  const spaces = async () => (await everywhere().selectFrom('spaces').select('id').execute()).length
  const spool = join(folder, 'spool')
  const kept = async () => (await readdir(spool)).filter((name) => name.startsWith('import-'))
  const before = await spaces()
  const killed = run('--title', 'Long')
  await Promise.race([
    reached,
    killed.ended.then(({ said }) => Promise.reject(new Error(`It ended: ${said}`))),
  ])
  await expect
    .poll(async () => (await readFile(join(spool, (await kept())[0]!), 'utf8')).split('"fetched":{').length)
    .toBeGreaterThan(10)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await spaces()).toBe(before)
  const [name] = await kept()
  const rest = await readFile(join(spool, name!))

  hold.release()
  web.requests.splice(0)
  const again = await run('--title', 'Long').ended
  expect(again, again.said).toMatchObject({ code: 0 })
  expect(again.said).toContain('did not end: this goes on with it')
  expect(again.said).toContain(`${allPages} pages`)
  expect(web.requests.length).toBeLessThan(allPages - 10)
  expect(await kept()).toEqual([])
  expect(await spaces()).toBe(before + 1)

  // As one that is killed when the space is there, and half a line was written.
  await writeFile(join(spool, name!), Buffer.concat([rest, Buffer.from('\n{"fetched":{"na')]))
  const third = await run('--title', 'Long').ended
  expect(third, third.said).toMatchObject({ code: 0 })
  expect(third.said).toContain('Nothing changed')
  expect(await spaces()).toBe(before + 1)
  expect(await kept()).toEqual([])

  // One that ended is over: the same words are another import.
  const fourth = await run('--title', 'Long').ended
  expect(fourth.said).not.toContain('did not end')
  expect(await spaces()).toBe(before + 2)
})

test('one that failed for what it was given leaves nothing to go on with', async () => {
  const refused = await run('--title', 'Refused', '--from', 'zip').ended
  expect(refused.code).toBe(1)
  expect((await readdir(join(folder, 'spool'))).filter((name) => name.startsWith('import-'))).toEqual([])
})

test('one that is stopped by Ctrl-C makes no space', async () => {
  holdAgain()
  const count = async () => (await everywhere().selectFrom('spaces').select('id').execute()).length
  const before = await count()
  const stopped = run()
  await Promise.race([
    reached,
    stopped.ended.then(({ said }) => Promise.reject(new Error(`It ended: ${said}`))),
  ])
  stopped.child.kill('SIGINT')
  const { code, said } = await stopped.ended
  hold.release()
  expect(code).toBe(1)
  expect(said).toContain('Stopped: nothing was changed.')
  expect(await count()).toBe(before)
})
