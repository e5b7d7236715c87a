/**
 * The tree of pages beside a page.
 *
 * Shown are the way to the page, its siblings at each step, and what is below it; every other branch is closed, and
 * its entries are fetched when it is opened. A small tree is shown whole. Headings of a space of some hundred pages are
 * all open; in a larger one they are closed too, and a long row of siblings shows a window around the way, with a gap at
 * either end that leads to the nearest page left out, whose own view shows its surroundings in turn. A group without
 * pages has none that would open it, so its links are shown everywhere.
 */
import type { PageId } from '../../core/ids.js'
import { type Range, at, endOfPrefix, range, rank } from '../../core/merkle/map.js'
import { together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { childrenPrefix, orderKey, readOrderKey } from '../../core/pages/keys.js'
import { type PageNode, findPage, findPageByPath, findPages } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import type { EntryNode, NavigationNode } from '../layout/view.js'
import type { Linker } from '../routing/linker.js'
import {
  type LeftOut,
  type Row,
  type ShownContent,
  type Sibling,
  countNodes,
  isListed,
  readAncestors,
} from './content.js'

/** Siblings shown of one row: each is a quarter of a kilobyte of every page beside it. */
const window = 60
/** Siblings that are read together and kept; their parts begin at the same places for every page. */
const partLength = 30
/** Bytes that one of them is estimated to take, with the markup that is made of it. */
const siblingWeight = 1_800
/** The same of a row beside its siblings, and of each of them that it names. */
const [rowWeight, referenceWeight] = [4_000, 8]
/** How many pages a tree may have to be open everywhere: about 1 kB on its way. */
const openTreeLimit = 40

/** Returns the tree on the way to a page, that page marked; on no way for pages that are not of the content. */
export async function readNavigation(
  shown: ShownContent,
  way: readonly PageRecord[],
): Promise<readonly NavigationNode[]> {
  const { tree, content } = shown
  if (tree === undefined) return content.run(level(shown, null, way))
  const open = countNodes(tree) <= openTreeLimit ? undefined : new Set(way.map(({ id }) => id))
  return nodesOf(shown, tree, { current: way.at(-1)?.id, way: open })
}

/** Returns the entries below the page of a path, written as it is; undefined for what is not in the tree. */
export async function readBranch(
  shown: ShownContent,
  path: string,
): Promise<readonly NavigationNode[] | undefined> {
  const { content, tree } = shown
  const page = await content.run(findPageByPath(content.revision.snapshot, path))
  if (page === undefined || page.type === 'link' || page.path !== path) return undefined
  const above = await readAncestors(shown, page)
  if (![page, ...above].every((one) => isListed(shown, one))) return undefined
  if (tree === undefined) return content.run(level(shown, page.id, []))
  const way = wayIn(tree, page.id)
  const nodes = way.reduce((nodes, step) => nodes.find((node) => node.page.id === step)!.children, tree)
  return nodesOf(shown, nodes, { current: undefined, way: new Set(way) })
}

interface Around {
  readonly current: PageId | undefined
  /** The pages whose branches are open; undefined when all are. */
  readonly way: ReadonlySet<PageId> | undefined
}

function nodesOf(shown: ShownContent, nodes: readonly PageNode[], around: Around): NavigationNode[] {
  return nodes
    .filter(({ page }) => isListed(shown, page))
    .map(({ page, children }) => {
      const isOpen = page.type === 'group' || around.way === undefined || around.way.has(page.id)
      if (isOpen) return nodeOf(shown.linker, page, nodesOf(shown, children, around), around.current)
      return closedNode(
        shown.linker,
        page,
        children.some((child) => isListed(shown, child.page)),
      )
    })
}

/** Returns the ids on the way down to a page, its own at the end; none for a page that is not there. */
function wayIn(nodes: readonly PageNode[], id: PageId | undefined): readonly PageId[] {
  for (const { page, children } of nodes) {
    if (page.id === id) return [page.id]
    const below = wayIn(children, id)
    if (below.length > 0) return [page.id, ...below]
  }
  return []
}

function nodeOf(
  linker: Linker,
  page: PageRecord,
  children: readonly NavigationNode[],
  current: PageId | undefined,
): NavigationNode {
  if (page.type === 'group') return { kind: 'group', ...lookOf(page), children }
  return {
    kind: page.type === 'link' ? 'link' : 'page',
    ...lookOf(page),
    href: linker.page(page),
    ...(page.id === current && { current: true }),
    ...(children.length > 0 && { children }),
  }
}

/** A group that is closed leads to its first page; every other page leads to its own. */
function closedNode(linker: Linker, page: PageRecord, hasMore: boolean): EntryNode {
  return {
    kind: page.type === 'link' ? 'link' : 'page',
    ...lookOf(page),
    href: linker.page(page),
    ...(hasMore && page.type !== 'link' && { branch: linker.branch(page) }),
  }
}

function lookOf(page: PageRecord) {
  return {
    title: titleInLists(page),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
  }
}

/** The title by which a page is listed: a shorter one, where its author gave one. */
export function titleInLists(page: PageRecord): string {
  return page.type === 'document' ? (page.linkTitle ?? page.title) : page.title
}

/** Answers a row of siblings; the first page of `way` is one of them, and is opened. */
function* level(
  shown: ShownContent,
  parent: PageId | null,
  way: readonly PageRecord[],
): Step<NavigationNode[]> {
  const { linker } = shown
  const [open, ...further] = way
  const row = yield* readRow(shown, parent, open)
  const before = yield* gap(shown, row.before)
  const after = yield* gap(shown, row.after)
  const nodes: NavigationNode[] = []
  for (const { page, closed, hasMore, holdsLinks } of row.siblings) {
    if (page === undefined || !isListed(shown, page)) continue
    if (page.id === open?.id) {
      const children = hasMore ? yield* level(shown, page.id, further) : []
      nodes.push(nodeOf(linker, page, children, way.length === 1 ? page.id : undefined))
    } else if (holdsLinks) {
      nodes.push(nodeOf(linker, page, yield* level(shown, page.id, []), undefined))
    } else {
      nodes.push(closed!)
    }
  }
  return [...before, ...nodes, ...after]
}

/** Pages among which one is looked for that a gap may lead to. */
const nearEnough = 20

/** Answers the row around a page, or its beginning; what it reads does not grow with the row. */
export function* readRow(
  shown: ShownContent,
  parent: PageId | null,
  around: PageRecord | undefined,
): Step<Row> {
  const { order } = shown.content.revision.snapshot
  const beginning = yield* rowFrom(shown, parent, { start: 0 })
  const { first, count } = beginning
  if (around === undefined || count <= window) return beginning
  const own = orderKey(around.parent, around.position, around.id)
  const place = (yield* rank(order, own)) - first
  const start = Math.max(0, Math.min(place - window / 2, count - window))
  return start === 0 ? beginning : yield* rowFrom(shown, parent, { start, first, count })
}

/** Answers what is shown from a place in the row on, which follows from the same as its parts: pages below one page see the same. */
function* rowFrom(
  shown: ShownContent,
  parent: PageId | null,
  place: { readonly start: number; readonly first?: number; readonly count?: number },
): Step<Row> {
  const { content, rows, linker } = shown
  const { id, snapshot } = content.revision
  const { start } = place
  const name = `${linker.root} ${id} ${parent ?? ''} ${start}`
  const known = rows.get(name)
  if (known !== undefined) return known
  const { order } = snapshot
  const prefix = childrenPrefix(parent)
  const first = place.first ?? (yield* rank(order, prefix))
  const count = place.count ?? (yield* rank(order, endOfPrefix(prefix)!)) - first
  const end = Math.min(start + window, count)
  const read: Sibling[] = []
  const firstPart = start - (start % partLength)
  for (let part = firstPart; part < end; part += partLength)
    read.push(...(yield* readPart(shown, { parent, first, part })))
  const siblings = read.slice(start - firstPart, end - firstPart)
  const from = siblings[0]?.key ?? prefix
  const last = siblings.at(-1)?.key ?? prefix
  const row = {
    first,
    count,
    siblings,
    before: yield* leftOut(snapshot, start, { prefix, to: from, reverse: true }),
    after: yield* leftOut(snapshot, count - end, { prefix, from: `${last}\u0000` }),
  }
  rows.set(name, row, rowWeight + siblings.length * referenceWeight)
  return row
}

function* leftOut(snapshot: Snapshot, count: number, beside: Range): Step<LeftOut> {
  if (count === 0) return { count, nearest: [], page: undefined }
  const entries = yield* range(snapshot.order, { ...beside, limit: nearEnough })
  const nearest = entries.map(([key]) => idOf(key))
  const [page] = yield* findPages(snapshot, nearest.slice(0, 1))
  return { count, nearest, page }
}

/**
 * Answers a part of a row, which follows from the revision and where it is shown: whoever reads a page beside finds it
 * at hand.
 */
function* readPart(
  { content, parts, linker }: ShownContent,
  { parent, first, part }: { readonly parent: PageId | null; readonly first: number; readonly part: number },
): Step<readonly Sibling[]> {
  const { id, snapshot } = content.revision
  const name = `${linker.root} ${id} ${parent ?? ''} ${part}`
  const known = parts.get(name)
  if (known !== undefined) return known
  const [from] = (yield* at(snapshot.order, first + part))!
  const prefix = childrenPrefix(parent)
  const keys = (yield* range(snapshot.order, { prefix, from, limit: partLength })).map(([key]) => key)
  const pages = yield* findPages(snapshot, keys.map(idOf))
  const inside = yield* together(...pages.map((page) => firstInside(snapshot, page)))
  const siblings = keys.map((key, index) => {
    const [page, below] = [pages[index], inside[index]!]
    const hasMore = below.length > 0
    const closed = page && { ...closedNode(linker, page, hasMore), isKept: true as const }
    return {
      key,
      page,
      closed,
      hasMore,
      holdsLinks: page?.type === 'group' && hasMore && below.every(isLink),
    }
  })
  parts.set(name, siblings, siblings.length * siblingWeight)
  return siblings
}

const idOf = (key: string): PageId => readOrderKey(key).id

/** Answers the first pages inside a page: of a group that begins with a link as many as are shown, for it may hold no others. */
function* firstInside(
  snapshot: Snapshot,
  page: PageRecord | undefined,
): Step<readonly (PageRecord | undefined)[]> {
  if (page === undefined || page.type === 'link') return []
  const prefix = childrenPrefix(page.id)
  const [first] = (yield* range(snapshot.order, { prefix, limit: 1 })).map(([key]) => idOf(key))
  if (first === undefined) return []
  const begun = page.type === 'group' ? yield* findPages(snapshot, [first]) : [undefined]
  if (!begun.every(isLink)) return begun
  const ids = (yield* range(snapshot.order, { prefix, limit: window })).map(([key]) => idOf(key))
  return yield* findPages(snapshot, ids)
}

const isLink = (page: PageRecord | undefined): boolean => page?.type === 'link'

/** Answers the sign that siblings are left out, which leads to the nearest of them; nothing when none are. */
function* gap(shown: ShownContent, left: LeftOut): Step<NavigationNode[]> {
  const { count } = left
  if (count === 0) return []
  // The nearest will nearly always do, and each lies somewhere else.
  for (const [index, id] of left.nearest.entries()) {
    const page = index === 0 ? left.page : yield* findPage(shown.content.revision.snapshot, id)
    if (page !== undefined && page.type !== 'link' && isListed(shown, page))
      return [{ kind: 'gap', count, href: shown.linker.page(page) }]
  }
  return [{ kind: 'gap', count }]
}
