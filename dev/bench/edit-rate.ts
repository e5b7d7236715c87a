/**
 * Edits a second with one client and with eight, of one word of a page in a change request each, and what an edit takes of
 * the main thread's processor; beside transactions of one row on the same disk. On PostgreSQL too, where
 * OCTAVO_TEST_DATABASE_URL names a server on which databases may be made.
 */
import { readFile, rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectSqlite } from '../../src/store/db/sqlite/connection.js'
import { require2xx } from '../server-process.js'
import { type Figure, median } from './figure.js'
import { type World, createSpace, openWorld } from './world.js'

const clients = [1, 8] as const

interface EngineTargets {
  readonly name: string
  /** False where commits do not wait for the disk. */
  readonly isSynced: boolean
  readonly perSecond: Readonly<Partial<Record<(typeof clients)[number], number>>>
  readonly processor?: number
}

const sqlite: EngineTargets = {
  name: 'SQLite',
  isSynced: true,
  perSecond: { 1: 600, 8: 1_000 },
  processor: 1.5,
}
const postgres = { name: 'PostgreSQL', perSecond: { 8: 400 } }

export async function measureEditRate(milliseconds: number): Promise<Figure[]> {
  const figures = await measureOn(sqlite, undefined, milliseconds, bareSqlite)
  const server = process.env['OCTAVO_TEST_DATABASE_URL']
  if (server === undefined) return figures
  const url = new URL(server)
  url.pathname = `/octavo_bench_${process.pid}`
  const name = url.pathname.slice(1)
  await execute(server, `create database ${name}`)
  try {
    const isSynced = (await execute(server, 'show fsync')).rows[0].fsync === 'on'
    const bare = (count: number, time: number) => barePostgres(url.href, count, time)
    const measured = await measureOn({ ...postgres, isSynced }, url.href, milliseconds, bare)
    return [...figures, ...measured]
  } finally {
    await execute(server, `drop database ${name} with (force)`)
  }
}

