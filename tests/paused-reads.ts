/**
 * Reads that arrive late: a database whose answers to one query can be held back after they were read, so that
 * a test commits something in between. What was read is then older than what is committed, as on a busy machine.
 */
import type { KyselyPlugin } from 'kysely'
import type { Database } from '../src/store/db/database.js'

export interface HeldReads {
  /** The same database; reads through it can be held. */
  readonly database: Database
  /** Queries that were read so far. */
  count(): number
  /** Holds the result of the nth query from now on, counted from 0. */
  hold(nth: number): Held
}

export interface Held {
  /** Resolves with true when the query was read; with false when `release` came first. */
  readonly reached: Promise<boolean>
  release(): void
}

export function holdReads(database: Database): HeldReads {
  let queries = 0
  let holding: { at: number; reached: () => void; released: Promise<void> } | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const held = holding?.at === queries ? holding : undefined
      queries += 1
      if (held !== undefined) {
        held.reached()
        await held.released
      }
      return result
    },
  }
  return {
    database: { ...database, read: database.read.withPlugin(plugin) },
    count: () => queries,
    hold(nth) {
      let [reach, release] = [(_was: boolean) => {}, () => {}]
      const reached = new Promise<boolean>((resolve) => (reach = resolve))
      const released = new Promise<void>((resolve) => (release = resolve))
      const mine = { at: queries + nth, reached: () => reach(true), released }
      holding = mine
      return {
        reached,
        release() {
          if (holding === mine) holding = undefined
          reach(false)
          release()
        },
      }
    },
  }
}
