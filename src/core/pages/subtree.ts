/** A part of the page tree: the pages below one page or of the top level, level by level, down to a depth. */
import type { PageId } from '../ids.js'
import { countPrefixes } from '../merkle/map.js'
import { runTogether } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { childrenPrefix } from './keys.js'
import { type PageNode, children } from './read.js'
import type { PageRecord, Snapshot } from './types.js'

/**
 * Returns the nodes below a page in order, null for the top level; those of the last level of the depth have no
 * children. The cost follows the pages that are returned, a round trip per level.
 */
export function* subtree(
  snapshot: Snapshot,
  parent: PageId | null,
  depth: number = Infinity,
): Step<PageNode[]> {
  const pages = yield* children(snapshot, parent)
  if (depth <= 1) return pages.map((page) => ({ page, children: [] }))
  const below = yield* runTogether(...pages.map((page) => subtreeOf(snapshot, page, depth - 1)))
  return pages.map((page, index) => ({ page, children: below[index]! }))
}

function* subtreeOf(snapshot: Snapshot, page: PageRecord, depth: number): Step<PageNode[]> {
  return page.type === 'link' ? [] : yield* subtree(snapshot, page.id, depth)
}

/** Returns the number of pages directly below each page, without reading them. */
export function* countChildren(snapshot: Snapshot, pages: readonly PageRecord[]): Step<Map<PageId, number>> {
  const ids = pages.flatMap(({ id, type }) => (type === 'link' ? [] : [id]))
  const counts = yield* countPrefixes(snapshot.order, ids.map(childrenPrefix))
  return new Map(ids.map((id, index) => [id, counts[index]!]))
}
