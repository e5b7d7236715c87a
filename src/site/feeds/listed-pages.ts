/** Page listings for sitemaps, llms.txt and llms-full.txt, in reading order; long ones yield to the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import { type PageNode, pageTree } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { type VisibleContent, isListed } from '../pages/content.js'
import { isIndexable } from '../pages/page.js'
import { isReadable } from '../routing/destination.js'

export interface ContentWithTree {
  readonly visible: VisibleContent
  readonly tree: readonly PageNode[]
}

/** Entries per batch: about a millisecond. */
const batchSize = 500

/** Returns the content with its whole page tree. */
export async function readWithTree(visible: VisibleContent): Promise<ContentWithTree> {
  const { content, tree } = visible
  return { visible, tree: tree ?? (await content.run(pageTree(content.revision.snapshot))) }
}

/** Maps items in order, without undefined results, and yields to the event loop between batches. */
export async function mapInBatches<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result | undefined,
): Promise<Result[]> {
  const results: Result[] = []
  let count = 0
  for (const item of items) {
    const result = map(item)
    if (result !== undefined) results.push(result)
    if (++count % batchSize === 0) await nextTurn()
  }
  return results
}

/** Walks the listed and indexable pages in reading order; subpages of an excluded page are excluded. */
export function* crawlablePages({
  visible,
  tree,
}: ContentWithTree): Generator<{ readonly page: PageRecord; readonly depth: number }> {
  yield* walk(tree, (page) => isListed(visible, page) && isIndexable(page))
}

function* walk(
  nodes: readonly PageNode[],
  isIncluded: (page: PageRecord) => boolean,
  depth = 0,
): Generator<{ readonly page: PageRecord; readonly depth: number }> {
  for (const { page, children } of nodes) {
    if (!isIncluded(page)) continue
    yield { page, depth }
    yield* walk(children, isIncluded, depth + 1)
  }
}

/** Estimated bytes of an id. */
const idWeight = 60
const orderKind = cacheKind<readonly PageId[]>('pages with texts', (ids) => ids.length * idWeight)

/**
 * Returns the ids of the pages for llms-full.txt in reading order: hidden ones too, which are only left out of lists, but
 * none that is marked noindex. Cached per revision: the reader's access to a page and those above is checked when it is
 * read.
 */
export async function readTextOrder(
  { caches }: Services,
  visible: VisibleContent,
): Promise<readonly PageId[]> {
  const { id } = visible.content.revision
  const known = caches.find(orderKind, id)
  if (known !== undefined) return known
  const { tree } = await readWithTree(visible)
  const ids = await mapInBatches(walk(tree, isIndexable), ({ page }) =>
    isReadable(page) ? page.id : undefined,
  )
  caches.put(orderKind, id, ids)
  return ids
}
