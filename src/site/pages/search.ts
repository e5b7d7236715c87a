/**
 * Searching one variant of a site, for the dialog and for the page of results.
 *
 * The index leaves out what its authors keep from search, and may be a moment behind the content: a
 * hit counts only while its page is there and open to readers.
 */
import { ancestors, findPages } from '../../core/pages/read.js'
import { together } from '../../core/merkle/steps.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { FoundPage, FoundSection } from '../../store/searching/question.js'
import type { Searching } from '../../store/searching/searching.js'
import type { SearchItem, SearchResults } from '../layout/search-page.js'
import { type ShownContent, isOpen } from './content.js'
import { titleInLists } from './navigation.js'

const excerptLength = 180
export const longestQuery = 512
const resultsPerPage = 20
const sectionsPerPage = 3
/** Beyond this nobody reads on, and every further page costs more. */
const mostPages = 25

/** What a reader asks, and a signal that is aborted when they have gone. */
export interface ReadersQuery {
  readonly query: string
  /** Of the results, counted from 0. */
  readonly page: number
  readonly signal: AbortSignal
}

/** Returns one page of the results. */
export async function searchVariant(
  searching: Searching,
  shown: ShownContent,
  { query, page: number, signal }: ReadersQuery,
): Promise<SearchResults> {
  const { content, variant, linker } = shown
  const page = Math.min(Math.max(0, Math.trunc(number) || 0), mostPages)
  const { pages: hits, count } = await searching.find(
    {
      searched: { organizationId: content.organizationId, spaceIds: [variant.spaceId] },
      query,
      by: 'page',
      offset: page * resultsPerPage,
      limit: resultsPerPage,
      excerptLength,
    },
    signal,
  )
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
  const items = found.map(({ hit, record }, index) => itemOf(shown, hit, { record, above: above[index]! }))
  const isMore = page < mostPages && count > (page + 1) * resultsPerPage
  const more = `${linker.search.href}?q=${encodeURIComponent(query)}&page=${page + 1}`
  return { query, items, count: count - (hits.length - found.length), ...(isMore && { more }) }
}

function itemOf(
  shown: ShownContent,
  { title, sections }: FoundPage,
  found: { record: PageRecord; above: readonly PageRecord[] },
): SearchItem {
  // A long section is found in several parts, of which the best one speaks.
  const isFirst = (one: FoundSection, at: number) =>
    sections.findIndex(({ anchor }) => anchor === one.anchor) === at
  const parts = sections.filter(isFirst)
  const meant = parts.filter(({ heading, excerpt }) => heading.marks.length + excerpt.marks.length > 0)
  // Where the title alone was meant, the text of its best section says what the page is about.
  const shownParts = meant.length > 0 ? meant.slice(0, sectionsPerPage) : parts.filter(isTold).slice(0, 1)
  // What stands under the title itself comes first, as it does in the page.
  const inOrder = shownParts.toSorted((a, b) => Number(b.anchor === null) - Number(a.anchor === null))
  return {
    title,
    href: shown.linker.page(found.record),
    breadcrumbs: found.above.filter((one) => isOpen(shown, one)).map(titleInLists),
    sections: inOrder.map(({ anchor, heading, excerpt }) => {
      const told = excerpt.text === '' ? {} : { excerpt }
      return anchor === null ? told : { heading, href: shown.linker.page(found.record, anchor), ...told }
    }),
  }
}

function isTold({ excerpt }: FoundSection): boolean {
  return excerpt.text !== ''
}
