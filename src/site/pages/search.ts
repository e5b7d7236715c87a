/**
 * Full-text search of a site, for the dialog and the page of results: in the current variant, and in the default variant
 * of every other section. On a site with sections, results name and are grouped by theirs.
 *
 * The index leaves out pages excluded from search, stores the conditions of texts, and may lag behind the content: a hit
 * counts only while its page exists and is open to the reader.
 */
import { ancestors, findPages } from '../../core/pages/read.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { SpaceId } from '../../core/ids.js'
import type { FoundPage, FoundSection } from '../../store/search-workers/execute-search.js'
import type { Services } from '../../access/route/scope.js'
import { groupBy } from '../../core/group.js'
import { findMatchingGuards } from '../../resources/content/visibility.js'
import type { SearchItem, SearchResults } from '../layout/search-page.js'
import { sectionHeading } from '../routing/languages.js'
import type { PublishedSite, Variant } from '../routing/site.js'
import { type VisibleContent, isVisible, openContent } from './content.js'
import { titleInLists } from './navigation.js'

const defaultExcerptLength = 180
export const maxQueryLength = 512
const resultsPerPage = 20
const sectionsPerPage = 3
/** Readers do not go further, and every further page costs more. */
const maxPages = 25

/** A search request, with a signal that is aborted when the client disconnects. */
export interface SiteSearchQuery {
  readonly query: string
  /** Of the results, counted from 0. */
  readonly page: number
  readonly signal: AbortSignal
  /** Characters; by default the length for lists of results. */
  readonly excerptLength?: number
}

/** Returns one page of the results. */
export async function searchSite(
  services: Services,
  visible: VisibleContent,
  { query, page: number, signal, excerptLength = defaultExcerptLength }: SiteSearchQuery,
): Promise<SearchResults> {
  const { content, site, variant, linker } = visible
  const page = Math.min(Math.max(0, Math.trunc(number) || 0), maxPages)
  const variants = new Map(searchedVariants(site, variant).map((one) => [one.spaceId, one]))
  const spaceIds = [...variants.keys()]
  const { organizationId } = content
  const open = async (spaceId: SpaceId) => {
    const { variables } = await openContent(services, site, variants.get(spaceId)!)
    return { spaceId, variables }
  }
  const { pages: hits, count } = await services.searching.find(
    {
      scope: {
        organizationId,
        spaceIds,
        vocabularySpaces: [...variants.values()].map(({ spaceId, language }) => ({ spaceId, language })),
        ...(site.isAdaptive && {
          guards: await findMatchingGuards(
            services,
            { asker: site.claimReader, organizationId, spaceIds },
            open,
          ),
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
    const opened = found === variant ? visible : await openContent(services, site, found)
    for (const [hit, item] of await findItems(opened, ofSpace)) items.set(hit, item)
  }
  const isMore = page < maxPages && count > (page + 1) * resultsPerPage
  const more = `${linker.search.href}?q=${encodeURIComponent(query)}&page=${page + 1}`
  return {
    query,
    items: hits.flatMap((hit) => items.get(hit) ?? []),
    count: count - (hits.length - items.size),
    ...(isMore && { more }),
  }
}

/** Returns the variants that a search from the current one covers. */
function searchedVariants({ sections }: PublishedSite, current: Variant): Variant[] {
  return sections.flatMap(({ variants }) => {
    if (variants.includes(current)) return [current]
    return variants.filter(({ isDefault, isHidden }) => isDefault && !isHidden)
  })
}

/** Returns the results for the hits in one variant, without pages that are deleted or closed to the reader. */
async function findItems(
  visible: VisibleContent,
  hits: readonly FoundPage[],
): Promise<(readonly [FoundPage, SearchItem])[]> {
  const { content, site, variant } = visible
  const { snapshot } = content.revision
  const pages = await content.run(
    findPages(
      snapshot,
      hits.map(({ pageId }) => pageId),
    ),
  )
  const found = hits.flatMap((hit, index) => {
    const record = pages[index]
    return record !== undefined && isVisible(visible, record) ? [{ hit, record }] : []
  })
  const above = await content.run(runTogether(...found.map(({ record }) => ancestors(snapshot, record))))
  const section = sectionHeading(site, variant)
  return found.flatMap(({ hit, record }, index) => {
    if (!above[index]!.every((one) => isVisible(visible, one))) return []
    return [[hit, itemOf(visible, hit, { record, above: above[index]!, section })] as const]
  })
}

function itemOf(
  visible: VisibleContent,
  { title, sections }: FoundPage,
  found: { record: PageRecord; above: readonly PageRecord[]; section: string | undefined },
): SearchItem {
  // A long section is indexed in several parts: the best one is shown.
  const isFirst = (one: FoundSection, at: number) =>
    sections.findIndex(({ anchor }) => anchor === one.anchor) === at
  const parts = sections.filter(isFirst)
  const matching = parts.filter(({ heading, excerpt }) => heading.marks.length + excerpt.marks.length > 0)
  // Where only the title matches, the text of its best section describes the page.
  const visibleParts =
    matching.length > 0 ? matching.slice(0, sectionsPerPage) : parts.filter(hasExcerpt).slice(0, 1)
  // Text directly below the title comes first, as on the page.
  const inOrder = visibleParts.toSorted((a, b) => Number(b.anchor === null) - Number(a.anchor === null))
  const { linker, site } = visible
  const isCounted = site.siteId !== undefined && site.customization.insights.trackingCookie
  return {
    title,
    href: linker.page(found.record),
    ...(isCounted && found.record.type === 'document' && { counted: linker.beacon('view', found.record) }),
    ...(found.section !== undefined && { section: found.section }),
    breadcrumbs: found.above.map(titleInLists),
    sections: inOrder.map(({ anchor, heading, excerpt }) => {
      const text = excerpt.text === '' ? {} : { excerpt }
      return anchor === null ? text : { heading, href: linker.page(found.record, anchor), ...text }
    }),
  }
}

function hasExcerpt({ excerpt }: FoundSection): boolean {
  return excerpt.text !== ''
}
