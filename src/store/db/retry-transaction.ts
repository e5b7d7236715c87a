/**
 * How writers on PostgreSQL come one after the other: locks of this process, then of the server, then the work;
 * and what is done when a transaction cannot stand: it is tried again, and at last refused with a sentence.
 *
 * The server's locks are advisory: they live in its memory, are had by name before anything is read, and end with
 * the transaction, after what it wrote is seen. So every later statement sees all that others did here before.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../../contract/errors.js'
import { type Hold, type Lock, NeedsMore } from './hold.js'
import type { Tables } from './tables.js'
import { WaitedTooLong, createTurns } from './turns.js'

/** Longest wait for those who write at the same place, in milliseconds. */
export const patience = 20_000

/** Takes a turn in this process; `takeIn` takes the same locks in the server, first of all in a transaction. */
export type LockIn = (
  locks: readonly Lock[],
) => Promise<{ takeIn(tx: Kysely<Tables>): Promise<void>; release(): void }>

export function lockIn(): LockIn {
  const turns = createTurns(patience)
  return async (locks) => ({
    release: await turns.take(locks),
    async takeIn(tx) {
      // One statement, and its parts are computed from left to right.
      const parts = locks.map(({ name, isShared }) =>
        isShared
          ? sql`pg_advisory_xact_lock_shared(${numberOf(name)}::bigint)`
          : sql`pg_advisory_xact_lock(${numberOf(name)}::bigint)`,
      )
      await sql`select ${sql.join(parts)}`.execute(tx)
    },
  })
}

/** The server knows locks by number: 64 bits of a hash, so that two names share one as good as never. */
function numberOf(name: string): string {
  return createHash('sha256').update(`octavo ${name}`).digest().readBigInt64BE().toString()
}

/** A serialization failure or deadlock is soon over; what is unique is seen by the second try, which then says so. */
const attempts = { engine: 10, meanwhile: 3 }
const longestPause = 200

/** Does the work until it stands: with a wider hold when it needs one, and again when the engine asks for it. */
export async function retrying<T>(wanted: Hold, work: (hold: Hold) => Promise<T>): Promise<T> {
  let hold = wanted
  for (let attempt = 1; ;) {
    try {
      return await work(hold)
    } catch (error) {
      if (error instanceof NeedsMore) {
        hold = error.wider
        continue
      }
      const kind = kindOf(error)
      if (kind === undefined) throw error
      if (kind === 'late' || attempt >= attempts[kind]) {
        throw new ApiError(kind === 'meanwhile' ? 'changed_meanwhile' : 'busy')
      }
    }
    const pause = Math.min(longestPause, 2 ** attempt * 2)
    attempt += 1
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)))
  }
}

/** PostgreSQL's codes: serialization failure and deadlock; unique and foreign keys; waits that took too long. */
function kindOf(error: unknown): 'engine' | 'meanwhile' | 'late' | undefined {
  if (error instanceof WaitedTooLong) return 'late'
  switch ((error as { code?: unknown } | null)?.code) {
    case '40001':
    case '40P01':
      return 'engine'
    case '23505':
    case '23503':
      return 'meanwhile'
    case '55P03':
      return 'late'
    default:
      return undefined
  }
}
