/** The database's own clock: one for all processes, and of the moment, where `now` is of when a request began. */
import { type RawBuilder, sql } from 'kysely'
import { engineOf } from './database.js'
import type { Db } from './database.js'
import type { Milliseconds } from './columns.js'

/** The present, as an expression of the engine behind. */
export function present(db: Db): RawBuilder<Milliseconds> {
  return engineOf(db) === 'sqlite'
    ? sql<number>`(unixepoch() * 1000)`
    : sql<number>`((extract(epoch from clock_timestamp()) * 1000)::bigint)`
}

/** So long before the present, as an expression. */
export function ago(db: Db, time: Milliseconds): RawBuilder<Milliseconds> {
  return sql<number>`${present(db)} - ${time}`
}

export async function readClock(db: Db): Promise<Milliseconds> {
  const { rows } = await sql<{ now: number }>`select ${present(db)} as now`.execute(db)
  return rows[0]!.now
}
