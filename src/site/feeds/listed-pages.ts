/** The pages that a site tells programs of, in reading order, walked in steps so that others are answered meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import { type PageNode, pageTree } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { kindOf } from '../../store/cache/kinds.js'
import { type ShownContent, isListed } from '../pages/content.js'
import { isForRobots } from '../pages/page.js'
import { isReadable } from '../routing/destination.js'

export interface WholeContent {
  readonly shown: ShownContent
  readonly tree: readonly PageNode[]
}

/** Entries that are made at once: about a millisecond. */
const atOnce = 500

/** Returns the content with its whole tree. */
export async function readWhole(shown: ShownContent): Promise<WholeContent> {
  const { content, tree } = shown
  return { shown, tree: tree ?? (await content.run(pageTree(content.revision.snapshot))) }
}

/** Returns what is said of each thing, in order; nothing of those it answers undefined for. */
export async function inSteps<Thing, Said>(
  things: Iterable<Thing>,
  say: (thing: Thing) => Said | undefined,
): Promise<Said[]> {
  const all: Said[] = []
  let count = 0
  for (const thing of things) {
    const said = say(thing)
    if (said !== undefined) all.push(said)
    if (++count % atOnce === 0) await nextTurn()
  }
  return all
}

/** Walks the pages that anybody may find, in reading order; a page that is left out takes its subpages along. */
export function* pagesForRobots({
  shown,
  tree,
}: WholeContent): Generator<{ readonly page: PageRecord; readonly depth: number }> {
  yield* walk(tree, (page) => isListed(shown, page) && isForRobots(page))
}

function* walk(
  nodes: readonly PageNode[],
  isTold: (page: PageRecord) => boolean,
  depth = 0,
): Generator<{ readonly page: PageRecord; readonly depth: number }> {
  for (const { page, children } of nodes) {
    if (!isTold(page)) continue
    yield { page, depth }
    yield* walk(children, isTold, depth + 1)
  }
}

/** Bytes of an id. */
const idWeight = 60
const orderKind = kindOf<readonly PageId[]>('pages with texts', (ids) => ids.length * idWeight)

/**
 * Returns the ids of the pages whose texts programs may have, in reading order: hidden ones too, which are only left
 * out of lists, but none that is kept from search. It follows from the revision alone: who may have a page, and what
 * is above it, is judged when it is read.
 */
export async function readTextOrder({ caches }: Services, shown: ShownContent): Promise<readonly PageId[]> {
  const { id } = shown.content.revision
  const known = caches.find(orderKind, id)
  if (known !== undefined) return known
  const { tree } = await readWhole(shown)
  const ids = await inSteps(walk(tree, isForRobots), ({ page }) => (isReadable(page) ? page.id : undefined))
  caches.keep(orderKind, id, ids)
  return ids
}
