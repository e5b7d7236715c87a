/**
 * The tree of a site that has no menu: each page hangs on the one that it says is above it, by the way that it shows to
 * itself or by the page that it calls the upper one, in the order in which each says which is next.
 */
import type { Crumb } from '../../core/html/breadcrumbs.js'

/** What a page says of those around it, as addresses. */
export interface PageRelations {
  readonly next?: string | undefined
  readonly up?: string | undefined
  readonly trail: readonly Crumb[]
}

/** A page by its key, or a mere group. */
export interface PageTreeNode {
  readonly title: string
  readonly page?: string
  readonly children: PageTreeNode[]
}

/** Returns the node of a page by itself, which is called what the page is called. */
export function pageNode(page: string): PageTreeNode {
  return { title: '', page, children: [] }
}

interface TreePosition {
  readonly depth: number
  /** What its node stands among. */
  readonly siblings: PageTreeNode[]
  readonly children: PageTreeNode[]
}

/** Levels of a table of contents; what stands deeper stands beside. */
const maxDepth = 30

/**
 * Returns the pages that say where they stand, the first one apart: what is part of it is part of the whole. `pageOf`
 * answers the key of the page that an address leads to from another, undefined for what is no page.
 */
export function buildTreeFromRelations(
  first: string,
  pages: ReadonlyMap<string, PageRelations>,
  pageOf: (url: string | undefined, from: string) => string | undefined,
): readonly PageTreeNode[] {
  const top: PageTreeNode[] = []
  const root: TreePosition = { depth: 0, siblings: top, children: top }
  const positions = new Map<string, TreePosition>([[first, root]])
  const groups = new Map<PageTreeNode[], Map<string, TreePosition>>()

  function addNode(node: PageTreeNode, above: TreePosition): TreePosition {
    const isDeep = above.depth >= maxDepth
    const siblings = isDeep ? above.siblings : above.children
    siblings.push(node)
    return { depth: isDeep ? above.depth : above.depth + 1, siblings, children: node.children }
  }

  function findOrAddGroup(above: TreePosition, title: string): TreePosition {
    const inside = groups.get(above.children) ?? new Map<string, TreePosition>()
    groups.set(above.children, inside)
    const found = inside.get(title) ?? addNode({ title, children: [] }, above)
    inside.set(title, found)
    return found
  }

  /** The page above one, and the groups between them, the outermost first. */
  function findParent(key: string): {
    readonly page: string | undefined
    readonly groups: readonly string[]
  } {
    const { trail, up } = pages.get(key)!
    const between: string[] = []
    for (const [back, { title, url }] of trail.toReversed().entries()) {
      const page = pageOf(url, key)
      if (page !== undefined && page !== key) return { page, groups: between.toReversed() }
      // The last without an address is the page itself.
      if (url === undefined && back > 0) between.push(title)
    }
    const page = pageOf(up, key)
    return { page: page === key ? undefined : page, groups: page === undefined ? between.toReversed() : [] }
  }

  /** Those above come first; who stands above itself stands at the top. */
  function placePage(key: string): void {
    const pending: { readonly key: string; readonly groups: readonly string[] }[] = []
    const visited = new Set<string>()
    let above: string | undefined = key
    while (above !== undefined && !positions.has(above) && !visited.has(above)) {
      visited.add(above)
      const found = findParent(above)
      pending.push({ key: above, groups: found.groups })
      above = found.page
    }
    let under = (above === undefined ? undefined : positions.get(above)) ?? root
    for (const one of pending.toReversed()) {
      for (const title of one.groups) under = findOrAddGroup(under, title)
      under = addNode(pageNode(one.key), under)
      positions.set(one.key, under)
    }
  }

  const followed = new Set<string>()
  for (let key: string | undefined = first; key !== undefined && !followed.has(key);) {
    followed.add(key)
    placePage(key)
    key = pageOf(pages.get(key)?.next, key)
  }
  for (const [key, { up, trail }] of pages) if (up !== undefined || trail.length > 0) placePage(key)
  // What stands behind a group at the top would read as part of it.
  return [...top.filter(({ page }) => page !== undefined), ...top.filter(({ page }) => page === undefined)]
}
