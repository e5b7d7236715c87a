/** What is asked of the search, and what it found as the contract shows it: pages of a space, or spaces with pages. */
import type { SpaceId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { SearchPage, SearchSpace } from '../../contract/search.js'
import type { Searched } from '../../store/search/engine.js'
import type { FoundPage, SearchAnswer, SearchQuestion } from '../../store/search-workers/question.js'
import { pageAppUrl } from '../content/present.js'

interface SearchQuery {
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
  searched: Searched,
  by: SearchQuestion['by'],
  { query, page, limit }: SearchQuery,
): SearchQuestion {
  return { searched, query, by, offset: offsetOf(page), limit, excerptLength }
}

/** The pages that were found, best first, each with its best sections. */
export function presentPages(
  { count, pages }: SearchAnswer,
  query: SearchQuery,
  addresses: Addresses,
): SearchList<SearchPage> {
  return { ...nextOf(count, query), count, items: pages.map((page) => presentPage(page, addresses)) }
}

/** The spaces that were found, the one with the best page first; those without a title may not be seen any more. */
export function presentSpaces(
  { count, pages }: SearchAnswer,
  titles: ReadonlyMap<SpaceId, string>,
  query: SearchQuery,
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
        // A long section is found in several parts, which share their anchor.
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

/** Ranks have no stable key to go on from, so the cursor counts. */
function offsetOf(page: string | undefined): number {
  if (page === undefined) return 0
  if (!/^\d{1,9}$/.test(page)) throw new ApiError('invalid_page_cursor')
  return Number(page)
}

/** Returns where a list goes on after its page; nothing at its end. */
export function nextOf(
  count: number,
  { page, limit }: Omit<SearchQuery, 'query'>,
): { next?: { page: string } } {
  const end = offsetOf(page) + limit
  return limit > 0 && end < count ? { next: { page: String(end) } } : {}
}
