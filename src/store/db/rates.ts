/**
 * How many requests came, per key and window of the clock. Told at once from memory, since every request asks.
 *
 * On PostgreSQL what several processes counted is put together four times a second, in the table `attempts`: a request
 * waits for nothing, and together they may let through what comes in a quarter of a second beyond a limit. On SQLite
 * each process counts for itself. Keys are hashed there, so the table tells nobody who asked.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Allowance, Counted } from './attempts.js'
import type { Tables } from './tables.js'

export interface Rates {
  /** Counts one request at this moment, unless the allowance does not hold it; windows begin with the clock's. */
  count(key: string, allowance: Allowance, now: number): Counted
  /** Puts together what is not yet; ends when it is. */
  close(): Promise<void>
}

interface Kept {
  readonly key: string
  /** Milliseconds since 1970 at which its window ends. */
  readonly endsAt: number
  /** What all processes counted, as far as is known here. */
  known: number
  /** What this one counted besides, and nobody else knows. */
  own: number
}

/** Adds what was counted here, and answers what was counted everywhere, each in the order given. */
export type PutTogether = (own: readonly Pick<Kept, 'key' | 'endsAt' | 'own'>[]) => Promise<readonly number[]>

const mostKeys = 50_000
/** Milliseconds between two times of putting together. */
const pause = 250
const mostAtOnce = 1000

/** Counts here, and together with others where it is told how. */
export function createRates(putTogether?: PutTogether, bound = mostKeys): Rates {
  // By size, because what holds a number of keys takes the place of all of them at once.
  const kept = new LRUCache<string, Kept>({ maxSize: bound, sizeCalculation: () => 1 })
  const changed = new Set<Kept>()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      working = working.then(send)
    }, pause).unref()
  }

  async function send(): Promise<void> {
    // In one order everywhere, so that no two processes wait for each other's rows.
    const all = [...changed].toSorted((a, b) => (a.key < b.key ? -1 : 1))
    changed.clear()
    for (let start = 0; start < all.length; start += mostAtOnce) {
      const some = all.slice(start, start + mostAtOnce).map((one) => ({ one, own: one.own }))
      for (const { one, own } of some) [one.known, one.own] = [one.known + own, one.own - own]
      // While the database is away each process counts for itself.
      const told = await putTogether!(some.map(({ one, own }) => ({ ...one, own }))).catch(() => undefined)
      some.forEach(({ one }, at) => (one.known = Math.max(one.known, told?.[at] ?? 0)))
    }
  }

  return {
    count(key, { limit, window }, now) {
      const endsAt = (Math.floor(now / window) + 1) * window
      let one = kept.get(key)
      if (one === undefined || one.endsAt !== endsAt) kept.set(key, (one = { key, endsAt, known: 0, own: 0 }))
      const count = one.known + one.own
      const isWithin = count < limit
      if (isWithin) one.own++
      if (isWithin && putTogether !== undefined) {
        changed.add(one)
        plan()
      }
      return { isWithin, remaining: Math.max(0, limit - count - 1), resetIn: endsAt - now }
    },
    async close() {
      clearTimeout(timer)
      working = working.then(send)
      await working
    },
  }
}

/** Puts together in the table `attempts`; `db` is of a pool that nobody waits for who holds a connection of it. */
export function throughPostgres(db: Kysely<Tables>): PutTogether {
  return async (own) => {
    const nameOf = ({ key, endsAt }: (typeof own)[number]): string =>
      createHash('sha256').update(`requests ${endsAt} ${key}`).digest('base64url')
    const rows = own.map((one) => ({ key: nameOf(one), points: one.own, expire: one.endsAt }))
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
