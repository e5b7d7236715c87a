/**
 * The tree of pages beside a page, and the ways to the pages before and after it.
 *
 * A small space shows its whole tree. In a large one every page would carry megabytes of links that
 * nobody reads, so only the way to the page is shown: its ancestors with their siblings, its own
 * siblings and its children. A long row of siblings shows a window around the way, and a gap at either
 * end that leads to the nearest page left out, whose own view shows its surroundings in turn. A group without
 * pages has none that would open it, so its links are shown everywhere.
 */
import type { PageId } from '../../core/ids.js'
import { range } from '../../core/merkle/map.js'
import { together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { childrenPrefix, readOrderKey } from '../../core/pages/keys.js'
import { type PageNode, ancestors, findPages, pageAfter, pageBefore } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import type { NavigationNode } from '../layout/view.js'
import type { Linker } from '../routing/linker.js'
import { isReadable } from '../routing/destination.js'
import { type ShownContent, isListed } from './content.js'

/** Siblings shown of one row. */
const window = 80

/** Returns the tree with `current` marked; null for pages that are not of the content. */
export async function readNavigation(
  shown: ShownContent,
  current: PageRecord | null,
): Promise<readonly NavigationNode[]> {
  const { tree, content } = shown
  if (tree !== undefined) return nodesOf(shown, tree, current?.id)
  return content.run(wayTo(shown, current))
}

function nodesOf(
  shown: ShownContent,
  nodes: readonly PageNode[],
  current: string | undefined,
): NavigationNode[] {
  return nodes.flatMap(({ page, children }) =>
    isListed(shown, page) ? [nodeOf(shown.linker, page, nodesOf(shown, children, current), current)] : [],
  )
}

function nodeOf(
  linker: Linker,
  page: PageRecord,
  children: readonly NavigationNode[],
  current: string | undefined,
): NavigationNode {
  const look = {
    title: titleInLists(page),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
  }
  if (page.type === 'group') return { kind: 'group', ...look, children }
  return {
    kind: page.type === 'link' ? 'link' : 'page',
    ...look,
    href: linker.page(page),
    ...(page.id === current && { current: true }),
    ...(children.length > 0 && { children }),
  }
}

/** The title by which a page is listed: a shorter one, where its author gave one. */
export function titleInLists(page: PageRecord): string {
  return page.type === 'document' ? (page.linkTitle ?? page.title) : page.title
}

function* wayTo(shown: ShownContent, current: PageRecord | null): Step<NavigationNode[]> {
  const { snapshot } = shown.content.revision
  const way = current === null ? [] : [...(yield* ancestors(snapshot, current)), current]
  return yield* level(shown, null, way)
}

/** Answers a row of siblings; the first page of `way` is one of them, and is opened. */
function* level(
  shown: ShownContent,
  parent: PageId | null,
  way: readonly PageRecord[],
): Step<NavigationNode[]> {
  const { linker, content } = shown
  const { snapshot } = content.revision
  const keys = yield* range(snapshot.order, { prefix: childrenPrefix(parent) })
  const ids = keys.map(([key]) => readOrderKey(key).id)
  const [open, ...further] = way
  const at = Math.max(0, open === undefined ? 0 : ids.indexOf(open.id))
  const start = Math.max(0, Math.min(at - window / 2, ids.length - window))
  const end = Math.min(ids.length, start + window)
  const before = yield* gap(shown, ids.slice(0, start).toReversed())
  const after = yield* gap(shown, ids.slice(end))
  const listed = (yield* findPages(snapshot, ids.slice(start, end))).filter(
    (page): page is PageRecord => page !== undefined && isListed(shown, page),
  )
  const inside = yield* together(...listed.map((page) => firstInside(snapshot, page)))
  const nodes: NavigationNode[] = []
  for (const [index, page] of listed.entries()) {
    if (page.id === open?.id) {
      const children = yield* level(shown, page.id, further)
      nodes.push(nodeOf(linker, page, children, way.length === 1 ? page.id : undefined))
    } else if (page.type === 'group' && inside[index]!.length > 0 && inside[index]!.every(isLink)) {
      nodes.push(nodeOf(linker, page, yield* level(shown, page.id, []), undefined))
    } else {
      nodes.push(closedNode(linker, page, inside[index]!.length > 0))
    }
  }
  return [...before, ...nodes, ...after]
}

/** A group that is closed leads to its first page; every other page leads to its own. */
function closedNode(linker: Linker, page: PageRecord, more: boolean): NavigationNode {
  const node = nodeOf(linker, page, [], undefined)
  if (node.kind === 'gap') return node
  const { title, emoji, icon } = node
  return {
    kind: page.type === 'link' ? 'link' : 'page',
    title,
    href: linker.page(page),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(more && { more }),
  }
}

/** Answers the first pages inside a page: of a group as many as are shown, for it may hold nothing but links. */
function* firstInside(snapshot: Snapshot, page: PageRecord): Step<readonly (PageRecord | undefined)[]> {
  if (page.type === 'link') return []
  const prefix = childrenPrefix(page.id)
  const limit = page.type === 'group' ? window : 1
  const ids = (yield* range(snapshot.order, { prefix, limit })).map(([key]) => readOrderKey(key).id)
  return page.type === 'group' ? yield* findPages(snapshot, ids) : ids.map(() => undefined)
}

const isLink = (page: PageRecord | undefined): boolean => page?.type === 'link'

/** Answers the sign that siblings are left out, which leads to the nearest of them; nothing when none are. */
function* gap(shown: ShownContent, ids: readonly PageId[]): Step<NavigationNode[]> {
  if (ids.length === 0) return []
  const near = yield* findPages(shown.content.revision.snapshot, ids.slice(0, 20))
  const page = near.find((one) => one !== undefined && one.type !== 'link' && isListed(shown, one))
  return [{ kind: 'gap', count: ids.length, ...(page && { href: shown.linker.page(page) }) }]
}

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
