/** Searching the pages of a space, and of all spaces that somebody may read. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SpaceId } from '../../core/ids.js'
import { excerpt } from '../../core/search/excerpt.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { SearchPage, SearchSpace } from '../../contract/search.js'
import type { Db } from '../../store/db/database.js'
import type { Searched } from '../../store/search/engine.js'
import {
  type PageHit,
  type RankedPage,
  loadPageHits,
  rankPages,
  searchSections,
} from '../../store/search/search.js'
import { findIndexState } from '../../store/search/state.js'
import { pageAppUrl } from '../content/present.js'
import { type SpaceKey, type SpaceRow, loadTitles } from '../spaces/store.js'

interface SearchQuery {
  readonly query: string
  readonly page?: string
  readonly limit: number
}

interface SearchList {
  next?: { page: string }
  count: number
  items: SearchPage[]
}

/** Characters of an excerpt, about three lines. */
const excerptLength = 220
/** Milliseconds after a write for which a search waits for the index, and between two looks at it. */
const indexPatience = 1_000
const indexLook = 10

/**
 * Resolves when the index is at the head of the space or past it, so that a program finds what it has just merged;
 * after a second of a head's life at the latest, because a large import is indexed for longer than anybody waits. Within
 * a snapshot at once.
 */
export async function awaitIndex(
  db: Db,
  { organization_id: organizationId, id, head_number: head, updated_at: movedAt }: SpaceRow,
  now: number,
): Promise<void> {
  // A snapshot stays as it is, and others wait for it; whoever reads from one has waited before.
  if (db.isTransaction) return
  const looks = Math.min(indexPatience, movedAt + indexPatience - now) / indexLook
  for (let look = 0; look < looks; look += 1) {
    const state = await findIndexState(db, { organizationId, spaceId: id })
    if (state !== undefined && state.headNumber >= head) return
    await sleep(indexLook)
  }
}

/** Answers the pages that hold all words of the query, best first, each with its best sections. */
export async function searchPages(
  db: Db,
  { organization_id: organizationId, id: spaceId }: SpaceKey,
  { query, page, limit }: SearchQuery,
  addresses: Addresses,
): Promise<SearchList> {
  const offset = page === undefined ? 0 : requireOffset(page)
  const found = await searchSections(db, {
    searched: { organizationId, spaceIds: [spaceId] },
    text: query,
    limit,
    offset,
  })
  const end = offset + limit
  return {
    ...(limit > 0 && end < found.count && { next: { page: String(end) } }),
    count: found.count,
    items: found.items.map((hit) => presentHit(hit, found.terms, addresses)),
  }
}

function presentHit(hit: PageHit, terms: readonly string[], addresses: Addresses): SearchPage {
  const { pageId, title, path } = hit
  const app = pageAppUrl({ addresses, spaceId: hit.spaceId }, path)
  return {
    id: pageId,
    title,
    path,
    sections: hit.sections.map(({ anchor, heading, body }, index) => {
      const fragment = anchor === null ? '' : `#${anchor}`
      return {
        // A long section is found in several parts, which share their anchor.
        id: `${pageId}-${index}${fragment}`,
        title: heading,
        path: path + fragment,
        body: excerpt(body, terms, excerptLength).text,
        urls: { app: app + fragment },
      }
    }),
    urls: { app },
  }
}

/** Ranks have no stable key to go on from, so the cursor counts. */
function requireOffset(page: string): number {
  if (!/^\d{1,9}$/.test(page)) throw new ApiError('invalid_page_cursor')
  return Number(page)
}

interface SpaceSearchList {
  next?: { page: string }
  count: number
  items: SearchSpace[]
}

/** Pages of one space that an answer shows. */
const pagesPerSpace = 10

/** Answers the spaces of those searched that have pages with all words of the query, the one with the best page first. */
export async function searchSpaces(
  db: Db,
  searched: Searched,
  { query, page, limit }: SearchQuery,
  addresses: Addresses,
): Promise<SpaceSearchList> {
  const offset = page === undefined ? 0 : requireOffset(page)
  const { pages: ranked, terms } = await rankPages(db, { searched, text: query })
  const bySpace = new Map<SpaceId, RankedPage[]>()
  for (const one of ranked) {
    const pages = bySpace.get(one.spaceId)
    if (pages === undefined) bySpace.set(one.spaceId, [one])
    else if (pages.length < pagesPerSpace) pages.push(one)
  }
  const end = offset + limit
  const shown = [...bySpace].slice(offset, end)
  const { organizationId } = searched
  const titles = await loadTitles(
    db,
    organizationId,
    shown.map(([id]) => id),
  )
  const hits = await loadPageHits(
    db,
    organizationId,
    shown.flatMap(([, pages]) => pages),
  )
  return {
    ...(limit > 0 && end < bySpace.size && { next: { page: String(end) } }),
    count: bySpace.size,
    items: shown.map(([id]) => ({
      id,
      title: titles.get(id)!,
      pages: hits.filter(({ spaceId }) => spaceId === id).map((hit) => presentHit(hit, terms, addresses)),
    })),
  }
}
