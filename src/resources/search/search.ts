/** Search queries of the API, and the pages of their results. */
import { ApiError } from '../../contract/errors.js'
import type { SectionScope } from '../../store/search/engine.js'
import type { SearchQuery } from '../../store/search-workers/execute-search.js'

interface SearchParameters {
  readonly query: string
  readonly page?: string
  readonly limit: number
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
