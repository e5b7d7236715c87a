/** Builds search queries and presents their results: pages of a space, or spaces with pages. */
import type { SpaceId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { SearchPage, SearchSpace } from '../../contract/search.js'
import type { SectionScope } from '../../store/search/engine.js'
import type { FoundPage, SearchResult, SearchQuery } from '../../store/search-workers/execute-search.js'
import { pageAppUrl } from '../content/present.js'

interface SearchParameters {
  readonly query: string
  readonly page?: string
  readonly limit: number
}

interface SearchList<Item> {
  next?: { page: string }
  count: number
  items: Item[]
}

/** Characters of an excerpt, about three lines. */
const excerptLength = 220

export function questionOf(
  scope: SectionScope,
  by: SearchQuery['by'],
  { query, page, limit }: SearchParameters,
): SearchQuery {
  return { scope, query, by, offset: offsetOf(page), limit, excerptLength }
}

/** Returns the found pages, best first, each with its best sections. */
export function presentPages(
  { count, pages }: SearchResult,
  query: SearchParameters,
  addresses: Addresses,
): SearchList<SearchPage> {
  return { ...nextOf(count, query), count, items: pages.map((page) => presentPage(page, addresses)) }
}

/** Returns the found spaces, the one with the best page first; a space without a title is no longer visible to the reader. */
export function presentSpaces(
  { count, pages }: SearchResult,
  titles: ReadonlyMap<SpaceId, string>,
  query: SearchParameters,
  addresses: Addresses,
): SearchList<SearchSpace> {
  const found = new Set(pages.map(({ spaceId }) => spaceId))
  const items = [...found].flatMap((id) => {
    const title = titles.get(id)
    if (title === undefined) return []
    const own = pages.filter(({ spaceId }) => spaceId === id)
    return [{ id, title, pages: own.map((page) => presentPage(page, addresses)) }]
  })
  return { ...nextOf(count, query), count: count - (found.size - items.length), items }
}

function presentPage(
  { pageId, title, path, spaceId, sections }: FoundPage,
  addresses: Addresses,
): SearchPage {
  const app = pageAppUrl({ addresses, spaceId }, path)
  return {
    id: pageId,
    title: title.text,
    path,
    sections: sections.map(({ anchor, heading, excerpt }, index) => {
      const fragment = anchor === null ? '' : `#${anchor}`
      return {
        // A long section is indexed in several parts, which share their anchor.
        id: `${pageId}-${index}${fragment}`,
        title: heading.text,
        path: path + fragment,
        body: excerpt.text,
        urls: { app: app + fragment },
      }
    }),
    urls: { app },
  }
}

/** The cursor is an offset: ranks have no stable key. */
function offsetOf(page: string | undefined): number {
  if (page === undefined) return 0
  if (!/^\d{1,9}$/.test(page)) throw new ApiError('invalid_page_cursor')
  return Number(page)
}

/** Returns the cursor of the next page; nothing at the end. */
export function nextOf(
  count: number,
  { page, limit }: Omit<SearchParameters, 'query'>,
): { next?: { page: string } } {
  const end = offsetOf(page) + limit
  return limit > 0 && end < count ? { next: { page: String(end) } } : {}
}
