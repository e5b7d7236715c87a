/**
 * A session on one SQLite connection: executes statements and transaction commands one after the other.
 *
 * A session is a function, so that it can run in this thread or in a worker thread: the engine is synchronous, and a
 * commit that is synced blocks on the disk. The server has one of each: statements on many rows are executed in a worker
 * thread (`worker.ts`), all others in the main thread, where they take less time than a message to another one. Readers,
 * and programs run from source, have their session in the same thread.
 */
import type { QueryResult } from 'kysely'
import { type SqliteConnection, type Statement, createExecutor, retryWhileBusy } from './connection.js'

export type SessionCommand = Statement | 'begin' | 'begin immediate' | 'commit' | 'rollback' | 'close'
export type SessionResult = QueryResult<Record<string, unknown>>

/** Executes a command after all earlier ones; rejects with the engine's error. */
export type Session = (command: SessionCommand) => Promise<SessionResult>

const emptyResult: SessionResult = { rows: [] }

/** Returns a session on the connection, in the thread of the caller. */
export function sessionOn(connection: SqliteConnection): Session {
  const execute = createExecutor(connection)
  return async (command) => {
    if (typeof command !== 'string') return execute(command)
    if (command === 'close') connection.close()
    else if (command === 'commit') connection.exec('commit')
    else if (command !== 'rollback') await retryWhileBusy(() => connection.exec(command))
    // Some errors (a full disk) have ended the transaction already.
    else if (connection.isTransaction) connection.exec('rollback')
    return emptyResult
  }
}

/** Milliseconds of a transaction after which other requests are handled in between. */
const maxSlice = 8

/** Returns the session with pauses for the event loop in transactions of many statements: the engine makes none. */
export function yieldingSession(session: Session): Session {
  let begun = 0
  return async (command) => {
    if (typeof command === 'string') begun = performance.now()
    else if (performance.now() - begun > maxSlice) {
      await new Promise((resolve) => setImmediate(resolve))
      begun = performance.now()
    }
    return session(command)
  }
}
