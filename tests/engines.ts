/**
 * Runs a group of tests on each engine, on a database of its own.
 *
 * SQLite always; PostgreSQL where OCTAVO_TEST_DATABASE_URL names a server on which databases may be made
 * (scripts/test-postgres.sh starts one). Databases and folders are removed when the file is done.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe } from 'vitest'
import { openDatabase } from '../src/store/db/database.js'
import type { Engine } from '../src/store/db/engine.js'
import type { Database } from '../src/store/db/database.js'

export interface TestEngine {
  readonly engine: Engine
  /** Opens an empty database with the current schema; closed and removed after the last test of the group. */
  open(): Promise<Database>
  /** Opens another connection to the database that `open` made last, as a second process would. */
  openAgain(): Promise<Database>
  /** What `openDatabase` takes, for an empty database without any schema. */
  settings(): Promise<{ dataFolder: string; url?: string }>
}

const server = process.env.OCTAVO_TEST_DATABASE_URL

/** Declares the tests once for each engine. */
export function describeEngines(title: string, declare: (engine: TestEngine) => void): void {
  describe(`${title} (SQLite)`, () => declare(testEngine('sqlite')))
  describe.skipIf(server === undefined)(`${title} (PostgreSQL)`, () => declare(testEngine('postgres')))
}

function testEngine(engine: Engine): TestEngine {
  const opened: Database[] = []
  const removals: (() => Promise<unknown>)[] = []
  let latest: { dataFolder: string; url?: string } | undefined

  async function settings() {
    const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-test-'))
    removals.push(() => rm(dataFolder, { recursive: true }))
    if (engine === 'sqlite') return { dataFolder }
    const name = `octavo_test_${randomUUID().replaceAll('-', '')}`
    await administer(`create database ${name} template template0`)
    removals.push(() => administer(`drop database ${name} with (force)`))
    const url = new URL(server!)
    url.pathname = `/${name}`
    return { dataFolder, url: url.href }
  }

  async function open(): Promise<Database> {
    latest = await settings()
    return openAgain()
  }

  async function openAgain(): Promise<Database> {
    const database = await openDatabase({ ...latest!, refusesNested: true })
    opened.push(database)
    return database
  }

  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await Promise.all(removals.map((remove) => remove()))
  })

  return { engine, open, openAgain, settings }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
