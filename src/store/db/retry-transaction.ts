/**
 * Serialized writers on PostgreSQL: locks of this process, then advisory locks of the server, then the work. Failed
 * transactions are retried, and finally rejected with an API error.
 *
 * Advisory locks live in the server's memory, are acquired by name before anything is read, and are released after the
 * transaction's commit is visible. So every later statement sees all that earlier holders of the lock wrote.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../../contract/errors.js'
import { type LockScope, type Lock, LockUpgradeRequired } from './lock-scope.js'
import type { Tables } from './tables.js'
import { LockTimeout, createLockQueues } from './lock-queue.js'

/** Longest wait for the lock of other writers, in milliseconds. */
export const lockTimeout = 20_000

/** Acquires locks in this process; `acquireIn` acquires them in the server, as the first statement of a transaction. */
export type AcquireLocks = (
  locks: readonly Lock[],
) => Promise<{ acquireIn(tx: Kysely<Tables>): Promise<void>; release(): void }>

export function createAdvisoryLocks(): AcquireLocks {
  const queues = createLockQueues(lockTimeout)
  return async (locks) => ({
    release: await queues.acquire(locks),
    async acquireIn(tx) {
      // One statement, whose expressions are evaluated from left to right.
      const parts = locks.map(({ name, isShared }) =>
        isShared
          ? sql`pg_advisory_xact_lock_shared(${lockNumber(name)}::bigint)`
          : sql`pg_advisory_xact_lock(${lockNumber(name)}::bigint)`,
      )
      await sql`select ${sql.join(parts)}`.execute(tx)
    },
  })
}

/** The server identifies locks by number: 64 bits of a hash, which practically never collide. */
function lockNumber(name: string): string {
  return createHash('sha256').update(`octavo ${name}`).digest().readBigInt64BE().toString()
}

/** A serialization failure or deadlock passes soon; after a conflict the second attempt sees the other row and reports it. */
const maxAttempts = { engine: 10, conflict: 3 }
const maxPause = 200

/** Runs the work until it commits: with a wider lock scope when it needs one, and again when the engine asks for it. */
export async function retryTransaction<T>(
  initial: LockScope,
  work: (scope: LockScope) => Promise<T>,
): Promise<T> {
  let scope = initial
  for (let attempt = 1; ;) {
    try {
      return await work(scope)
    } catch (error) {
      if (error instanceof LockUpgradeRequired) {
        scope = error.requiredScope
        continue
      }
      const reason = retryReason(error)
      if (reason === undefined) throw error
      if (reason === 'timeout' || attempt >= maxAttempts[reason]) {
        throw new ApiError(reason === 'conflict' ? 'changed_meanwhile' : 'busy')
      }
    }
    const pause = Math.min(maxPause, 2 ** attempt * 2)
    attempt += 1
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)))
  }
}

/** PostgreSQL's codes: serialization failure and deadlock; unique and foreign keys; waits that took too long. */
function retryReason(error: unknown): 'engine' | 'conflict' | 'timeout' | undefined {
  if (error instanceof LockTimeout) return 'timeout'
  switch ((error as { code?: unknown } | null)?.code) {
    case '40001':
    case '40P01':
      return 'engine'
    case '23505':
    case '23503':
      return 'conflict'
    case '55P03':
      return 'timeout'
    default:
      return undefined
  }
}
