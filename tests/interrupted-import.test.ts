/** Imports of a website by the program itself, killed and stopped in the middle. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longestSilence } from '../src/resources/imports/store.js'
import type { SpaceId } from '../src/core/ids.js'
import { acrossOrganizations } from '../src/store/db/across.js'
import type { Database } from '../src/store/db/database.js'
import { listBroken } from '../src/store/db/invariants.js'
import { openDatabase } from '../src/store/db/open.js'
import { type Door, type Person, openDoor } from './door.js'
import { type Served, serveWeb } from './served.js'
import { cleanEnvironment } from './served-program.js'

const program = fileURLToPath(new URL('../bin/octavo.js', import.meta.url))
const heldPage = 40
const allPages = 60

let folder: string
let web: Served
let database: Database
let door: Door
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
  door = await openDoor(database)
  admin = await door.person('admin')
  const organization = await door.organization(admin)
  space = (await door.ask(admin, 'POST', `/orgs/${organization}/spaces`, { title: 'Space' })).body.id
})

afterAll(async () => {
  await database.close()
  await web.close()
  await rm(folder, { recursive: true })
})

function run(...flags: string[]): {
  child: ChildProcess
  ended: Promise<{ code: number | null; said: string }>
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
  return { child, ended }
}

const pagesOf = async (): Promise<unknown[]> =>
  (await door.ask(admin, 'GET', `/spaces/${space}/content/pages`)).body.pages
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
    .toBeGreaterThan(20)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await pagesOf()).toEqual(before)
  expect(await listBroken(database.read)).toEqual([])

  // As long ago as it takes to be sure that nobody does it any more.
  await database.write((tx) =>
    acrossOrganizations(tx, 'a test lets time pass')
      .updateTable('import_runs')
      .set((is) => ({ beat_at: is('beat_at', '-', longestSilence) }))
      .execute(),
  )
  const [lost] = (await door.ask(admin, 'GET', `/spaces/${space}/imports`)).body.items
  expect(lost).toMatchObject({ status: 'failed', error: { code: 503 } })

  hold.release()
  web.asked.splice(0)
  const again = await run('--space', space).ended
  expect(again, again.said).toMatchObject({ code: 0 })
  expect(again.said).toContain(`${allPages} pages`)
  expect(web.asked.length).toBeLessThan(allPages - 10)
  expect(web.asked).not.toContain('/long/5.html')
  expect(await pagesOf()).not.toEqual(before)
  expect(await everywhere().selectFrom('import_fetches').select('name').execute()).toEqual([])
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
