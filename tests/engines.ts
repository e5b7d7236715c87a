/**
 * Database engines: runs a group of tests on each engine, on a separate database.
 *
 * SQLite always; PostgreSQL where OCTAVO_TEST_DATABASE_URL names a server on which databases may be made
 * (scripts/test-postgres.sh starts one), there with tables in partitions: what partitioned tables accept, whole tables
 * accept too, and they refuse more (a key without the organization, a conflict on a partial index, a row that changes its owner). Both
 * layouts are tested where order, locks, plans or the engine itself are what is tested. Databases and folders are
 * removed when the file is done.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe } from 'vitest'
import { openDatabase } from '../src/store/db/open.js'
import { connectSqlite } from '../src/store/db/sqlite/connection.js'
import type { Engine } from '../src/store/db/engine.js'
import type { Database } from '../src/store/db/database.js'
import { migrations } from '../src/store/db/migrate.js'
import { wordsOf } from '../src/store/db/migrations/types.js'
import { spreadByOrganization } from './partitioned-tables.js'
import { namedOrganizations } from './lint/named-organization.js'

export interface TestEngine {
  readonly engine: Engine
  /** Opens an empty database with the current schema; closed and removed after the last test of the group. */
  open(): Promise<Database>
  /** Opens another connection to the database that `open` made last, as a second process would. */
  openAgain(): Promise<Database>
  /** What `openDatabase` takes, for an empty database without any schema. */
  settings(): Promise<Settings>
}

interface Settings {
  readonly dataFolder: string
  readonly url?: string
}

/** Where the rows of an organization lie on PostgreSQL. */
type Layout = 'whole' | 'partitions'

const server = process.env.OCTAVO_TEST_DATABASE_URL

export const hasPostgres = server !== undefined

/** Declares tests of what does not depend on the engine, on SQLite alone: see `postgres-tests.ts` for those that do. */
export function describeSqlite(title: string, declare: (engine: TestEngine) => void): void {
  describe(`${title} (SQLite)`, () => declare(testEngine('sqlite')))
}

/** Declares the tests once for each engine, on PostgreSQL for each of the layouts. */
export function describeEngines(
  title: string,
  declare: (engine: TestEngine) => void,
  { layouts = ['partitions'] }: { readonly layouts?: readonly Layout[] } = {},
): void {
  describeSqlite(title, declare)
  for (const layout of layouts) {
    const name = layout === 'whole' ? 'PostgreSQL' : 'PostgreSQL in partitions'
    describe.skipIf(server === undefined)(`${title} (${name})`, () => declare(testEngine('postgres', layout)))
  }
}

/** Declares tests of locks and isolation once for each engine, on PostgreSQL in its default layout. */
export function describeConcurrency(title: string, declare: (engine: TestEngine) => void): void {
  describeEngines(title, declare, { layouts: ['whole'] })
}

/** Declares the tests once for each engine and layout. */
export function describeLayouts(title: string, declare: (engine: TestEngine) => void): void {
  describeEngines(title, declare, { layouts: ['whole', 'partitions'] })
}

function testEngine(engine: Engine, layout: Layout = 'whole'): TestEngine {
  const opened: Database[] = []
  const removals: (() => Promise<unknown>)[] = []
  let latest: Settings | undefined

  async function place(template?: string): Promise<Settings> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-test-'))
    removals.push(() => rm(dataFolder, { recursive: true }))
    if (engine === 'sqlite') {
      if (template !== undefined) await copyFile(template, join(dataFolder, 'octavo.sqlite'))
      return { dataFolder }
    }
    const name = `octavo_test_${randomUUID().replaceAll('-', '')}`
    // Other than the default, files are copied as they are, and not page by page through the log: a third of the time.
    const copy = `create database ${name} template ${template ?? 'template0'} strategy file_copy`
    await administer((client) => client.query(copy))
    removals.push(() => administer((client) => client.query(`drop database ${name} with (force)`)))
    return { dataFolder, url: urlOf(name) }
  }

  async function open(): Promise<Database> {
    latest = await place(await (engine === 'sqlite' ? templateFile() : templateOf(layout)))
    return openAgain()
  }

  async function openAgain(): Promise<Database> {
    const database = await openDatabase({
      ...latest!,
      rejectsNestedWrites: true,
      guard: namedOrganizations(),
    })
    opened.push(database)
    return database
  }

  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await Promise.all(removals.map((remove) => remove()))
  })

  return { engine, open, openAgain, settings: () => place() }
}

/** Any fixed number: names our lock among PostgreSQL's advisory locks. */
const lock = 7_061_985

/** Names the schema that migrations make of an empty database. */
const schemaOf = (engine: Engine): string =>
  createHash('sha256')
    .update(migrations.flatMap((migration) => migration.statements(wordsOf[engine])).join(';'))
    .digest('hex')
    .slice(0, 12)

/** Returns an SQLite file with the current schema, to be copied; created on first use. */
async function templateFile(): Promise<string> {
  const file = join(tmpdir(), `octavo-schema-${schemaOf('sqlite')}.sqlite`)
  if (existsSync(file)) return file
  const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-template-'))
  await (await openDatabase({ dataFolder })).close()
  await moveLogIntoFile(join(dataFolder, 'octavo.sqlite'))
  await rename(join(dataFolder, 'octavo.sqlite'), file)
  await rm(dataFolder, { recursive: true })
  return file
}

/** Copies the write-ahead log into the file: the engine does not at close while it has prepared statements. */
async function moveLogIntoFile(file: string): Promise<void> {
  const connection = await connectSqlite(file, 'write')
  const { busy } = connection.prepare('pragma wal_checkpoint(truncate)').get()
  connection.close()
  // Else each copy would be an empty database, to which every test applies all migrations.
  if (busy !== 0) throw new Error(`${file} is in use: its log cannot be moved into it`)
}

/** Returns a database of this layout with the current schema, to be copied; created on first use. */
async function templateOf(layout: Layout): Promise<string> {
  const name = `octavo_${layout}_${schemaOf('postgres')}`
  await administer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [lock])
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    const making = `octavo_making_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${making} template template0`)
    const database = await openDatabase({ dataFolder: tmpdir(), url: urlOf(making) })
    await database.close()
    if (layout === 'partitions') await withClient(urlOf(making), spreadByOrganization)
    await client.query(`alter database ${making} rename to ${name}`)
  })
  return name
}

function urlOf(database: string): string {
  const url = new URL(server!)
  url.pathname = `/${database}`
  return url.href
}

function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  return withClient(server!, work)
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
