/** Previous and next page in reading order. */
import type { Step } from '../../core/merkle/types.js'
import { ancestors, pageAfter, pageBefore } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { isReadable } from '../routing/destination.js'
import { type SiblingRow, type VisibleContent, isListed } from './content.js'
import { readRow } from './navigation.js'

export interface Neighbours {
  readonly previous?: PageRecord
  readonly next?: PageRecord
}

/** Pages that are skipped before the search ends: a long row of links, or a hidden branch. */
const maxSkipped = 200

/**
 * Returns the previous and next page in reading order; hidden ones and their subpages are skipped. `above` are the pages
 * above the page, as `readAncestors` returns them.
 */
export function readNeighbours(
  visible: VisibleContent,
  page: PageRecord,
  above: readonly PageRecord[],
): Promise<Neighbours> {
  return visible.content.run(neighbours(visible, page, above))
}

function* neighbours(
  visible: VisibleContent,
  page: PageRecord,
  above: readonly PageRecord[],
): Step<Neighbours> {
  const known = neighboursInRow(yield* readRow(visible, page.parent, page), page)
  const self = { page, above }
  const previous = yield* neighbour(visible, self, known.previous, pageBefore)
  const next = yield* neighbour(visible, self, known.next, pageAfter)
  return { ...(previous && { previous }), ...(next && { next }) }
}

/** The neighbours known from the row of a page: its siblings, where no subpages come in between. */
function neighboursInRow({ siblings }: SiblingRow, page: PageRecord): Neighbours {
  const at = siblings.findIndex((one) => one.page?.id === page.id)
  const [before, own, after] = [siblings[at - 1], siblings[at], siblings[at + 1]]
  return {
    ...(before?.hasMore === false && before.page && { previous: before.page }),
    ...(own?.hasMore === false && after?.page && { next: after.page }),
  }
}

function* neighbour(
  visible: VisibleContent,
  { page, above }: { readonly page: PageRecord; readonly above: readonly PageRecord[] },
  nearest: PageRecord | undefined,
  step: (snapshot: Snapshot, page: PageRecord) => Step<PageRecord | undefined>,
): Step<PageRecord | undefined> {
  const { snapshot } = visible.content.revision
  let found = nearest ?? (yield* step(snapshot, page))
  for (let skipped = 0; found !== undefined && skipped < maxSkipped; skipped++) {
    if (isReadable(found) && isListed(visible, found)) {
      const self: readonly PageRecord[] =
        found.parent === page.parent ? above : yield* ancestors(snapshot, found)
      if (self.every((one) => isListed(visible, one))) return found
    }
    found = yield* step(snapshot, found)
  }
  return undefined
}
