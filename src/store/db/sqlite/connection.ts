/**
 * A connection to SQLite: opened with the settings that all of ours share, its statements prepared once.
 *
 * Durable by WAL with `synchronous=FULL`: a commit is on disk before it is answered. Speaks of the engine's errors as
 * they are; loads no query builder, because a thread that only writes needs none.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { QueryResult } from 'kysely'
import { loadEngine } from './engine.js'

export type SqliteConnection = DatabaseSyncInstance

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

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

/** Tries until no other process holds the lock, giving the event loop its time in between. */
export async function patiently(attempt: () => void): Promise<void> {
  const deadline = performance.now() + writerPatience
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Whether somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database (table )?is locked/.test(error.message)
}

/** Answers what executes statements on the connection, each prepared once; throws what the engine throws. */
export function executing(
  connection: SqliteConnection,
): (statement: Statement) => QueryResult<Record<string, unknown>> {
  const statements = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    let prepared = statements.get(sql)
    // Taken out and put back: a Map keeps the order of insertion, so the first key is the one longest unused.
    if (prepared) statements.delete(sql)
    else prepared = { statement: connection.prepare(sql), answersRows: answersRows(sql), writes: writes(sql) }
    statements.set(sql, prepared)
    if (statements.size > statementsKept) statements.delete(statements.keys().next().value!)
    return prepared
  }

  return ({ sql, parameters }) => {
    const prepared = prepare(sql)
    if (!prepared.answersRows) {
      const { changes } = prepared.statement.run(...parameters)
      return { numAffectedRows: BigInt(changes), rows: [] }
    }
    const rows = prepared.statement.all(...parameters) as Record<string, unknown>[]
    return prepared.writes ? { numAffectedRows: BigInt(rows.length), rows } : { rows }
  }
}

interface Prepared {
  readonly statement: StatementSyncInstance
  readonly answersRows: boolean
  readonly writes: boolean
}

/** Read off the text, because early versions of `node:sqlite` cannot tell the columns of a statement. */
function answersRows(sql: string): boolean {
  if (/\breturning\b/i.test(sql)) return true
  return /^\s*(select|with|values|pragma|explain)\b/i.test(sql) && !writes(sql)
}

/** Also behind the tables that a statement names first: who asks what was written must hear of all of it. */
function writes(sql: string): boolean {
  return /^\s*(with\b[^]*\)\s*)?(insert|update|delete|replace)\b/i.test(sql)
}
