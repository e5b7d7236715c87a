/**
 * Rate limits of attempts (sign-in and the like), counted per key in a window that begins with the first attempt. A
 * library does the counting, by its own clock.
 *
 * On PostgreSQL all processes count together, in an unlogged table that need not survive a crash. On SQLite each counts
 * for itself, in bounded memory, evicting the oldest: brute force must not occupy the one writer. Keys are hashed, so
 * that the table does not reveal who tried.
 */
import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Tables } from './tables.js'

export interface Allowance {
  readonly limit: number
  /** Milliseconds. */
  readonly window: number
}

export interface RateLimitResult {
  /** False when they exceed the allowance: then they were not counted. */
  readonly isWithin: boolean
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetIn: number
}

export interface Attempts {
  /** Counts one attempt, or several together. Not rolled back with a surrounding transaction, and counted again when that is retried. */
  take(key: string, allowance: Allowance, weight?: number): Promise<RateLimitResult>
  /** Resets the count of a key, after a successful attempt. */
  forget(key: string): Promise<void>
}

const maxKeys = 100_000
/** Every call passes its own limit: the limiter only counts. */
const counterOptions = { points: 0, duration: 0, keyPrefix: '' }

/** Counts in the memory of this process. */
export function attemptsInMemory(bound = maxKeys): Attempts {
  const limiter = new RateLimiterMemory(counterOptions)
  const known = new LRUCache<string, true>({
    // By size, because a limit by number of keys allocates memory for all of them immediately.
    maxSize: bound,
    sizeCalculation: () => 1,
    noDisposeOnSet: true,
    dispose: (_, key) => void limiter.delete(key),
  })
  return countWith(limiter, {
    onCounted: (key) => void known.set(key, true),
    onForgotten: (key) => void known.delete(key),
  })
}

/** Counts in the table `attempts`; `db` is a separate pool, so that no holder of a connection waits for it. */
export function attemptsInPostgres(db: Kysely<Tables>): Attempts {
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
    },
  }
  const limiter = new RateLimiterPostgres({
    ...counterOptions,
    storeClient,
    storeType: 'client',
    tableName: 'attempts',
    tableCreated: true,
    // Expired rows are removed by garbage collection.
    clearExpiredByTimeout: false,
  })
  return countWith(limiter)
}

interface CountListener {
  onCounted(key: string): void
  onForgotten(key: string): void
}

function countWith(limiter: RateLimiterAbstract, listener?: CountListener): Attempts {
  const nameOf = (key: string) => createHash('sha256').update(key).digest('base64url')
  return {
    async take(key, { limit, window }, weight = 1) {
      const name = nameOf(key)
      const options = { customDuration: window / 1000 }
      const { consumedPoints: count, msBeforeNext: resetIn } = await limiter.penalty(name, weight, options)
      listener?.onCounted(name)
      if (count <= limit) return { isWithin: true, remaining: limit - count, resetIn }
      await limiter.reward(name, weight, options)
      return { isWithin: false, remaining: Math.max(0, limit - (count - weight)), resetIn }
    },
    async forget(key) {
      const name = nameOf(key)
      await limiter.delete(name)
      listener?.onForgotten(name)
    },
  }
}
