/** The pages before and after a page in reading order. */
import type { Step } from '../../core/merkle/types.js'
import { ancestors, pageAfter, pageBefore } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { isReadable } from '../routing/destination.js'
import { type Row, type ShownContent, isListed } from './content.js'
import { readRow } from './navigation.js'

export interface Neighbours {
  readonly previous?: PageRecord
  readonly next?: PageRecord
}

/** Pages that are passed over before a neighbour is given up: a long row of links, or a hidden branch. */
const mostPassed = 200

/**
 * Returns the pages that come before and after in reading order; hidden ones and their subpages are passed over. `above`
 * are the pages above the page, as `readAncestors` returns them.
 */
export function readNeighbours(
  shown: ShownContent,
  page: PageRecord,
  above: readonly PageRecord[],
): Promise<Neighbours> {
  return shown.content.run(neighbours(shown, page, above))
}

function* neighbours(shown: ShownContent, page: PageRecord, above: readonly PageRecord[]): Step<Neighbours> {
  const beside = besideIn(yield* readRow(shown, page.parent, page), page)
  const way = { page, above }
  const previous = yield* neighbour(shown, way, beside.previous, pageBefore)
  const next = yield* neighbour(shown, way, beside.next, pageAfter)
  return { ...(previous && { previous }), ...(next && { next }) }
}

/** The neighbours that the row of a page has at hand: its siblings, where nothing comes in between that is inside. */
function besideIn({ siblings }: Row, page: PageRecord): Neighbours {
  const at = siblings.findIndex((one) => one.page?.id === page.id)
  const [before, own, after] = [siblings[at - 1], siblings[at], siblings[at + 1]]
  return {
    ...(before?.hasMore === false && before.page && { previous: before.page }),
    ...(own?.hasMore === false && after?.page && { next: after.page }),
  }
}

function* neighbour(
  shown: ShownContent,
  { page, above }: { readonly page: PageRecord; readonly above: readonly PageRecord[] },
  nearest: PageRecord | undefined,
  step: (snapshot: Snapshot, page: PageRecord) => Step<PageRecord | undefined>,
): Step<PageRecord | undefined> {
  const { snapshot } = shown.content.revision
  let found = nearest ?? (yield* step(snapshot, page))
  for (let passed = 0; found !== undefined && passed < mostPassed; passed++) {
    if (isReadable(found) && isListed(shown, found)) {
      const way: readonly PageRecord[] =
        found.parent === page.parent ? above : yield* ancestors(snapshot, found)
      if (way.every((one) => isListed(shown, one))) return found
    }
    found = yield* step(snapshot, found)
  }
  return undefined
}
