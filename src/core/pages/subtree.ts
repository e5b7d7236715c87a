/** A part of the page tree: one page with everything below it, level by level. */
import type { PageId } from '../ids.js'
import { runTogether } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { type PageNode, children } from './read.js'
import type { PageRecord, Snapshot } from './types.js'

/** Returns the nodes below a page in order; the cost follows the pages below it, a round trip per level. */
export function* subtree(snapshot: Snapshot, parent: PageId): Step<PageNode[]> {
  const pages = yield* children(snapshot, parent)
  const below = yield* runTogether(...pages.map((page) => subtreeOf(snapshot, page)))
  return pages.map((page, index) => ({ page, children: below[index]! }))
}

function* subtreeOf(snapshot: Snapshot, page: PageRecord): Step<PageNode[]> {
  return page.type === 'link' ? [] : yield* subtree(snapshot, page.id)
}
