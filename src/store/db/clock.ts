/** The database's clock: shared by all processes, and current, where `now` is the time at which a request began. */
import { type RawBuilder, sql } from 'kysely'
import { engineOf } from './database.js'
import type { Db } from './database.js'
import type { Milliseconds } from './columns.js'

/** The current time, as an expression of the engine. */
export function present(db: Db): RawBuilder<Milliseconds> {
  return engineOf(db) === 'sqlite'
    ? sql<number>`(unixepoch() * 1000)`
    : sql<number>`((extract(epoch from clock_timestamp()) * 1000)::bigint)`
}

/** The time a duration ago, as an expression. */
export function ago(db: Db, time: Milliseconds): RawBuilder<Milliseconds> {
  return sql<number>`${present(db)} - ${time}`
}

export async function readClock(db: Db): Promise<Milliseconds> {
  const { rows } = await sql<{ now: number }>`select ${present(db)} as now`.execute(db)
  return rows[0]!.now
}
