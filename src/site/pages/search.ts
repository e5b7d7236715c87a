/**
 * Searching one variant of a site, for the dialog and for the page of results.
 *
 * The index leaves out what its authors keep from search, and may be a moment behind the content: a
 * hit counts only while its page is there and open to readers.
 */
import { excerpt } from '../../core/search/excerpt.js'
import { ancestors, findPages } from '../../core/pages/read.js'
import { together } from '../../core/merkle/steps.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Db } from '../../store/db/database.js'
import { type PageHit, searchSections } from '../../store/search/search.js'
import type { SearchItem, SearchResults } from '../layout/other-pages.js'
import { type ShownContent, isOpen } from './content.js'
import { titleInLists } from './navigation.js'

const excerptLength = 180
export const longestQuery = 512
const resultsPerPage = 20
/** Beyond this nobody reads on, and every further page costs more. */
const mostPages = 25

/** Returns one page of the results, counted from 0. */
export async function searchVariant(
  db: Db,
  shown: ShownContent,
  query: string,
  number = 0,
): Promise<SearchResults> {
  const { content, variant, linker } = shown
  const page = Math.min(Math.max(0, Math.trunc(number) || 0), mostPages)
  const {
    items: hits,
    count,
    terms,
  } = await searchSections(db, {
    searched: { organizationId: content.organizationId, spaceIds: [variant.spaceId] },
    text: query,
    limit: resultsPerPage,
    offset: page * resultsPerPage,
  })
  const { snapshot } = content.revision
  const pages = await content.run(
    findPages(
      snapshot,
      hits.map(({ pageId }) => pageId),
    ),
  )
  const found = hits.flatMap((hit, index) => {
    const record = pages[index]
    return record !== undefined && isOpen(shown, record) ? [{ hit, record }] : []
  })
  const above = await content.run(together(...found.map(({ record }) => ancestors(snapshot, record))))
  const items = found.map(({ hit, record }, index) =>
    itemOf(shown, hit, { record, above: above[index]!, terms }),
  )
  const isMore = page < mostPages && count > (page + 1) * resultsPerPage
  const more = `${linker.search.href}?q=${encodeURIComponent(query)}&page=${page + 1}`
  return { query, items, count: count - (hits.length - found.length), ...(isMore && { more }) }
}

function itemOf(
  shown: ShownContent,
  { title, sections }: PageHit,
  found: { record: PageRecord; above: readonly PageRecord[]; terms: readonly string[] },
): SearchItem {
  const [best] = sections
  const anchor = best?.anchor ?? undefined
  // A heading may be all that was found: then the text of the next best section says what the page is about.
  const told = sections.find(({ body }) => body !== '')
  return {
    title,
    href: shown.linker.page(found.record, anchor),
    ...(anchor !== undefined && best !== undefined && { section: best.heading }),
    ...(told !== undefined && { excerpt: excerpt(told.body, found.terms, excerptLength) }),
    breadcrumbs: found.above.filter((one) => isOpen(shown, one)).map(titleInLists),
  }
}
