/** How often pages are read: counted in memory, and written with all else that is counted. */
import type { OrganizationId, PageId, SiteId, SpaceId } from '../../core/ids.js'
import { groupBy } from '../../core/group.js'
import { mostDays } from '../../contract/site-insights.js'
import type { Database } from '../../store/db/database.js'
import { type AddedViews, addViews, millisecondsOfDay } from './store.js'

export interface ReadPage {
  readonly organizationId: OrganizationId
  readonly siteId: SiteId
  readonly spaceId: SpaceId
  readonly pageId: PageId
}

export interface PageViews {
  /** Counts that a page was read; beyond what is held of all, nothing. */
  count(page: ReadPage, at: number): void
  /** Writes what was counted. */
  flush(now: number): Promise<void>
}

/** Pages and days that are held until they are written. */
const mostHeld = 10_000
/** Rows of one statement: engines bound the values of each. */
const rowsPerStatement = 1_000

export function createPageViews(database: Database): PageViews {
  let held = new Map<string, AddedViews>()
  return {
    count({ organizationId, siteId, spaceId, pageId }, at) {
      const day = Math.floor(at / millisecondsOfDay)
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
    async flush(now) {
      const added = [...held.values()]
      held = new Map()
      const oldest = Math.floor(now / millisecondsOfDay) - mostDays
      for (const [organizationId, ofOne] of groupBy(added, (one) => one.organization_id)) {
        for (let at = 0; at < ofOne.length; at += rowsPerStatement) {
          const rows = ofOne.slice(at, at + rowsPerStatement)
          await database.writeHolding({ organizations: [organizationId] }, (tx) => addViews(tx, rows, oldest))
        }
      }
    },
  }
}
