/**
 * Fractional positions among siblings: from "third child of this page" to a position, without reading the siblings.
 */
import type { PageId } from '../ids.js'
import { overlayGetMany, overlayNeighbours, overlayRange } from '../merkle/overlay.js'
import { runTogether } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { between, maxPositionLength, spread } from '../order/position.js'
import { putPage } from './draft.js'
import type { Draft } from './draft.js'
import { childrenPrefix, readOrderKey } from './keys.js'
import type { PageRecord } from './types.js'

/**
 * Returns a position for a page at `index` (from 0; absent or too large means last) among
 * the children of `parent`. When no short position is left there, all siblings get new ones.
 */
export function* positionAmong(draft: Draft, parent: PageId | null, index?: number): Step<string> {
  const prefix = childrenPrefix(parent)
  const { before, after } =
    index === undefined
      ? {
          before: (yield* overlayRange(draft.order, { prefix, limit: 1, reverse: true }))[0]?.[0] ?? null,
          after: null,
        }
      : yield* overlayNeighbours(draft.order, prefix, index)
  const low = before === null ? null : readOrderKey(before).position
  const high = after === null ? null : readOrderKey(after).position
  if (low === null || high === null || low < high) {
    const position = between(low, high)
    if (position.length <= maxPositionLength) return position
  }
  return yield* spreadSiblings(draft, parent, index)
}

/** Returns the children of a page as the draft has them, in order. */
export function* draftChildren(draft: Draft, parent: PageId | null): Step<PageRecord[]> {
  const keys = yield* overlayRange(draft.order, { prefix: childrenPrefix(parent) })
  const ids = keys.map(([key]) => readOrderKey(key).id)
  return (yield* overlayGetMany(draft.pages, ids)) as PageRecord[]
}

/** Returns all pages below a page, a level of the tree at a time. */
export function* descendants(draft: Draft, page: PageRecord): Step<PageRecord[]> {
  const found: PageRecord[] = []
  let level = [page]
  while (level.length > 0) {
    level = (yield* runTogether(...level.map((above) => draftChildren(draft, above.id)))).flat()
    found.push(...level)
  }
  return found
}

function* spreadSiblings(draft: Draft, parent: PageId | null, index?: number): Step<string> {
  const siblings = yield* draftChildren(draft, parent)
  const place = Math.min(index ?? siblings.length, siblings.length)
  const positions = spread(siblings.length + 1)
  for (const [at, sibling] of siblings.entries()) {
    yield* putPage(draft, { ...sibling, position: positions[at < place ? at : at + 1]! })
  }
  return positions[place]!
}
