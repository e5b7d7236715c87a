/**
 * Pages whose addresses are like one that names nothing: mistyped, moved, or of another variant. Looked at are the
 * pages of a small space, and of a large one those beside the address and what the index finds for its last name; so
 * what it costs does not grow with the site. What is in no list is never named.
 */
import type { PageId } from '../../core/ids.js'
import { decodePercent } from '../../core/links/resolve.js'
import { range } from '../../core/merkle/map.js'
import { together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { pathKey } from '../../core/pages/keys.js'
import { nameOf } from '../../core/pages/paths.js'
import { type PageNode, findPageByPath, findPages } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import type { Services } from '../../access/route/scope.js'
import { type ReadablePage, isReadable } from '../routing/destination.js'
import { type ShownContent, isListed, openContent, readAncestors } from './content.js'

export interface SimilarPage {
  readonly shown: ShownContent
  readonly page: ReadablePage
}

/** What is told of an address, and how much of it about other variants. */
const mostTold = 5
const mostElsewhere = 2
/** How much of what is written in both must be the same, from 0 to 1. */
const leastLikeness = 0.4
/** The same beside the best: pages of one folder share the half of their addresses. */
const leastOfBest = 0.75
/** Characters of an address that are compared. */
const comparedLength = 200
/** Pages beside the address in a large space, before and after it. */
const beside = 100
/** Pages that the index is asked for. */
const mostFound = 10
/** Other variants in which the very address is looked for. */
const mostVariants = 20

interface Missed {
  /** Below the root of the variant, percent-encoded. */
  readonly path: string
  readonly signal: AbortSignal
}

/** Returns the pages whose addresses are most like the path, the best first. */
export async function findSimilar(
  services: Services,
  shown: ShownContent,
  { path: written, signal }: Missed,
): Promise<SimilarPage[]> {
  const path = decodePercent(written)
    .toLowerCase()
    .replace(/\.md$/, '')
    .split('/')
    .filter(Boolean)
    .join('/')
    .slice(0, comparedLength)
  if (path === '') return []
  const told = await findElsewhere(services, shown, path)
  const near = await findNear(services, shown, path, signal)
  const [whole, name] = [pairsOf(path), pairsOf(nameOf(path))]
  const ranked = near
    .map((page) => {
      const own = page.path.toLowerCase()
      // Whoever moves a page keeps its name.
      const alike = Math.max(likeness(whole, pairsOf(own)), 0.95 * likeness(name, pairsOf(nameOf(own))))
      return { page, alike }
    })
    .filter(({ alike }) => alike >= leastLikeness)
    .toSorted((a, b) => b.alike - a.alike)
  const best = ranked[0]?.alike ?? 0
  for (const { page, alike } of ranked.slice(0, 4 * mostTold)) {
    if (told.length === mostTold || alike < leastOfBest * best) break
    const above = await readAncestors(shown, page)
    if (above.every((one) => isListed(shown, one))) told.push({ shown, page })
  }
  return told
}

/** Returns listed pages of the same variant among which some may be like the path. */
async function findNear(
  services: Services,
  shown: ShownContent,
  path: string,
  signal: AbortSignal,
): Promise<ReadablePage[]> {
  const { content, tree } = shown
  const { snapshot } = content.revision
  const isTold = (page: PageRecord | undefined): page is ReadablePage =>
    page !== undefined && isReadable(page) && isListed(shown, page)
  if (tree !== undefined) return [...pagesOf(tree)].filter(isTold)
  const [near, found] = await Promise.all([
    content.run(pagesBeside(snapshot, path)),
    findByWords(services, shown, nameOf(path), signal),
  ])
  const ids = [...new Set([...near, ...found])]
  return (await content.run(findPages(snapshot, ids))).filter(isTold)
}

function* pagesOf(nodes: readonly PageNode[]): Generator<PageRecord> {
  for (const { page, children } of nodes) {
    yield page
    yield* pagesOf(children)
  }
}

/** Answers the pages whose paths stand around this one in the order of paths. */
function* pagesBeside({ paths }: Snapshot, path: string): Step<PageId[]> {
  const key = pathKey(path)
  const [before, after] = yield* together(
    range(paths, { to: key, limit: beside, reverse: true }),
    range(paths, { from: key, limit: beside }),
  )
  return [...before, ...after].map(([, id]) => id as PageId)
}

/** Returns what the index finds for the words of a name; nothing while too many search, for nobody waits for this. */
async function findByWords(
  { searching }: Services,
  { content, variant }: ShownContent,
  name: string,
  signal: AbortSignal,
): Promise<PageId[]> {
  const question = {
    // By what stands in the open alone: an address that names nothing is no search.
    searched: {
      organizationId: content.organizationId,
      spaceIds: [variant.spaceId],
      spoken: [{ spaceId: variant.spaceId, language: variant.language }],
      guards: [],
    },
    query: name.split(/[-_.]/).filter(Boolean).join(' '),
    by: 'page',
    offset: 0,
    limit: mostFound,
    excerptLength: 0,
  } as const
  try {
    const { pages } = await searching.find(question, signal)
    return pages.map(({ pageId }) => pageId)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Returns the pages that stand at the very path in other variants, those of the same section first. */
async function findElsewhere(
  services: Services,
  { site, variant }: ShownContent,
  path: string,
): Promise<SimilarPage[]> {
  const section = site.sections.find(({ variants }) => variants.includes(variant))
  const others = new Set([...(section?.variants ?? []), ...site.variants])
  others.delete(variant)
  const found: SimilarPage[] = []
  for (const other of [...others].filter(({ isHidden }) => !isHidden).slice(0, mostVariants)) {
    if (found.length === mostElsewhere) break
    const shown = await openContent(services, site, other)
    const page = await shown.content.run(findPageByPath(shown.content.revision.snapshot, path))
    if (page === undefined || !isReadable(page)) continue
    const above = await readAncestors(shown, page)
    if ([page, ...above].every((one) => isListed(shown, one))) found.push({ shown, page })
  }
  return found
}

/** Two letters that stand beside each other, and how often. */
type Pairs = ReadonlyMap<string, number>

/** Returns the pairs of letters of a text, its beginning and its end among them. */
function pairsOf(text: string): Pairs {
  const letters = ` ${text.slice(0, comparedLength)} `
  const pairs = new Map<string, number>()
  for (let at = 1; at < letters.length; at++) {
    const pair = letters.slice(at - 1, at + 1)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** How much of both is the same: 1 for equals, 0 for texts without a common pair. */
function likeness(one: Pairs, other: Pairs): number {
  let [common, all] = [0, 0]
  for (const [pair, count] of one) {
    common += Math.min(count, other.get(pair) ?? 0)
    all += count
  }
  for (const count of other.values()) all += count
  return (2 * common) / all
}