async function execute(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

/** Returns transactions a second. */
type Bare = (clients: number, milliseconds: number) => Promise<number>

async function measureOn(
  { name, isSynced, perSecond, processor }: EngineTargets,
  url: string | undefined,
  milliseconds: number,
  bare: Bare,
): Promise<Figure[]> {
  const world = await openWorld(url)
  try {
    const drafts: Draft[] = []
    while (drafts.length < Math.max(...clients)) drafts.push(await createDraft(world))
    const idle = await readTimes(world, 50)
    // The JIT compiles what is hot.
    await repeat(drafts, milliseconds, (draft, turn) => edit(world, draft, `warm ${turn}`))
    const figures: Figure[] = []
    for (const count of clients) {
      const before = await mainThreadTime(world.server.pid)
      const begun = performance.now()
      const editAll = (time: number, word: string) =>
        repeat(drafts.slice(0, count), time, (draft, turn) => edit(world, draft, `${word} ${count} ${turn}`))
      const edits = await editAll(milliseconds, 'alone')
      const rate = (edits * 1_000) / (performance.now() - begun)
      const taken = (await mainThreadTime(world.server.pid)) - before
      const [beside] = await Promise.all([readTimes(world, 50), editAll(milliseconds / 2, 'beside')])
      const baseline = await bare(count, milliseconds / 2)
      const of = `${name}, ${count === 1 ? 'one client' : `${count} clients`}`
      const least = perSecond[count]
      figures.push(
        {
          name: `one-word edits, ${of}`,
          value: rate,
          unit: '/s',
          baseline: {
            name: `bare transactions ${isSynced ? 'with' : 'without'} a sync`,
            value: baseline,
            unit: '/s',
          },
          ratio: rate / baseline,
          ...(least !== undefined && { target: { of: 'value', kind: 'at least', limit: least } }),
        },
        {
          name: `main thread for an edit, ${of}`,
          value: taken / edits,
          unit: 'ms',
          ...(processor !== undefined && { target: { of: 'value', kind: 'at most', limit: processor } }),
        },
        {
          name: `small read beside edits, ${of}`,
          value: median(beside),
          unit: 'ms',
          baseline: { name: 'without edits', value: median(idle), unit: 'ms' },
        },
      )
    }
    return figures
  } finally {
    await world.close()
  }
}

interface Draft {
  readonly path: string
  readonly page: string
}

/** A space with some pages, and a change request to edit one of them. */
async function createDraft(world: World): Promise<Draft> {
  const { server } = world
  const space = await createSpace(world, 'Drafts')
  const changes = Array.from({ length: 20 }, (_, at) => ({
    operation: 'insert_page',
    document: { markdown: textWith(`Page ${at}`, 'word') },
  }))
  await require2xx(server.request('POST', `/spaces/${space}/content`, { changes }))
  const { pages } = await require2xx(server.request('GET', `/spaces/${space}/content/pages`))
  const { id } = await require2xx(server.request('POST', `/spaces/${space}/change-requests`, {}))
  return { path: `/spaces/${space}/change-requests/${id}/content`, page: pages[0].id }
}

async function edit({ server }: World, { path, page }: Draft, word: string): Promise<void> {
  const document = { markdown: textWith('Page', word) }
  await require2xx(server.request('POST', path, { changes: [{ operation: 'update_page', page, document }] }))
}

/** 1.5 KB, of which the word is one. */
function textWith(title: string, word: string): string {
  const paragraphs = Array.from(
    { length: 20 },
    (_, at) => `Paragraph ${at} is about the [product](https://example.org/${at}) and **its** settings.`,
  )
  return `# ${title}\n\n${paragraphs.join('\n\n')}\n\nThe last one has the ${word}.\n`
}

/** Each target works on its own, one call after the other; returns the calls. */
async function repeat<Target>(
  targets: readonly Target[],
  milliseconds: number,
  work: (target: Target, turn: number) => Promise<unknown>,
): Promise<number> {
  const deadline = performance.now() + milliseconds
  let turns = 0
  await Promise.all(
    targets.map(async (target) => {
      while (performance.now() < deadline) await work(target, (turns += 1))
    }),
  )
  return turns
}

async function readTimes({ server }: World, reads: number): Promise<number[]> {
  const times: number[] = []
  while (times.length < reads) {
    const begun = performance.now()
    await require2xx(server.request('GET', '/user'))
    times.push(performance.now() - begun)
  }
  return times
}

/** Milliseconds for which the main thread of a process was on a processor, as Linux counts them. */
async function mainThreadTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
  return Number(text.split(' ')[0]) / 1e6
}

async function bareSqlite(_clients: number, milliseconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-bare-'))
  const connection = await connectSqlite(join(folder, 'bare.sqlite'), 'write')
  connection.exec('create table rows (id integer primary key, text text)')
  const insert = connection.prepare('insert into rows (text) values (?)')
  const begun = performance.now()
  const turns = await repeat([insert], milliseconds, async () => insert.run('One row.'))
  const rate = (turns * 1_000) / (performance.now() - begun)
  connection.close()
  await rm(folder, { recursive: true })
  return rate
}

async function barePostgres(url: string, count: number, milliseconds: number): Promise<number> {
  const connections = Array.from({ length: count }, () => new pg.Client({ connectionString: url }))
  await Promise.all(connections.map((client) => client.connect()))
  await connections[0]!.query('create table if not exists bare_rows (text text)')
  const begun = performance.now()
  const query = { name: 'bare', text: 'insert into bare_rows values ($1)', values: ['One row.'] }
  const turns = await repeat(connections, milliseconds, (client) => client.query(query))
  const rate = (turns * 1_000) / (performance.now() - begun)
  await connections[0]!.query('drop table bare_rows')
  await Promise.all(connections.map((client) => client.end()))
  return rate
}
