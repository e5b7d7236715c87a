/** Rows of counted events: written in bounded numbers for each day, read by what is asked, folded and let go of later. */
import { chunks, groupBy } from '../../core/group.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { SiteKey } from '../sites/structure-store.js'
import { type EventRow, nameOf, named, openRoom } from './rollup.js'

export const millisecondsOfHour = 60 * 60 * 1000
const hoursOfDay = 24
/** Rows of a site and day that tell everything, while hours are told apart, and when they are not any more. */
export const mostOfDay = 3_000
export const mostOfOldDay = 500
/** Old days that have no more rows than a day has whose hours are told apart. */
const oldDaysAtOnce = mostOfDay / mostOfOldDay
/** Rows of one statement: engines bound the values of each. */
const rowsPerStatement = 500

/** Adds what was counted on one site, if that is still there. */
export async function addEvents(tx: Tx, site: SiteKey, added: readonly EventRow[]): Promise<void> {
  const found = await tx
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', site.organization_id)
    .where('id', '=', site.id)
    .executeTakeFirst()
  if (found === undefined) return
  for (const [day, rows] of groupBy(added, ({ hour }) => Math.floor(hour / hoursOfDay))) {
    const known = await ofDay(tx, site, day).select(['hour', 'key']).where('hours', '=', 1).execute()
    const room = openRoom(mostOfDay, new Set(known.map(nameOf)))
    for (const row of rows) room.add(row)
    await putRows(tx, room.rows())
  }
}

async function putRows(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  for (const part of chunks(rows, rowsPerStatement)) {
    await tx
      .insertInto('site_events')
      .values(part)
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

function ofSite(db: Db, { organization_id: organizationId, id }: SiteKey) {
  return db.selectFrom('site_events').where('organization_id', '=', organizationId).where('site_id', '=', id)
}

function ofDay(db: Db, site: SiteKey, day: number) {
  return ofSite(db, site)
    .where('hour', '>=', day * hoursOfDay)
    .where('hour', '<', (day + 1) * hoursOfDay)
}

/** Puts the hours of one day before `day` together, the earliest first; answers whether there was one. */
export async function foldDayBefore(tx: Tx, site: SiteKey, day: number): Promise<boolean> {
  const first = await ofSite(tx, site)
    .select('hour')
    .where('hours', '=', 1)
    .where('hour', '<', day * hoursOfDay)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return false
  const folded = Math.floor(first.hour / hoursOfDay)
  const rows = await ofDay(tx, site, folded).selectAll().where('hours', '=', 1).execute()
  const room = openRoom(mostOfOldDay)
  // What happened most stays as it is.
  for (const row of rows.toSorted((one, other) => other.events - one.events))
    room.add(named({ ...row, hours: hoursOfDay, hour: folded * hoursOfDay }))
  await removeEvents(tx, site, { hours: 1, before: (folded + 1) * hoursOfDay })
  await putRows(tx, room.rows())
  return true
}

/** Removes what was counted before an hour, of hours or of days alone where that is said. */
export async function removeEvents(
  tx: Tx,
  { organization_id: organizationId, id }: SiteKey,
  { before, hours }: { readonly before: number; readonly hours?: number },
): Promise<void> {
  for (const one of hours === undefined ? [1, hoursOfDay] : [hours])
    await tx
      .deleteFrom('site_events')
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', id)
      .where('hours', '=', one)
      .where('hour', '<', before)
      .execute()
}

export type EventColumn = Exclude<
  keyof EventRow,
  'organization_id' | 'site_id' | 'hours' | 'key' | 'events' | 'visitors' | 'sessions'
>

/** So many events of one kind, as far as the kind was asked for. */
export type EventSum = Partial<Pick<EventRow, EventColumn>> &
  Pick<EventRow, 'events' | 'visitors' | 'sessions'>

/** Some hours, the last one not among them. */
export interface Hours {
  readonly from: number
  readonly to: number
}

/**
 * Lists the hours of a range in steps that have bounded numbers of rows: one day, or several of those whose hours were
 * put together. A day is in one step, so that nothing is lost or seen twice when that happens meanwhile.
 */
export async function listSteps(db: Db, site: SiteKey, { from, to }: Hours): Promise<readonly Hours[]> {
  const first = await ofSite(db, site)
    .select('hour')
    .where('hours', '=', 1)
    .orderBy('hour')
    .limit(1)
    .execute()
  const firstDay = Math.floor((first[0]?.hour ?? Infinity) / hoursOfDay)
  const steps: Hours[] = []
  for (let start = from; start < to; start = steps.at(-1)!.to) {
    const day = Math.floor(start / hoursOfDay)
    const nextDay = day < firstDay ? Math.min(day + oldDaysAtOnce, firstDay) : day + 1
    steps.push({ from: start, to: Math.min(to, nextDay * hoursOfDay) })
  }
  return steps
}

/** Sums the events of some hours by columns. */
export async function sumEvents(
  db: Db,
  site: SiteKey,
  { from, to, columns }: Hours & { readonly columns: readonly EventColumn[] },
): Promise<EventSum[]> {
  let query = ofSite(db, site)
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
  // A sum may be a text: of PostgreSQL it is as long as it needs to be.
  return rows.map((row) => ({
    ...(row as Partial<Pick<EventRow, EventColumn>>),
    events: Number(row.events),
    visitors: Number(row.visitors),
    sessions: Number(row.sessions),
  }))
}

/** Lists all sites, with how they count. */
export function listCountingSites(db: Db) {
  return acrossOrganizations(db, 'what sites counted grows old for all alike')
    .selectFrom('sites')
    .select(['organization_id', 'id', 'insights'])
    .execute()
}

/** Answers whether anything was counted on a site. */
export async function hasEvents(db: Db, site: SiteKey): Promise<boolean> {
  return (await ofSite(db, site).select('hour').limit(1).executeTakeFirst()) !== undefined
}
