/** Once a day: lets go of what sites do not keep any more, and puts the hours of long ago together to days. */
import { acrossOrganizations } from '../../store/db/across.js'
import type { Database } from '../../store/db/database.js'
import { millisecondsOfDay } from './store.js'
import { foldDayBefore, listCountingSites, removeEvents } from './event-store.js'
import { insightsOf } from './settings.js'

/** Days whose hours are told apart. */
export const daysByHour = 35

/** Tidies the events of every site, each in short transactions. */
export async function tidyEvents(database: Database, now: number, signal: AbortSignal): Promise<void> {
  const today = Math.floor(now / millisecondsOfDay)
  const organizations = await acrossOrganizations(database.read, 'events of all sites grow old')
    .selectFrom('site_events')
    .select('organization_id')
    .distinct()
    .execute()
  for (const { organization_id: organizationId } of organizations) {
    for (const site of await listCountingSites(database.read, organizationId)) {
      const { days } = insightsOf(site)
      let isMore = true
      while (isMore) {
        signal.throwIfAborted()
        isMore = await database.writeHolding({ organizations: [organizationId] }, async (tx) => {
          await removeEvents(tx, site, { before: (today - days) * 24 })
          return foldDayBefore(tx, site, today - daysByHour)
        })
      }
    }
  }
}
