/**
 * Executes a search: ranks pages, loads their texts, and makes excerpts with highlighted words.
 *
 * Query and result are plain values except for the visibility rule, so that a worker thread can execute it (see
 * `search-service.ts`). Does not check permissions: `scope` determines what may be found.
 */
import type { PageId, SpaceId } from '../../core/ids.js'
import { type Excerpt, createExcerpter } from '../../core/search/excerpt.js'
import type { Db } from '../db/database.js'
import type { SectionScope } from '../search/engine.js'
import { type PageHit, type RankedPage, loadPageHits, rankPages, searchSections } from '../search/search.js'

export interface SearchQuery {
  readonly scope: SectionScope
  /** As typed. */
  readonly query: string
  /** What is counted, and returned from `offset` on: pages, or spaces with their best pages. */
  readonly by: 'page' | 'space'
  readonly offset: number
  readonly limit: number
  /** Characters of an excerpt. */
  readonly excerptLength: number
}

export interface SearchResult {
  /** Pages or spaces that match; exact up to the best sections that are ranked. */
  readonly count: number
  /** Best first; by space, those of a space beside each other. */
  readonly pages: readonly FoundPage[]
}

export interface FoundPage {
  readonly spaceId: SpaceId
  readonly pageId: PageId
  /** Complete, with the matches highlighted; the headings too. */
  readonly title: Excerpt
  readonly path: string
  /** Position among all pages of the result, from 1. */
  readonly rank: number
  /** Higher is better; below 0 for pages with no more than half of the query. */
  readonly score: number
  /** Best first. */
  readonly sections: readonly FoundSection[]
}

export interface FoundSection {
  /** Null before the first heading. */
  readonly anchor: string | null
  readonly heading: Excerpt
  readonly score: number
  readonly excerpt: Excerpt
}

/** Pages per space in results by space. */
const pagesPerSpace = 10

/** Executes the query in the thread of the caller. */
export async function executeSearch(db: Db, query: SearchQuery): Promise<SearchResult> {
  const { count, items, terms } = await (query.by === 'page'
    ? searchSections(db, { ...query, text: query.query })
    : searchSpaces(db, query))
  const excerpt = createExcerpter(terms)
  return { count, pages: items.map((hit) => present(hit, excerpt, query.excerptLength)) }
}

async function searchSpaces(db: Db, { scope, query, offset, limit }: SearchQuery) {
  const { pages, terms } = await rankPages(db, { scope, text: query })
  const spaces = groupBySpace(pages)
  const window = spaces.slice(offset, offset + limit).flat()
  return { count: spaces.length, items: await loadPageHits(db, scope.organizationId, window), terms }
}

/** The space with the best page first. */
function groupBySpace(ranked: readonly RankedPage[]): RankedPage[][] {
  const bySpace = new Map<SpaceId, RankedPage[]>()
  for (const page of ranked) {
    const pages = bySpace.get(page.spaceId)
    if (pages === undefined) bySpace.set(page.spaceId, [page])
    else if (pages.length < pagesPerSpace) pages.push(page)
  }
  return [...bySpace.values()]
}

function present(
  hit: PageHit,
  excerpt: ReturnType<typeof createExcerpter>,
  excerptLength: number,
): FoundPage {
  const { spaceId, pageId, title, path, rank, score, sections } = hit
  const whole = (text: string) => excerpt(text, text.length)
  return {
    spaceId,
    pageId,
    title: whole(title),
    path,
    rank,
    score,
    sections: sections.map(({ anchor, heading, score: points, body }) => {
      return { anchor, heading: whole(heading), score: points, excerpt: excerpt(body, excerptLength) }
    }),
  }
}
