/** Table of event rollups: bounded rows per day, hourly at first, rolled up to days later, then deleted. */
import { chunks, groupBy } from '../../core/group.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { SiteKey } from '../sites/structure-store.js'
import { type EventRow, rowIdOf, withKey, createRollup } from './rollup.js'

export const millisPerHour = 60 * 60 * 1000
const hoursOfDay = 24
/** Detailed rows per site and day, while stored by hour, and after the rollup to days. */
export const maxRowsPerDay = 3_000
export const maxRowsPerOldDay = 500
/** Rolled-up days that together have no more rows than one day by hour. */
const oldDaysPerStep = maxRowsPerDay / maxRowsPerOldDay
/** Rows per statement: database engines limit the number of parameters. */
const rowsPerStatement = 500

/** Adds counts of one site; ignored when the site was deleted. */
export async function addEvents(tx: Tx, site: SiteKey, added: readonly EventRow[]): Promise<void> {
  const found = await tx
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', site.organization_id)
    .where('id', '=', site.id)
    .executeTakeFirst()
  if (found === undefined) return
  for (const [day, rows] of groupBy(added, ({ hour }) => Math.floor(hour / hoursOfDay))) {
    const existing = await eventsOfDay(tx, site, day).select(['hour', 'key']).where('hours', '=', 1).execute()
    const rollup = createRollup(maxRowsPerDay, new Set(existing.map(rowIdOf)))
    for (const row of rows) rollup.add(row)
    await putRows(tx, rollup.rows())
  }
}

async function putRows(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  for (const chunk of chunks(rows, rowsPerStatement)) {
    await tx
      .insertInto('site_events')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'site_id', 'hours', 'hour', 'key']).doUpdateSet((set) => ({
          events: set('site_events.events', '+', set.ref('excluded.events')),
          visitors: set('site_events.visitors', '+', set.ref('excluded.visitors')),
          sessions: set('site_events.sessions', '+', set.ref('excluded.sessions')),
        })),
      )
      .execute()
  }
}

function eventsOfSite(db: Db, { organization_id: organizationId, id }: SiteKey) {
  return db.selectFrom('site_events').where('organization_id', '=', organizationId).where('site_id', '=', id)
}

function eventsOfDay(db: Db, site: SiteKey, day: number) {
  return eventsOfSite(db, site)
    .where('hour', '>=', day * hoursOfDay)
    .where('hour', '<', (day + 1) * hoursOfDay)
}

/** Rolls up the hours of the oldest day before `day`; returns whether there was one. */
export async function rollUpOldestDay(tx: Tx, site: SiteKey, day: number): Promise<boolean> {
  const first = await eventsOfSite(tx, site)
    .select('hour')
    .where('hours', '=', 1)
    .where('hour', '<', day * hoursOfDay)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return false
  const folded = Math.floor(first.hour / hoursOfDay)
  const rows = await eventsOfDay(tx, site, folded).selectAll().where('hours', '=', 1).execute()
  const rollup = createRollup(maxRowsPerOldDay)
  // The most frequent rows keep their details.
  for (const row of rows.toSorted((granularity, other) => other.events - granularity.events))
    rollup.add(withKey({ ...row, hours: hoursOfDay, hour: folded * hoursOfDay }))
  await removeEvents(tx, site, { hours: 1, before: (folded + 1) * hoursOfDay })
  await putRows(tx, rollup.rows())
  return true
}

/** Deletes rows before an hour; with `hours`, only those of that granularity. */
export async function removeEvents(
  tx: Tx,
  { organization_id: organizationId, id }: SiteKey,
  { before, hours }: { readonly before: number; readonly hours?: number },
): Promise<void> {
  for (const granularity of hours === undefined ? [1, hoursOfDay] : [hours])
    await tx
      .deleteFrom('site_events')
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', id)
      .where('hours', '=', granularity)
      .where('hour', '<', before)
      .execute()
}

export type EventColumn = Exclude<
  keyof EventRow,
  'organization_id' | 'site_id' | 'hours' | 'key' | 'events' | 'visitors' | 'sessions'
>

/** Counts of events with the same values in the requested columns. */
export type EventSum = Partial<Pick<EventRow, EventColumn>> &
  Pick<EventRow, 'events' | 'visitors' | 'sessions'>

/** A half-open range of hours since 1970. */
export interface HourRange {
  readonly from: number
  readonly to: number
}

/**
 * Splits a range into steps with a bounded number of rows: one day by hour, or several rolled-up days. A day is never
 * split, so that a concurrent rollup neither loses nor doubles counts.
 */
export async function listHourRanges(
  db: Db,
  site: SiteKey,
  { from, to }: HourRange,
): Promise<readonly HourRange[]> {
  const first = await eventsOfSite(db, site)
    .select('hour')
    .where('hours', '=', 1)
    .orderBy('hour')
    .limit(1)
    .execute()
  const firstDay = Math.floor((first[0]?.hour ?? Infinity) / hoursOfDay)
  const steps: HourRange[] = []
  for (let start = from; start < to; start = steps.at(-1)!.to) {
    const day = Math.floor(start / hoursOfDay)
    const nextDay = day < firstDay ? Math.min(day + oldDaysPerStep, firstDay) : day + 1
    steps.push({ from: start, to: Math.min(to, nextDay * hoursOfDay) })
  }
  return steps
}

/** Sums the events of a range grouped by columns. */
export async function sumEvents(
  db: Db,
  site: SiteKey,
  { from, to, columns }: HourRange & { readonly columns: readonly EventColumn[] },
): Promise<EventSum[]> {
  let query = eventsOfSite(db, site)
    .select(({ fn }) => [
      fn.sum('events').as('events'),
      fn.sum('visitors').as('visitors'),
      fn.sum('sessions').as('sessions'),
    ])
    .where('hours', 'in', [1, hoursOfDay])
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .having(({ fn }) => fn.countAll(), '>', 0)
  if (columns.length > 0) query = query.select([...columns]).groupBy([...columns])
  const rows = await query.execute()
  // PostgreSQL returns sums as text: they are of type numeric.
  return rows.map((row) => ({
    ...(row as Partial<Pick<EventRow, EventColumn>>),
    events: Number(row.events),
    visitors: Number(row.visitors),
    sessions: Number(row.sessions),
  }))
}

/** Lists all sites with their insights settings. */
export function listCountingSites(db: Db) {
  return acrossOrganizations(db, 'event retention of all sites')
    .selectFrom('sites')
    .select(['organization_id', 'id', 'insights'])
    .execute()
}

/** True when any events are stored for a site. */
export async function hasEvents(db: Db, site: SiteKey): Promise<boolean> {
  return (await eventsOfSite(db, site).select('hour').limit(1).executeTakeFirst()) !== undefined
}
