/** Once a day: lets go of what sites do not keep any more, and puts the hours of long ago together to days. */
import type { Database } from '../../store/db/database.js'
import { foldDayBefore, hasEvents, listCountingSites, removeEvents } from './event-store.js'
import { insightsOf } from './settings.js'
import { millisecondsOfDay } from './store.js'

/** Days whose hours are told apart. */
export const daysByHour = 35

/** Tidies the events of every site, each in short transactions. */
export async function tidyEvents(database: Database, now: number, signal: AbortSignal): Promise<void> {
  const today = Math.floor(now / millisecondsOfDay)
  for (const site of await listCountingSites(database.read)) {
    if (!(await hasEvents(database.read, site))) continue
    const { days } = insightsOf(site)
    let isMore = true
    while (isMore) {
      signal.throwIfAborted()
      isMore = await database.writeHolding({ organizations: [site.organization_id] }, async (tx) => {
        await removeEvents(tx, site, { before: (today - days) * 24 })
        return foldDayBefore(tx, site, today - daysByHour)
      })
    }
  }
}
