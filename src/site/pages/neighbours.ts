/** The pages before and after a page in reading order. */
import type { Step } from '../../core/merkle/types.js'
import { ancestors, pageAfter, pageBefore } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { isReadable } from '../routing/destination.js'
import { type ShownContent, isListed } from './content.js'

export interface Neighbours {
  readonly previous?: PageRecord
  readonly next?: PageRecord
}

/** Pages that are passed over before a neighbour is given up: a long row of links, or a hidden branch. */
const mostPassed = 200

/** Returns the pages that come before and after in reading order; hidden ones and their subpages are passed over. */
export function readNeighbours(shown: ShownContent, page: PageRecord): Promise<Neighbours> {
  return shown.content.run(neighbours(shown, page))
}

function* neighbours(shown: ShownContent, page: PageRecord): Step<Neighbours> {
  const previous = yield* neighbour(shown, page, pageBefore)
  const next = yield* neighbour(shown, page, pageAfter)
  return { ...(previous && { previous }), ...(next && { next }) }
}

function* neighbour(
  shown: ShownContent,
  page: PageRecord,
  step: (snapshot: Snapshot, page: PageRecord) => Step<PageRecord | undefined>,
): Step<PageRecord | undefined> {
  const { snapshot } = shown.content.revision
  let found = yield* step(snapshot, page)
  for (let passed = 0; found !== undefined && passed < mostPassed; passed++) {
    if (isReadable(found) && isListed(shown, found)) {
      const above = yield* ancestors(snapshot, found)
      if (above.every((one) => isListed(shown, one))) return found
    }
    found = yield* step(snapshot, found)
  }
  return undefined
}
