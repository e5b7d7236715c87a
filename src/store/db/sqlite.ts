/**
 * SQLite as Kysely sees it: one connection that writes, one that reads beside it, one that holds a moment while it
 * reads, opened when it is first needed; statements prepared once.
 *
 * The engine is synchronous and in this process, so a statement never waits for a socket and reads need no
 * pool. Durable by WAL with `synchronous=FULL`: a commit is on disk before it is answered. Loads `node:sqlite`
 * where Node has it, else a package with the same interface. Does not know any table.
 */
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from './unavailable.js'

export type SqliteConnection = DatabaseSyncInstance

const statementsKept = 500

/** Longest wait for another process (the command line) that is writing, in milliseconds. */
const writerPatience = 15_000

/** Opens a connection to the file, made if missing, with the settings that all our connections share. */
export async function connectSqlite(file: string, use: 'write' | 'read'): Promise<SqliteConnection> {
  const { DatabaseSync } = await loadEngine()
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true })
  // The writer waits in steps of its own (see `begin`), because the engine's waiting blocks the event loop.
  connection.exec(`pragma busy_timeout = ${use === 'write' ? 25 : 5000}`)
  await patiently(() => connection.exec('pragma journal_mode = wal'))
  connection.exec(`
    pragma synchronous = full;
    pragma temp_store = memory;
    pragma cache_size = -32768;
    pragma journal_size_limit = 67108864;
    ${use === 'read' ? 'pragma query_only = on;' : ''}
  `)
  return connection
}

/** A Kysely dialect on one open connection; `write` lets one user at a time in and begins its transactions as writer. */
export function sqliteDialect(connection: SqliteConnection, use: 'write' | 'read'): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => (use === 'write' ? writingDriver(connection) : readingDriver(connection)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** A dialect for transactions that read, one after the other: each sees what was committed when its first statement began. */
export function sqliteSnapshots(file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => snapshotDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Answers Node's own engine where it has one, else a package with the same interface. */
export async function loadEngine(): Promise<typeof import('@photostructure/sqlite')> {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  const builtIn = major > 22 || (major === 22 && minor >= 13)
  // A name the compiler cannot follow: the types of the oldest supported Node do not have this module.
  const name: string = builtIn ? 'node:sqlite' : '@photostructure/sqlite'
  return import(name)
}

function readingDriver(connection: SqliteConnection): Driver {
  const reader = preparingConnection(connection)
  const refuse = () => Promise.reject(new Error('The reading connection has no transactions: use write'))
  return {
    init: async () => {},
    acquireConnection: () => Promise.resolve(reader),
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => connection.close(),
  }
}

function snapshotDriver(file: string): Driver {
  let connection: SqliteConnection
  let driver: ReturnType<typeof transactions>
  return {
    async init() {
      connection = await connectSqlite(file, 'read')
      driver = transactions(connection, 'begin')
    },
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: () => driver.releaseConnection(),
    beginTransaction: () => driver.beginTransaction(),
    commitTransaction: () => driver.commitTransaction(),
    rollbackTransaction: () => driver.rollbackTransaction(),
    destroy: async () => connection.close(),
  }
}

/** One user at a time, in transactions that begin so. */
function transactions(connection: SqliteConnection, begin: 'begin' | 'begin immediate') {
  const prepared = preparingConnection(connection)
  const waiting: (() => void)[] = []
  let taken = false
  return {
    acquireConnection: async () => {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve))
      taken = true
      return prepared
    },
    // `taken` stays true while the turn passes on, so that nobody slips in between.
    releaseConnection: async () => {
      const next = waiting.shift()
      if (next) next()
      else taken = false
    },
    beginTransaction: () => patiently(() => connection.exec(begin)),
    commitTransaction: async () => orExplained(() => connection.exec('commit')),
    rollbackTransaction: async () => {
      // Some errors (a full disk) have ended the transaction already.
      if (connection.isTransaction) connection.exec('rollback')
    },
  }
}

function writingDriver(connection: SqliteConnection): Driver {
  return {
    init: async () => {},
    ...transactions(connection, 'begin immediate'),
    destroy: async () => {
      // Statistics for the planner: what is done is done, whether there is room and time for them or not.
      try {
        connection.exec('pragma optimize')
      } catch {
        // Another process holds the lock, or the disk is full: whoever closes next gathers them.
      }
      connection.close()
    },
  }
}

/** Tries until no other process holds the lock, giving the event loop its time in between. */
async function patiently(attempt: () => void): Promise<void> {
  const deadline = performance.now() + writerPatience
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw explained(error)
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Whether somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database (table )?is locked/.test(error.message)
}

/** What others than the program are the reason of, in the words that both engines share. */
function explained(error: unknown): unknown {
  if (isBusy(error)) return new DatabaseUnavailable(error)
  const { message } = error as Error
  if (/database or disk is full/.test(message)) return new StorageFull(error)
  return /database disk image is malformed|file is not a database/.test(message)
    ? new DatabaseDamaged(error)
    : error
}

function orExplained(action: () => void): void {
  try {
    action()
  } catch (error) {
    throw explained(error)
  }
}

function preparingConnection(connection: SqliteConnection): DatabaseConnection {
  const statements = new Map<string, StatementSyncInstance>()

  function prepare(sql: string): StatementSyncInstance {
    let statement = statements.get(sql)
    // Taken out and put back: a Map keeps the order of insertion, so the first key is the one longest unused.
    if (statement) statements.delete(sql)
    else statement = connection.prepare(sql)
    statements.set(sql, statement)
    if (statements.size > statementsKept) statements.delete(statements.keys().next().value!)
    return statement
  }

  return {
    executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        const statement = prepare(sql)
        if (!answersRows(sql)) {
          const { changes } = statement.run(...parameters)
          return Promise.resolve({ numAffectedRows: BigInt(changes), rows: [] })
        }
        const rows = statement.all(...parameters) as Row[]
        return Promise.resolve(writes(sql) ? { numAffectedRows: BigInt(rows.length), rows } : { rows })
      } catch (error) {
        return Promise.reject(explained(error))
      }
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      // Not from the cache: another query of the same text must not reset a statement that is being walked.
      for (const row of connection.prepare(sql).iterate(...parameters)) yield { rows: [row as Row] }
    },
  }
}

/** Read off the text, because early versions of `node:sqlite` cannot tell the columns of a statement. */
function answersRows(sql: string): boolean {
  return /^\s*(select|with|values|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql)
}

function writes(sql: string): boolean {
  return /^\s*(insert|update|delete|replace)\b/i.test(sql)
}
