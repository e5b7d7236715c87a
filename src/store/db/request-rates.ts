/**
 * Fixed-window rate limits of requests, per key, counted in memory because every request needs the result.
 *
 * On PostgreSQL the counts of several processes are merged four times a second in the table `attempts`: requests do not
 * wait, and together the processes may exceed a limit by the requests of a quarter of a second. On SQLite each process
 * counts for itself. Keys are hashed in the table, so that it does not reveal clients.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Allowance, RateLimitResult } from './attempts.js'
import type { Tables } from './tables.js'

export interface RequestRates {
  /** Counts counter request at the time `now`, unless it exceeds the allowance; windows are aligned with the clock. */
  count(key: string, allowance: Allowance, now: number): RateLimitResult
  /** Merges the remaining counts. */
  close(): Promise<void>
}

interface RateCounter {
  readonly key: string
  /** Milliseconds since 1970 at which its window ends. */
  readonly endsAt: number
  /** Requests of all processes at the last merge. */
  known: number
  /** Requests of this process since then. */
  own: number
}

/** Adds the counts of this process and returns those of all processes, in the same order. */
export type MergeCounts = (
  own: readonly Pick<RateCounter, 'key' | 'endsAt' | 'own'>[],
) => Promise<readonly number[]>

const maxKeys = 50_000
/** Milliseconds between two merges. */
const mergeInterval = 250
const batchSize = 1000

/** Counts in this process, and together with others when `mergeCounts` is passed. */
export function createRates(mergeCounts?: MergeCounts, bound = maxKeys): RequestRates {
  // By size, because a limit by number of keys allocates memory for all of them immediately.
  const counters = new LRUCache<string, RateCounter>({ maxSize: bound, sizeCalculation: () => 1 })
  const changed = new Set<RateCounter>()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()

  function scheduleMerge(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      working = working.then(merge)
    }, mergeInterval).unref()
  }

  async function merge(): Promise<void> {
    // In the same order in all processes, so that no two wait for each other's rows.
    const all = [...changed].toSorted((a, b) => (a.key < b.key ? -1 : 1))
    changed.clear()
    for (let start = 0; start < all.length; start += batchSize) {
      const batch = all.slice(start, start + batchSize).map((counter) => ({ counter, own: counter.own }))
      for (const { counter, own } of batch)
        [counter.known, counter.own] = [counter.known + own, counter.own - own]
      // While the database is unavailable each process counts for itself.
      const totals = await mergeCounts!(batch.map(({ counter, own }) => ({ ...counter, own }))).catch(
        () => undefined,
      )
      batch.forEach(({ counter }, at) => (counter.known = Math.max(counter.known, totals?.[at] ?? 0)))
    }
  }

  return {
    count(key, { limit, window }, now) {
      const endsAt = (Math.floor(now / window) + 1) * window
      let counter = counters.get(key)
      if (counter === undefined || counter.endsAt !== endsAt)
        counters.set(key, (counter = { key, endsAt, known: 0, own: 0 }))
      const count = counter.known + counter.own
      const isWithin = count < limit
      if (isWithin) counter.own++
      if (isWithin && mergeCounts !== undefined) {
        changed.add(counter)
        scheduleMerge()
      }
      return { isWithin, remaining: Math.max(0, limit - count - 1), resetIn: endsAt - now }
    },
    async close() {
      clearTimeout(timer)
      working = working.then(merge)
      await working
    },
  }
}

/** Merges counts in the table `attempts`; `db` is a separate pool, so that no holder of a connection waits for it. */
export function mergeCountsInPostgres(db: Kysely<Tables>): MergeCounts {
  return async (own) => {
    const nameOf = ({ key, endsAt }: (typeof own)[number]): string =>
      createHash('sha256').update(`requests ${endsAt} ${key}`).digest('base64url')
    const rows = own.map((counter) => ({ key: nameOf(counter), points: counter.own, expire: counter.endsAt }))
    const counted = await db
      .insertInto('attempts')
      .values(rows)
      .onConflict((taken) =>
        taken.column('key').doUpdateSet({ points: sql`attempts.points + excluded.points` }),
      )
      .returning(['key', 'points'])
      .execute()
    const points = new Map(counted.map((row) => [row.key, Number(row.points)]))
    return rows.map(({ key }) => points.get(key)!)
  }
}
