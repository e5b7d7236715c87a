/** Pages of reported page views: only views of pages that exist, and that the reporter may read, are listed by page. */
import { groupBy } from '../../core/group.js'
import type { PageId } from '../../core/ids.js'
import { findPages } from '../../core/pages/read.js'
import { readBrowser } from '../../core/visitor/browser.js'
import type { LoadRequest } from '../../access/route/scope.js'
import { type ContentContext, expandForRequest, getContent } from '../content/content.js'
import { visibilityFilterOf } from '../content/visibility.js'
import type { SpaceRow } from '../spaces/store.js'
import type { AttributedEvent } from './reported-events.js'

/** A space, its current content for the reporter, and the pages in it that were viewed. */
interface ViewedSpace {
  readonly row: SpaceRow
  readonly pageIds: readonly PageId[]
}

/** Returns the events, those that are views of a page that the reporter may read marked as such. */
export async function markKnownPages(
  request: LoadRequest,
  spaces: readonly SpaceRow[],
  reported: readonly AttributedEvent[],
  asReader: (content: ContentContext) => ContentContext,
): Promise<AttributedEvent[]> {
  const bySpace = groupBy(reported.filter(isPageView), ({ event }) => event.spaceId!)
  const known = new Set<string>()
  for (const row of spaces) {
    const pageIds = [...new Set((bySpace.get(row.id) ?? []).map(({ event }) => event.pageId!))]
    if (pageIds.length === 0) continue
    for (const id of await findReadable(request, { row, pageIds }, asReader)) known.add(`${row.id} ${id}`)
  }
  return reported.map((one) => {
    const { spaceId, pageId } = one.event
    const isKnownPage = isPageView(one) && known.has(`${spaceId} ${pageId}`)
    return isKnownPage ? { ...one, event: { ...one.event, isKnownPage } } : one
  })
}

/** Bots are no readers: their views are counted as events alone. */
function isPageView({ visitor, event }: AttributedEvent): boolean {
  const { type, spaceId, pageId } = event
  if (type !== 'page_view' || spaceId == null || pageId == null) return false
  return readBrowser(visitor.userAgent).bot === null
}

async function findReadable(
  request: LoadRequest,
  { row, pageIds }: ViewedSpace,
  asReader: (content: ContentContext) => ContentContext,
): Promise<PageId[]> {
  const { services, immutable: db } = request
  const location = { db, services, organizationId: row.organization_id, spaceId: row.id }
  const written = asReader(await getContent(location, row.revision_id))
  const content = await expandForRequest(request, written)
  const filter = await visibilityFilterOf(content)
  const readable: PageId[] = []
  for (const page of await content.run(findPages(content.revision.snapshot, pageIds))) {
    if (page?.type !== 'document') continue
    if (filter === undefined || (await filter.isVisibleInTree(content, page))) readable.push(page.id)
  }
  return readable
}
