/**
 * How often pages are read, counted in memory and written once a minute: nobody waits for it, and who ends the process
 * at once loses the last minute. A page is known by its site and space; nothing is kept of who read it.
 */
import type { OrganizationId, PageId, SiteId, SpaceId } from '../../core/ids.js'
import { groupBy } from '../../core/group.js'
import { mostDays } from '../../contract/site-insights.js'
import { type AddedViews, addViews, millisecondsOfDay } from '../../resources/insights/store.js'
import type { Database } from '../../store/db/database.js'

export interface ReadPage {
  readonly organizationId: OrganizationId
  readonly siteId: SiteId
  readonly spaceId: SpaceId
  readonly pageId: PageId
}

export interface PageViews {
  /** Counts that a page was read; beyond what is counted for one reader, or held of all, nothing. */
  count(page: ReadPage, reader: string): void
  /** Writes what was counted. */
  flush(): Promise<void>
}

/** Pages and days that are held until they are written, and readers who are told apart. */
const mostHeld = 10_000
/** Views by one reader until they are written: more is a program. */
const mostOfReader = 60

export function createPageViews(database: Database, now: () => number): PageViews {
  let held = new Map<string, AddedViews>()
  let readers = new Map<string, number>()
  return {
    count({ organizationId, siteId, spaceId, pageId }, reader) {
      const times = (readers.get(reader) ?? 0) + 1
      if (times > mostOfReader || (times === 1 && readers.size >= mostHeld)) return
      readers.set(reader, times)
      const day = Math.floor(now() / millisecondsOfDay)
      const key = [organizationId, siteId, spaceId, pageId, day].join(' ')
      const views = (held.get(key)?.views ?? 0) + 1
      if (views === 1 && held.size >= mostHeld) return
      held.set(key, {
        organization_id: organizationId,
        site_id: siteId,
        space_id: spaceId,
        page_id: pageId,
        day,
        views,
      })
    },
    async flush() {
      const added = [...held.values()]
      held = new Map()
      readers = new Map()
      const oldest = Math.floor(now() / millisecondsOfDay) - mostDays
      for (const [organizationId, ofOne] of groupBy(added, (one) => one.organization_id)) {
        await database.writeHolding({ organizations: [organizationId] }, (tx) => addViews(tx, ofOne, oldest))
      }
    },
  }
}
