/** Retention and downsampling of events, once a day: deletes expired rows, and rolls up old hours to days. */
import type { Database } from '../../store/db/database.js'
import { rollUpOldestDay, hasEvents, listCountingSites, removeEvents } from './event-store.js'
import { insightsOf } from './settings.js'
import { millisPerDay } from './store.js'

/** Days that are stored by hour. */
export const daysByHour = 35

/** Applies the retention of every site, each in short transactions. */
export async function applyRetention(database: Database, now: number, signal: AbortSignal): Promise<void> {
  const today = Math.floor(now / millisPerDay)
  for (const site of await listCountingSites(database.read)) {
    if (!(await hasEvents(database.read, site))) continue
    const { days } = insightsOf(site)
    let isMore = true
    while (isMore) {
      signal.throwIfAborted()
      isMore = await database.writeWithLocks({ organizations: [site.organization_id] }, async (tx) => {
        await removeEvents(tx, site, { before: (today - days) * 24 })
        return rollUpOldestDay(tx, site, today - daysByHour)
      })
    }
  }
}
