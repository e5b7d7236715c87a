/**
 * Suggestions for a missing address ("did you mean"), by bigram similarity: mistyped, moved, or in another variant.
 * Compares all pages of a small space; in a large one the neighbours in path order and the index hits for the last part
 * of the address, so the cost does not grow with the site. Unlisted pages are never suggested.
 */
import type { PageId } from '../../core/ids.js'
import { decodePercent } from '../../core/links/resolve.js'
import { range } from '../../core/merkle/map.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { pathKey } from '../../core/pages/keys.js'
import { nameOf } from '../../core/pages/paths.js'
import { type PageNode, findPageByPath, findPages } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import type { Services } from '../../access/route/scope.js'
import { type ReadablePage, isReadable } from '../routing/destination.js'
import { type VisibleContent, isListed, openContent, readAncestors } from './content.js'

export interface SimilarPage {
  readonly visible: VisibleContent
  readonly page: ReadablePage
}

/** Suggestions for an address, and how many of them in other variants. */
const maxSuggestions = 5
const maxElsewhere = 2
/** Least similarity of a suggestion, from 0 to 1. */
const minSimilarity = 0.4
/** Least similarity as a share of the best: pages of one folder have half of their addresses in common. */
const minShareOfBest = 0.75
/** Characters of an address that are compared. */
const maxComparedLength = 200
/** Neighbours in path order in a large space, before and after the address. */
const maxNeighbours = 100
/** Pages requested from the index. */
const maxIndexHits = 10
/** Other variants in which the same path is looked up. */
const maxOtherVariants = 20

interface MissingPath {
  /** Below the root of the variant, percent-encoded. */
  readonly path: string
  readonly signal: AbortSignal
}

/** Returns the pages with the most similar addresses, the best first. */
export async function findSimilar(
  services: Services,
  visible: VisibleContent,
  { path: written, signal }: MissingPath,
): Promise<SimilarPage[]> {
  const path = decodePercent(written)
    .toLowerCase()
    .replace(/\.md$/, '')
    .split('/')
    .filter(Boolean)
    .join('/')
    .slice(0, maxComparedLength)
  if (path === '') return []
  const suggestions = await findInOtherVariants(services, visible, path)
  const candidates = await findCandidates(services, visible, path, signal)
  const [whole, name] = [bigramsOf(path), bigramsOf(nameOf(path))]
  const ranked = candidates
    .map((page) => {
      const own = page.path.toLowerCase()
      // A moved page usually keeps its last part.
      const score = Math.max(
        similarity(whole, bigramsOf(own)),
        0.95 * similarity(name, bigramsOf(nameOf(own))),
      )
      return { page, score }
    })
    .filter(({ score }) => score >= minSimilarity)
    .toSorted((a, b) => b.score - a.score)
  const best = ranked[0]?.score ?? 0
  for (const { page, score } of ranked.slice(0, 4 * maxSuggestions)) {
    if (suggestions.length === maxSuggestions || score < minShareOfBest * best) break
    const above = await readAncestors(visible, page)
    if (above.every((one) => isListed(visible, one))) suggestions.push({ visible, page })
  }
  return suggestions
}

/** Returns listed pages of the same variant to compare with the path. */
async function findCandidates(
  services: Services,
  visible: VisibleContent,
  path: string,
  signal: AbortSignal,
): Promise<ReadablePage[]> {
  const { content, tree } = visible
  const { snapshot } = content.revision
  const isSuggestable = (page: PageRecord | undefined): page is ReadablePage =>
    page !== undefined && isReadable(page) && isListed(visible, page)
  if (tree !== undefined) return [...pagesOf(tree)].filter(isSuggestable)
  const [candidates, found] = await Promise.all([
    content.run(pagesAround(snapshot, path)),
    findByWords(services, visible, nameOf(path), signal),
  ])
  const ids = [...new Set([...candidates, ...found])]
  return (await content.run(findPages(snapshot, ids))).filter(isSuggestable)
}

function* pagesOf(nodes: readonly PageNode[]): Generator<PageRecord> {
  for (const { page, children } of nodes) {
    yield page
    yield* pagesOf(children)
  }
}

/** Returns the pages before and after this path in the order of paths. */
function* pagesAround({ paths }: Snapshot, path: string): Step<PageId[]> {
  const key = pathKey(path)
  const [before, after] = yield* runTogether(
    range(paths, { to: key, limit: maxNeighbours, reverse: true }),
    range(paths, { from: key, limit: maxNeighbours }),
  )
  return [...before, ...after].map(([, id]) => id as PageId)
}

/** Returns the index hits for the words of a name; none while the search is overloaded, since this is optional. */
async function findByWords(
  { searching }: Services,
  { content, variant }: VisibleContent,
  name: string,
  signal: AbortSignal,
): Promise<PageId[]> {
  const query = {
    // Unconditional text only: a missing address is no search by the reader.
    scope: {
      organizationId: content.organizationId,
      spaceIds: [variant.spaceId],
      vocabularySpaces: [{ spaceId: variant.spaceId, language: variant.language }],
      guards: [],
    },
    query: name.split(/[-_.]/).filter(Boolean).join(' '),
    by: 'page',
    offset: 0,
    limit: maxIndexHits,
    excerptLength: 0,
  } as const
  try {
    const { pages } = await searching.find(query, signal)
    return pages.map(({ pageId }) => pageId)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Returns the pages at the same path in other variants, those of the same section first. */
async function findInOtherVariants(
  services: Services,
  { site, variant }: VisibleContent,
  path: string,
): Promise<SimilarPage[]> {
  const section = site.sections.find(({ variants }) => variants.includes(variant))
  const others = new Set([...(section?.variants ?? []), ...site.variants])
  others.delete(variant)
  const found: SimilarPage[] = []
  for (const other of [...others].filter(({ isHidden }) => !isHidden).slice(0, maxOtherVariants)) {
    if (found.length === maxElsewhere) break
    const visible = await openContent(services, site, other)
    const page = await visible.content.run(findPageByPath(visible.content.revision.snapshot, path))
    if (page === undefined || !isReadable(page)) continue
    const above = await readAncestors(visible, page)
    if ([page, ...above].every((one) => isListed(visible, one))) found.push({ visible, page })
  }
  return found
}

/** Pairs of adjacent letters with their counts. */
type Bigrams = ReadonlyMap<string, number>

/** Returns the bigrams of a text, its beginning and end included. */
function bigramsOf(text: string): Bigrams {
  const letters = ` ${text.slice(0, maxComparedLength)} `
  const bigrams = new Map<string, number>()
  for (let at = 1; at < letters.length; at++) {
    const bigram = letters.slice(at - 1, at + 1)
    bigrams.set(bigram, (bigrams.get(bigram) ?? 0) + 1)
  }
  return bigrams
}

/** Dice coefficient: 1 for equal texts, 0 without a common bigram. */
function similarity(one: Bigrams, other: Bigrams): number {
  let [common, all] = [0, 0]
  for (const [bigram, count] of one) {
    common += Math.min(count, other.get(bigram) ?? 0)
    all += count
  }
  for (const count of other.values()) all += count
  return (2 * common) / all
}
