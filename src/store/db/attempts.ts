/**
 * How often something was tried, counted per key in a window that begins with the first time. The counting is a
 * library's, and so is its clock.
 *
 * On PostgreSQL all processes count together, in a table that need not survive a crash. On SQLite each counts for
 * itself, in memory and within bounds, the oldest forgotten first: guesses shall not make the one writer busy.
 * Keys are hashed, so the table tells nobody who tried.
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

export interface Counted {
  /** False when the allowance did not hold them: then they were not counted. */
  readonly isWithin: boolean
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetIn: number
}

export interface Attempts {
  /** Counts one, or several at once. Not undone with a transaction around it, and counted again when that runs again. */
  take(key: string, allowance: Allowance, weight?: number): Promise<Counted>
  /** Forgets the attempts of a key, after one that succeeded. */
  forget(key: string): Promise<void>
}

const mostKeys = 100_000
/** Every call says what its key may: the limiter judges nothing itself. */
const counterOnly = { points: 0, duration: 0, keyPrefix: '' }

/** Counts for this process alone. */
export function attemptsInMemory(bound = mostKeys): Attempts {
  const limiter = new RateLimiterMemory(counterOnly)
  const known = new LRUCache<string, true>({
    // By size, because what holds a number of keys takes the place of all of them at once.
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

/** Counts in the table `attempts`; `db` is of a pool that nobody waits for who holds a connection of it. */
export function attemptsInPostgres(db: Kysely<Tables>): Attempts {
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
    },
  }
  const limiter = new RateLimiterPostgres({
    ...counterOnly,
    storeClient,
    storeType: 'client',
    tableName: 'attempts',
    tableCreated: true,
    // What has expired is collected with the rest.
    clearExpiredByTimeout: false,
  })
  return countWith(limiter)
}

interface Watching {
  onCounted(key: string): void
  onForgotten(key: string): void
}

function countWith(limiter: RateLimiterAbstract, watching?: Watching): Attempts {
  const nameOf = (key: string) => createHash('sha256').update(key).digest('base64url')
  return {
    async take(key, { limit, window }, weight = 1) {
      const name = nameOf(key)
      const options = { customDuration: window / 1000 }
      const { consumedPoints: count, msBeforeNext: resetIn } = await limiter.penalty(name, weight, options)
      watching?.onCounted(name)
      if (count <= limit) return { isWithin: true, remaining: limit - count, resetIn }
      await limiter.reward(name, weight, options)
      return { isWithin: false, remaining: Math.max(0, limit - (count - weight)), resetIn }
    },
    async forget(key) {
      const name = nameOf(key)
      await limiter.delete(name)
      watching?.onForgotten(name)
    },
  }
}
