/**
 * One connection to SQLite in use: statements and transactions, one after the other.
 *
 * A session is a function, so that it may stand in this thread or in one of its own: the engine is synchronous, and a
 * commit waits for the disk. What the server writes is therefore written in a thread (`thread.ts`), and nobody
 * who is answered meanwhile waits for it. Readers, and programs run from their sources, have theirs at hand.
 */
import type { QueryResult } from 'kysely'
import { type SqliteConnection, type Statement, executing, patiently } from './connection.js'

export type Asked = Statement | 'begin' | 'begin immediate' | 'commit' | 'rollback' | 'close'
export type Answered = QueryResult<Record<string, unknown>>

/** Does what is asked, once what was asked before is done; rejects with what the engine throws. */
export type Session = (asked: Asked) => Promise<Answered>

const nothing: Answered = { rows: [] }

/** Returns a session on the connection, in the thread of the caller. */
export function sessionOn(connection: SqliteConnection): Session {
  const execute = executing(connection)
  return async (asked) => {
    if (typeof asked !== 'string') return execute(asked)
    if (asked === 'close') connection.close()
    else if (asked === 'commit') connection.exec('commit')
    else if (asked !== 'rollback') await patiently(() => connection.exec(asked))
    // Some errors (a full disk) have ended the transaction already.
    else if (connection.isTransaction) connection.exec('rollback')
    return nothing
  }
}
