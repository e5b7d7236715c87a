/**
 * Navigation tree (sidebar) of a page, lazily loaded and windowed.
 *
 * Contains the path from the root to the page, its siblings at each level, and its subpages; all other branches are
 * collapsed, and fetched when expanded. A small tree is shown whole. In a space of some hundred pages all groups are
 * expanded; in a larger one they are collapsed too, and a long row of siblings shows a window around the path, with a gap
 * at either end that links to the nearest omitted page, whose own tree shows its surroundings. A group of links alone has
 * no page that would expand it, so its links are always shown.
 */
import type { PageId } from '../../core/ids.js'
import { type KeyRange, at, endOfPrefix, range, rank } from '../../core/merkle/map.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { childrenPrefix, orderKey, readOrderKey } from '../../core/pages/keys.js'
import { type PageNode, findPage, findPageByPath, findPages } from '../../core/pages/read.js'
import type { LinkPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { EntryNode, NavigationNode } from '../layout/view.js'
import type { Linker, PageWithPath } from '../routing/linker.js'
import {
  type OmittedSiblings,
  type SiblingRow,
  type VisibleContent,
  type Sibling,
  countNodes,
  isListed,
  readAncestors,
} from './content.js'
import { type LinkDestinations, hrefOf, readLinkDestinations } from './link-pages.js'

/** Siblings shown per row: each adds a quarter of a kilobyte to every page of the row. */
const windowSize = 60
/** Siblings that are read and cached as one chunk; chunk boundaries are the same for every page. */
const chunkLength = 30
/** Estimated bytes per cached sibling, with its rendered markup. */
const siblingWeight = 1_800
/** Estimated bytes of a cached row, and per reference to a sibling. */
const [rowWeight, referenceWeight] = [4_000, 8]
/** Pages of a tree that is fully expanded: about 1 kB compressed. */
const openTreeLimit = 40

/** Returns the tree expanded along `trail` with its last page marked as current; pass none for pages outside of the content. */
export async function readNavigation(
  visible: VisibleContent,
  trail: readonly PageRecord[],
): Promise<readonly NavigationNode[]> {
  const { tree, content } = visible
  if (tree === undefined) return content.run(level(visible, null, trail))
  const open = countNodes(tree) <= openTreeLimit ? undefined : new Set(trail.map(({ id }) => id))
  return nodesOf(visible, tree, { current: trail.at(-1)?.id, expanded: open })
}

/** Returns the entries below the page at exactly this path; undefined for pages that are not in the tree. */
export async function readBranch(
  visible: VisibleContent,
  path: string,
): Promise<readonly NavigationNode[] | undefined> {
  const { content, tree } = visible
  const page = await content.run(findPageByPath(content.revision.snapshot, path))
  if (page === undefined || page.type === 'link' || page.path !== path) return undefined
  const above = await readAncestors(visible, page)
  if (![page, ...above].every((one) => isListed(visible, one))) return undefined
  if (tree === undefined) return content.run(level(visible, page.id, []))
  const trail = trailTo(tree, page.id)
  const nodes = trail.reduce((nodes, step) => nodes.find((node) => node.page.id === step)!.children, tree)
  return nodesOf(visible, nodes, { current: undefined, expanded: new Set(trail) })
}

interface TreeState {
  readonly current: PageId | undefined
  /** The pages whose branches are expanded; undefined for all. */
  readonly expanded: ReadonlySet<PageId> | undefined
}

function nodesOf(visible: VisibleContent, nodes: readonly PageNode[], state: TreeState): NavigationNode[] {
  const { linker, linkDestinations } = visible
  const isInTree = (page: PageRecord) => isListed(visible, page, linkDestinations.get(page.id)?.pages)
  return nodes
    .filter(({ page }) => isInTree(page))
    .map(({ page, children }) => {
      if (page.type === 'link') return linkNode(linker, page, linkDestinations)
      const isOpen = page.type === 'group' || state.expanded === undefined || state.expanded.has(page.id)
      if (isOpen) return nodeOf(linker, page, nodesOf(visible, children, state), state.current)
      return closedNode(
        linker,
        page,
        children.some((child) => isInTree(child.page)),
      )
    })
}

/** Returns the ids from the root down to a page, its own last; none for an unknown page. */
function trailTo(nodes: readonly PageNode[], id: PageId | undefined): readonly PageId[] {
  for (const { page, children } of nodes) {
    if (page.id === id) return [page.id]
    const below = trailTo(children, id)
    if (below.length > 0) return [page.id, ...below]
  }
  return []
}

function linkNode(linker: Linker, page: LinkPage, destinations: LinkDestinations): EntryNode {
  const isOnSite = destinations.get(page.id)?.target.kind === 'page'
  return { kind: isOnSite ? 'page' : 'link', ...labelOf(page), href: hrefOf(linker, page, destinations) }
}

function nodeOf(
  linker: Linker,
  page: PageWithPath,
  children: readonly NavigationNode[],
  current: PageId | undefined,
): NavigationNode {
  if (page.type === 'group') return { kind: 'group', ...labelOf(page), children }
  return {
    kind: 'page',
    ...labelOf(page),
    href: linker.page(page),
    ...(page.id === current && { current: true }),
    ...(children.length > 0 && { children }),
  }
}

/** A collapsed group links to its first page; every other page to itself. */
function closedNode(linker: Linker, page: PageWithPath, hasMore: boolean): EntryNode {
  return {
    kind: 'page',
    ...labelOf(page),
    href: linker.page(page),
    ...(hasMore && { branch: linker.branch(page) }),
  }
}

function labelOf(page: PageRecord) {
  return {
    title: titleInLists(page),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
  }
}

/** Returns the title of a page in lists: its shorter link title, where it has one. */
export function titleInLists(page: PageRecord): string {
  return page.type === 'document' ? (page.linkTitle ?? page.title) : page.title
}

/** Returns the nodes of a row of siblings; the first page of `trail` is one of them, and is expanded. */
function* level(
  visible: VisibleContent,
  parent: PageId | null,
  trail: readonly PageRecord[],
): Step<NavigationNode[]> {
  const { linker } = visible
  const [open, ...further] = trail
  const row = yield* readRow(visible, parent, open)
  const before = yield* gap(visible, row.before)
  const after = yield* gap(visible, row.after)
  const nodes: NavigationNode[] = []
  for (const { page, linkedPages, closed, hasMore, hasOnlyLinks } of row.siblings) {
    if (page === undefined || !isListed(visible, page, linkedPages)) continue
    if (page.type === 'link') {
      nodes.push(closed!)
    } else if (page.id === open?.id) {
      const children = hasMore ? yield* level(visible, page.id, further) : []
      nodes.push(nodeOf(linker, page, children, trail.length === 1 ? page.id : undefined))
    } else if (hasOnlyLinks) {
      nodes.push(nodeOf(linker, page, yield* level(visible, page.id, []), undefined))
    } else {
      nodes.push(closed!)
    }
  }
  return [...before, ...nodes, ...after]
}

/** Omitted pages among which the target of a gap is looked for. */
const maxGapCandidates = 20

/** Returns the window of a row around a page, or at its beginning; the reads do not grow with the length of the row. */
export function* readRow(
  visible: VisibleContent,
  parent: PageId | null,
  around: PageRecord | undefined,
): Step<SiblingRow> {
  const { order } = visible.content.revision.snapshot
  const beginning = yield* readRowFrom(visible, parent, { start: 0 })
  const { first, count } = beginning
  if (around === undefined || count <= windowSize) return beginning
  const own = orderKey(around.parent, around.position, around.id)
  const window = (yield* rank(order, own)) - first
  const start = Math.max(0, Math.min(window - windowSize / 2, count - windowSize))
  return start === 0 ? beginning : yield* readRowFrom(visible, parent, { start, first, count })
}

/** Returns the window of a row from a position on; depends on the revision alone, so pages of one parent share it. */
function* readRowFrom(
  visible: VisibleContent,
  parent: PageId | null,
  window: { readonly start: number; readonly first?: number; readonly count?: number },
): Step<SiblingRow> {
  const { content, rows, linker } = visible
  const { id, snapshot } = content.revision
  const { start } = window
  const name = `${linker.root} ${id} ${parent ?? ''} ${start}`
  const known = rows.get(name)
  if (known !== undefined) return known
  const { order } = snapshot
  const prefix = childrenPrefix(parent)
  const first = window.first ?? (yield* rank(order, prefix))
  const count = window.count ?? (yield* rank(order, endOfPrefix(prefix)!)) - first
  const end = Math.min(start + windowSize, count)
  const read: Sibling[] = []
  const firstChunk = start - (start % chunkLength)
  for (let chunk = firstChunk; chunk < end; chunk += chunkLength)
    read.push(...(yield* readChunk(visible, { parent, first, chunk })))
  const siblings = read.slice(start - firstChunk, end - firstChunk)
  const from = siblings[0]?.key ?? prefix
  const last = siblings.at(-1)?.key ?? prefix
  const row = {
    first,
    count,
    siblings,
    before: yield* readOmitted(snapshot, start, { prefix, to: from, reverse: true }),
    after: yield* readOmitted(snapshot, count - end, { prefix, from: `${last}\u0000` }),
  }
  rows.set(name, row, rowWeight + siblings.length * referenceWeight)
  return row
}

function* readOmitted(snapshot: Snapshot, count: number, rest: KeyRange): Step<OmittedSiblings> {
  if (count === 0) return { count, nearest: [], page: undefined }
  const entries = yield* range(snapshot.order, { ...rest, limit: maxGapCandidates })
  const nearest = entries.map(([key]) => idOf(key))
  const [page] = yield* findPages(snapshot, nearest.slice(0, 1))
  return { count, nearest, page }
}

/** Returns a chunk of a row; depends on revision and variant alone, so it is cached for neighbouring pages. */
function* readChunk(
  { content, parts, linker }: VisibleContent,
  {
    parent,
    first,
    chunk,
  }: { readonly parent: PageId | null; readonly first: number; readonly chunk: number },
): Step<readonly Sibling[]> {
  const { id, snapshot } = content.revision
  const name = `${linker.root} ${id} ${parent ?? ''} ${chunk}`
  const known = parts.get(name)
  if (known !== undefined) return known
  const [from] = (yield* at(snapshot.order, first + chunk))!
  const prefix = childrenPrefix(parent)
  const keys = (yield* range(snapshot.order, { prefix, from, limit: chunkLength })).map(([key]) => key)
  const pages = yield* findPages(snapshot, keys.map(idOf))
  const inside = yield* runTogether(...pages.map((page) => firstInside(snapshot, page)))
  const destinations = yield* readLinkDestinations(snapshot, pages)
  const siblings = keys.map((key, index) => {
    const [page, below] = [pages[index], inside[index]!]
    const hasMore = below.length > 0
    const node =
      page?.type === 'link' ? linkNode(linker, page, destinations) : page && closedNode(linker, page, hasMore)
    return {
      key,
      page,
      linkedPages: (page && destinations.get(page.id)?.pages) ?? [],
      closed: node && { ...node, isCached: true as const },
      hasMore,
      hasOnlyLinks: page?.type === 'group' && hasMore && below.every(isLink),
    }
  })
  parts.set(name, siblings, siblings.length * siblingWeight)
  return siblings
}

const idOf = (key: string): PageId => readOrderKey(key).id

/** Returns the first subpage of a page; for a group that begins with a link a whole window, since it may contain only links. */
function* firstInside(
  snapshot: Snapshot,
  page: PageRecord | undefined,
): Step<readonly (PageRecord | undefined)[]> {
  if (page === undefined || page.type === 'link') return []
  const prefix = childrenPrefix(page.id)
  const [first] = (yield* range(snapshot.order, { prefix, limit: 1 })).map(([key]) => idOf(key))
  if (first === undefined) return []
  const probe = page.type === 'group' ? yield* findPages(snapshot, [first]) : [undefined]
  if (!probe.every(isLink)) return probe
  const ids = (yield* range(snapshot.order, { prefix, limit: windowSize })).map(([key]) => idOf(key))
  return yield* findPages(snapshot, ids)
}

const isLink = (page: PageRecord | undefined): boolean => page?.type === 'link'

/** Returns the gap node of omitted siblings, linking to the nearest listed one; none when none are omitted. */
function* gap(visible: VisibleContent, omitted: OmittedSiblings): Step<NavigationNode[]> {
  const { count } = omitted
  if (count === 0) return []
  // The nearest is nearly always listed; each further one is an extra read.
  for (const [index, id] of omitted.nearest.entries()) {
    const page = index === 0 ? omitted.page : yield* findPage(visible.content.revision.snapshot, id)
    if (page !== undefined && page.type !== 'link' && isListed(visible, page))
      return [{ kind: 'gap', count, href: visible.linker.page(page) }]
  }
  return [{ kind: 'gap', count }]
}
