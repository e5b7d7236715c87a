/** How often pages are read: counted in memory, and written with all else that is counted. */
import type { OrganizationId, PageId, SiteId, SpaceId } from '../../core/ids.js'
import { chunks, groupBy } from '../../core/group.js'
import { mostDays } from '../../contract/site-insights.js'
import type { Database } from '../../store/db/database.js'
import { type AddedViews, addViews, millisecondsOfDay } from './store.js'
import { writeEach } from './write-each.js'

export interface ReadPage {
  readonly organizationId: OrganizationId
  readonly siteId: SiteId
  readonly spaceId: SpaceId
  readonly pageId: PageId
}

export interface PageViews {
  /** Counts that a page was read; beyond what is held of all, nothing. */
  count(page: ReadPage, at: number): void
  /** Writes what was counted; what could not be written is counted still, as long as there is room. */
  flush(now: number): Promise<void>
}

/** Pages and days that are held until they are written. */
const mostHeld = 10_000
/** Rows of one statement: engines bound the values of each. */
const rowsPerStatement = 1_000

export function createPageViews(database: Database): PageViews {
  let held = new Map<string, AddedViews>()
  const keep = (added: AddedViews): void => {
    const key = [added.organization_id, added.site_id, added.space_id, added.page_id, added.day].join(' ')
    const before = held.get(key)?.views ?? 0
    if (before === 0 && held.size >= mostHeld) return
    held.set(key, { ...added, views: before + added.views })
  }
  return {
    count({ organizationId, siteId, spaceId, pageId }, at) {
      const day = Math.floor(at / millisecondsOfDay)
      keep({
        organization_id: organizationId,
        site_id: siteId,
        space_id: spaceId,
        page_id: pageId,
        day,
        views: 1,
      })
    },
    async flush(now) {
      const added = groupBy([...held.values()], (one) => one.organization_id)
      held = new Map()
      const oldest = Math.floor(now / millisecondsOfDay) - mostDays
      const parts = [...added].flatMap(([organizationId, ofOne]) =>
        [...chunks(ofOne, rowsPerStatement)].map((rows) => ({ organizationId, rows })),
      )
      await writeEach(
        parts,
        ({ organizationId, rows }) =>
          database.writeHolding({ organizations: [organizationId] }, (tx) => addViews(tx, rows, oldest)),
        ({ rows }) => rows.forEach(keep),
      )
    },
  }
}
