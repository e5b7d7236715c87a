/**
 * Kysely dialect of SQLite: one session that writes, in a worker thread if there is one; one connection that reads, and
 * one for snapshots, opened on first use.
 *
 * Reads are synchronous and in this process, so they never wait for a socket and need no pool. Does not know any table.
 */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { TransactionConnection } from '../concurrent-transaction.js'
import { connectSqlite, isBusy } from './connection.js'
import { type Session, sessionOn } from './session.js'
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from '../unavailable.js'

/**
 * A Kysely dialect on a session; `write` admits one user at a time and begins transactions with the write lock. Sessions
 * that write to one file share their turns.
 */
export function sqliteDialect(session: Session, use: 'write' | 'read', turns = createTurns()): Dialect {
  return dialect(() => (use === 'write' ? writingDriver(session, turns) : readingDriver(session)))
}

/** A dialect for read transactions, one after the other: each sees what was committed when its first statement began. */
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
      driver = transactions(session, 'begin', createTurns())
    },
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: () => driver.releaseConnection(),
    beginTransaction: () => driver.beginTransaction(),
    commitTransaction: () => driver.commitTransaction(),
    rollbackTransaction: () => driver.rollbackTransaction(),
    destroy: () => closing(session),
  }
}

/** A queue of users, of which one has its turn. */
export interface Turns {
  take(): Promise<void>
  end(): void
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    // `isTaken` stays true when the turn is passed on, so that no other user takes it in between.
    end() {
      const next = waiting.shift()
      if (next) next()
      else isTaken = false
    },
  }
}

/** Serializes users, whose transactions begin with the passed statement. */
function transactions(session: Session, begin: 'begin' | 'begin immediate', turns: Turns) {
  const connection: TransactionConnection = {
    ...connectionOf(session),
    begin: async () => void (await session(begin).catch(convertError)),
    commit: async () => void (await session('commit').catch(convertError)),
    rollback: async () => void (await session('rollback')),
  }
  return {
    acquireConnection: async () => {
      await turns.take()
      return connection
    },
    releaseConnection: async () => turns.end(),
    beginTransaction: () => connection.begin(),
    commitTransaction: () => connection.commit(),
    rollbackTransaction: () => connection.rollback(),
  }
}

function writingDriver(session: Session, turns: Turns): Driver {
  return {
    init: async () => {},
    ...transactions(session, 'begin immediate', turns),
    destroy: async () => {
      // Statistics for the query planner. If another process holds the lock, or the disk is full, they are gathered at the
      // next close.
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
      session({ sql, parameters }).catch(convertError) as Promise<QueryResult<Row>>,
    streamQuery() {
      throw new Error('Rows are not streamed: read them in pieces')
    },
  }
}

/** Converts errors that are not bugs to the error classes that both engines share. */
function convertError(error: unknown): never {
  if (isBusy(error)) throw new DatabaseUnavailable(error)
  const { message } = error as Error
  if (/database or disk is full/.test(message)) throw new StorageFull(error)
  if (/database disk image is malformed|file is not a database/.test(message))
    throw new DatabaseDamaged(error)
  throw error
}
