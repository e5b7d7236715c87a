/**
 * A connection to SQLite, opened with common settings, with a cache of prepared statements.
 *
 * Durable by WAL with `synchronous=FULL`: a commit is on disk before it is confirmed; but for the connection whose log
 * `group-commit.ts` syncs. Throws the engine's errors unchanged; imports no query builder, because the writer thread
 * needs none.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { QueryResult } from 'kysely'
import { loadEngine } from './engine.js'

export type SqliteConnection = DatabaseSyncInstance

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

const maxPreparedStatements = 500

/** Longest wait for another process (the command line) that is writing, in milliseconds. */
const busyTimeout = 15_000

/**
 * What a connection is for. `write-synced-elsewhere` is for writing in a thread that must not wait for the disk: its commits
 * are visible but not durable until the caller has synced the write-ahead log, and it never runs a checkpoint.
 */
type ConnectionUse = 'write' | 'write-synced-elsewhere' | 'read'

/** Milliseconds that the engine waits for a lock. Writers wait with `retryWhileBusy`: the engine would block the event loop. */
const engineBusyTimeout: Readonly<Record<ConnectionUse, number>> = {
  write: 25,
  'write-synced-elsewhere': 0,
  read: 5_000,
}

/** Opens a connection to the file, which is created if missing. */
export async function connectSqlite(file: string, use: ConnectionUse): Promise<SqliteConnection> {
  const { DatabaseSync } = await loadEngine()
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true })
  connection.exec(`pragma busy_timeout = ${engineBusyTimeout[use]}`)
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'))
  connection.exec(`
    pragma synchronous = ${use === 'write-synced-elsewhere' ? 'normal' : 'full'};
    pragma temp_store = memory;
    pragma cache_size = -32768;
    pragma journal_size_limit = 67108864;
    ${use === 'write-synced-elsewhere' ? 'pragma wal_autocheckpoint = 0;' : ''}
    ${use === 'read' ? 'pragma query_only = on;' : ''}
  `)
  return connection
}

/** Retries until no other process holds the lock, without blocking the event loop in between. */
export async function retryWhileBusy(attempt: () => void): Promise<void> {
  const deadline = performance.now() + busyTimeout
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Returns whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database (table )?is locked/.test(error.message)
}

/** Returns a function that executes statements on the connection, each prepared once; throws the engine's errors. */
export function createExecutor(
  connection: SqliteConnection,
): (statement: Statement) => QueryResult<Record<string, unknown>> {
  const statements = new Map<string, PreparedStatement>()

  function prepare(sql: string): PreparedStatement {
    let prepared = statements.get(sql)
    // Deleted and set again: a Map keeps the order of insertion, so the first key is the least recently used.
    if (prepared) statements.delete(sql)
    else prepared = { statement: connection.prepare(sql), returnsRows: returnsRows(sql), writes: writes(sql) }
    statements.set(sql, prepared)
    if (statements.size > maxPreparedStatements) statements.delete(statements.keys().next().value!)
    return prepared
  }

  return ({ sql, parameters }) => {
    const prepared = prepare(sql)
    if (!prepared.returnsRows) {
      const { changes } = prepared.statement.run(...parameters)
      return { numAffectedRows: BigInt(changes), rows: [] }
    }
    const rows = prepared.statement.all(...parameters) as Record<string, unknown>[]
    return prepared.writes ? { numAffectedRows: BigInt(rows.length), rows } : { rows }
  }
}

interface PreparedStatement {
  readonly statement: StatementSyncInstance
  readonly returnsRows: boolean
  readonly writes: boolean
}

/** Parsed from the text, because early versions of `node:sqlite` do not report the columns of a statement. */
function returnsRows(sql: string): boolean {
  if (/\breturning\b/i.test(sql)) return true
  return /^\s*(select|with|values|pragma|explain)\b/i.test(sql) && !writes(sql)
}

/** Also after a `with` clause: writes must be counted completely. */
function writes(sql: string): boolean {
  return /^\s*(with\b[^]*\)\s*)?(insert|update|delete|replace)\b/i.test(sql)
}
