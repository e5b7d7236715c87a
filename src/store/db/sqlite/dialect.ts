/**
 * SQLite as Kysely sees it: one session that writes, in a thread of its own where there is one; one connection that reads
 * beside it, and one that holds a moment while it reads, opened when it is first needed.
 *
 * Reads are synchronous and in this process, so a statement never waits for a socket and reads need no pool. Does not
 * know any table.
 */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { connectSqlite, isBusy } from './connection.js'
import { type Session, sessionOn } from './session.js'
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from '../unavailable.js'

/** A Kysely dialect on a session; `write` lets one user at a time in and begins its transactions as writer. */
export function sqliteDialect(session: Session, use: 'write' | 'read'): Dialect {
  return dialect(() => (use === 'write' ? writingDriver(session) : readingDriver(session)))
}

/** A dialect for transactions that read, one after the other: each sees what was committed when its first statement began. */
export function sqliteSnapshots(file: string): Dialect {
  return dialect(() => snapshotDriver(file))
}

function dialect(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function readingDriver(session: Session): Driver {
  const reader = connectionOf(session)
  const refuse = () => Promise.reject(new Error('The reading connection has no transactions: use write'))
  return {
    init: async () => {},
    acquireConnection: () => Promise.resolve(reader),
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: () => closing(session),
  }
}

function snapshotDriver(file: string): Driver {
  let session: Session
  let driver: ReturnType<typeof transactions>
  return {
    async init() {
      session = sessionOn(await connectSqlite(file, 'read'))
      driver = transactions(session, 'begin')
    },
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: () => driver.releaseConnection(),
    beginTransaction: () => driver.beginTransaction(),
    commitTransaction: () => driver.commitTransaction(),
    rollbackTransaction: () => driver.rollbackTransaction(),
    destroy: () => closing(session),
  }
}

/** One user at a time, in transactions that begin so. */
function transactions(session: Session, begin: 'begin' | 'begin immediate') {
  const connection = connectionOf(session)
  const waiting: (() => void)[] = []
  let taken = false
  return {
    acquireConnection: async () => {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve))
      taken = true
      return connection
    },
    // `taken` stays true while the turn passes on, so that nobody slips in between.
    releaseConnection: async () => {
      const next = waiting.shift()
      if (next) next()
      else taken = false
    },
    beginTransaction: async () => void (await session(begin).catch(explain)),
    commitTransaction: async () => void (await session('commit').catch(explain)),
    rollbackTransaction: async () => void (await session('rollback')),
  }
}

function writingDriver(session: Session): Driver {
  return {
    init: async () => {},
    ...transactions(session, 'begin immediate'),
    destroy: async () => {
      // Statistics for the planner. Where another process holds the lock, or the disk is full, whoever closes next
      // gathers them: what is done is done.
      await session({ sql: 'pragma optimize', parameters: [] }).catch(() => {})
      await closing(session)
    },
  }
}

async function closing(session: Session): Promise<void> {
  await session('close')
}

function connectionOf(session: Session): DatabaseConnection {
  return {
    executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
      session({ sql, parameters }).catch(explain) as Promise<QueryResult<Row>>,
    streamQuery() {
      throw new Error('Rows are not streamed: read them in pieces')
    },
  }
}

/** Throws what others than the program are the reason of in the words that both engines share. */
function explain(error: unknown): never {
  if (isBusy(error)) throw new DatabaseUnavailable(error)
  const { message } = error as Error
  if (/database or disk is full/.test(message)) throw new StorageFull(error)
  if (/database disk image is malformed|file is not a database/.test(message))
    throw new DatabaseDamaged(error)
  throw error
}
