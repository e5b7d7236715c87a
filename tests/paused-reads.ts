/**
 * Paused reads: a database that can delay the result of one query after it was read, so that a test commits in
 * between. The result is then older than what is committed, as on a busy machine.
 */
import type { KyselyPlugin } from 'kysely'
import type { Database } from '../src/store/db/database.js'

export interface PausedReads {
  /** The same database; reads through it can be paused. */
  readonly database: Database
  /** Queries that were read so far. */
  count(): number
  /** Delays the result of the nth query from now on, counted from 0. */
  pauseAt(nth: number): PausedRead
}

export interface PausedRead {
  /** Resolves with true when the query was read; with false when `release` came first. */
  readonly wasRead: Promise<boolean>
  release(): void
}

export function createPausedReads(database: Database): PausedReads {
  let queries = 0
  let pausePoint: { at: number; reached: () => void; released: Promise<void> } | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const paused = pausePoint?.at === queries ? pausePoint : undefined
      queries += 1
      if (paused !== undefined) {
        paused.reached()
        await paused.released
      }
      return result
    },
  }
  return {
    database: { ...database, read: database.read.withPlugin(plugin) },
    count: () => queries,
    pauseAt(nth) {
      let [reach, release] = [(_was: boolean) => {}, () => {}]
      const wasRead = new Promise<boolean>((resolve) => (reach = resolve))
      const released = new Promise<void>((resolve) => (release = resolve))
      const mine = { at: queries + nth, reached: () => reach(true), released }
      pausePoint = mine
      return {
        wasRead,
        release() {
          if (pausePoint === mine) pausePoint = undefined
          reach(false)
          release()
        },
      }
    },
  }
}
