/** Readiness check of the database, for load balancers. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.js'

/** Milliseconds, below the usual timeout of load balancers. */
const defaultTimeout = 1_500

/** Returns a check that resolves within the timeout. Concurrent calls share one query, so a hanging one takes one connection. */
export function createReadiness(
  { read }: Pick<Database, 'read'>,
  timeout = defaultTimeout,
): () => Promise<boolean> {
  let running: Promise<boolean> | undefined

  function query(): Promise<boolean> {
    const answers = sql`select 1`.execute(read).then(
      () => true,
      () => false,
    )
    return answers.finally(() => (running = undefined))
  }

  return async () => {
    running ??= query()
    const stop = new AbortController()
    const late = wait(timeout, false, { signal: stop.signal, ref: false }).catch(() => false)
    return Promise.race([running, late]).finally(() => stop.abort())
  }
}
