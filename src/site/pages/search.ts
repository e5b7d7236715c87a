/**
 * Searching a site, for the dialog and for the page of results: the variant that is read, and of every other section
 * the default one. Where there are sections, a hit says in which it stands, and is shown with the others there.
 *
 * The index leaves out what its authors keep from search, tells what stands under which conditions, and may be a
 * moment behind the content: a hit counts only while its page is there and open to the reader.
 */
import { ancestors, findPages } from '../../core/pages/read.js'
import { together } from '../../core/merkle/steps.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { SpaceId } from '../../core/ids.js'
import type { FoundPage, FoundSection } from '../../store/search-workers/question.js'
import type { Services } from '../../access/route/scope.js'
import { groupBy } from '../../core/group.js'
import { findHeldGuards } from '../../resources/content/visibility.js'
import type { SearchItem, SearchResults } from '../layout/search-page.js'
import { sectionHeading } from '../routing/languages.js'
import type { ShownSite, Variant } from '../routing/site.js'
import { type ShownContent, isOpen, openContent } from './content.js'
import { titleInLists } from './navigation.js'

const usualExcerpt = 180
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
  /** Characters; as long as a list of results shows them, unless said otherwise. */
  readonly excerptLength?: number
}

/** Returns one page of the results. */
export async function searchSite(
  services: Services,
  shown: ShownContent,
  { query, page: number, signal, excerptLength = usualExcerpt }: ReadersQuery,
): Promise<SearchResults> {
  const { content, site, variant, linker } = shown
  const page = Math.min(Math.max(0, Math.trunc(number) || 0), mostPages)
  const variants = new Map(searchedFrom(site, variant).map((one) => [one.spaceId, one]))
  const spaceIds = [...variants.keys()]
  const { organizationId } = content
  const open = async (spaceId: SpaceId) => {
    const { variables } = await openContent(services, site, variants.get(spaceId)!)
    return { spaceId, variables }
  }
  const { pages: hits, count } = await services.searching.find(
    {
      searched: {
        organizationId,
        spaceIds,
        spoken: [...variants.values()].map(({ spaceId, language }) => ({ spaceId, language })),
        ...(site.isAdaptive && {
          guards: await findHeldGuards(services, { asker: site.asker, organizationId, spaceIds }, open),
        }),
      },
      query,
      by: 'page',
      offset: page * resultsPerPage,
      limit: resultsPerPage,
      excerptLength,
    },
    signal,
  )
  const items = new Map<FoundPage, SearchItem>()
  for (const [spaceId, ofSpace] of groupBy(hits, (hit) => hit.spaceId)) {
    const found = variants.get(spaceId)!
    const there = found === variant ? shown : await openContent(services, site, found)
    for (const [hit, item] of await findItems(there, ofSpace)) items.set(hit, item)
  }
  const isMore = page < mostPages && count > (page + 1) * resultsPerPage
  const more = `${linker.search.href}?q=${encodeURIComponent(query)}&page=${page + 1}`
  return {
    query,
    items: hits.flatMap((hit) => items.get(hit) ?? []),
    count: count - (hits.length - items.size),
    ...(isMore && { more }),
  }
}

/** Returns the variants among which somebody searches who reads one of them. */
function searchedFrom({ sections }: ShownSite, current: Variant): Variant[] {
  return sections.flatMap(({ variants }) => {
    if (variants.includes(current)) return [current]
    return variants.filter(({ isDefault, isHidden }) => isDefault && !isHidden)
  })
}

/** Returns what is shown of the hits in one variant; a page that is gone, or closed to the reader, is not among them. */
async function findItems(
  shown: ShownContent,
  hits: readonly FoundPage[],
): Promise<(readonly [FoundPage, SearchItem])[]> {
  const { content, site, variant } = shown
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
  const section = sectionHeading(site, variant)
  return found.flatMap(({ hit, record }, index) => {
    if (!above[index]!.every((one) => isOpen(shown, one))) return []
    return [[hit, itemOf(shown, hit, { record, above: above[index]!, section })] as const]
  })
}

function itemOf(
  shown: ShownContent,
  { title, sections }: FoundPage,
  found: { record: PageRecord; above: readonly PageRecord[]; section: string | undefined },
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
  const { linker, site } = shown
  const isCounted = site.siteId !== undefined && site.customization.insights.trackingCookie
  return {
    title,
    href: linker.page(found.record),
    ...(isCounted && found.record.type === 'document' && { counted: linker.told('view', found.record) }),
    ...(found.section !== undefined && { section: found.section }),
    breadcrumbs: found.above.map(titleInLists),
    sections: inOrder.map(({ anchor, heading, excerpt }) => {
      const told = excerpt.text === '' ? {} : { excerpt }
      return anchor === null ? told : { heading, href: linker.page(found.record, anchor), ...told }
    }),
  }
}

function isTold({ excerpt }: FoundSection): boolean {
  return excerpt.text !== ''
}
