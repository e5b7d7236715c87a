/** Whether the database answers, for whoever sends requests to this process or to another. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.js'

/** Milliseconds; longer ones than those who ask usually wait are no answer. */
const usualPatience = 1_500

/** Returns a question that is answered in time, one at a time however many ask: a hanging one takes one connection. */
export function createReadiness(
  { read }: Pick<Database, 'read'>,
  patience = usualPatience,
): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined

  function ask(): Promise<boolean> {
    const answers = sql`select 1`.execute(read).then(
      () => true,
      () => false,
    )
    return answers.finally(() => (asking = undefined))
  }

  return async () => {
    asking ??= ask()
    const stop = new AbortController()
    const late = wait(patience, false, { signal: stop.signal, ref: false }).catch(() => false)
    return Promise.race([asking, late]).finally(() => stop.abort())
  }
}
