/** Page view counter: counts in memory, flushed together with the other events. */
import type { OrganizationId, PageId, SiteId, SpaceId } from '../../core/ids.js'
import { chunks, groupBy } from '../../core/group.js'
import { maxDays } from '../../contract/site-insights.js'
import type { Database } from '../../store/db/database.js'
import { type AddedViews, addViews, millisPerDay } from './store.js'
import { writeBatches } from './write-batches.js'

export interface ViewedPage {
  readonly organizationId: OrganizationId
  readonly siteId: SiteId
  readonly spaceId: SpaceId
  readonly pageId: PageId
}

export interface PageViews {
  /** Counts a view; ignored for new pages beyond the pending limit. */
  count(page: ViewedPage, at: number): void
  /** Writes the counts; failed writes are counted again, up to the limit. */
  flush(now: number): Promise<void>
}

/** Pending pairs of page and day. */
const maxPendingPages = 10_000
/** Rows per statement: database engines limit the number of parameters. */
const rowsPerStatement = 1_000

export function createPageViews(database: Database): PageViews {
  let pendingViews = new Map<string, AddedViews>()
  const addToPending = (added: AddedViews): void => {
    const key = [added.organization_id, added.site_id, added.space_id, added.page_id, added.day].join(' ')
    const before = pendingViews.get(key)?.views ?? 0
    if (before === 0 && pendingViews.size >= maxPendingPages) return
    pendingViews.set(key, { ...added, views: before + added.views })
  }
  return {
    count({ organizationId, siteId, spaceId, pageId }, at) {
      const day = Math.floor(at / millisPerDay)
      addToPending({
        organization_id: organizationId,
        site_id: siteId,
        space_id: spaceId,
        page_id: pageId,
        day,
        views: 1,
      })
    },
    async flush(now) {
      const added = groupBy([...pendingViews.values()], (one) => one.organization_id)
      pendingViews = new Map()
      const oldest = Math.floor(now / millisPerDay) - maxDays
      const parts = [...added].flatMap(([organizationId, views]) =>
        [...chunks(views, rowsPerStatement)].map((rows) => ({ organizationId, rows })),
      )
      await writeBatches(
        parts,
        ({ organizationId, rows }) =>
          database.writeWithLocks({ organizations: [organizationId] }, (tx) => addViews(tx, rows, oldest)),
        ({ rows }) => rows.forEach(addToPending),
      )
    },
  }
}
