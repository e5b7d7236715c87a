/**
 * Page tree from link relations: for a site without a menu, the parent of each page comes from its breadcrumbs or its
 * rel="up" link, and the order from its rel="next" links.
 */
import type { Crumb } from '../../core/html/breadcrumbs.js'

/** The link relations of a page, as URLs. */
export interface PageRelations {
  readonly next?: string | undefined
  readonly up?: string | undefined
  readonly trail: readonly Crumb[]
}

/** A page by its key, or a group without a page. */
export interface PageTreeNode {
  readonly title: string
  readonly page?: string
  readonly children: PageTreeNode[]
}

/** Returns the node of a page without children; its title is the page's own. */
export function pageNode(page: string): PageTreeNode {
  return { title: '', page, children: [] }
}

interface TreePosition {
  readonly depth: number
  /** The list that contains its node. */
  readonly siblings: PageTreeNode[]
  readonly children: PageTreeNode[]
}

/** Maximum depth of the table of contents; deeper pages become siblings. */
const maxDepth = 30

/**
 * Returns the tree of the pages that have relations, without the first page: its children are at the top. `pageOf`
 * returns the key of the page that a URL leads to from another page, undefined when it is not a page.
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
    const siblings = groups.get(above.children) ?? new Map<string, TreePosition>()
    groups.set(above.children, siblings)
    const found = siblings.get(title) ?? addNode({ title, children: [] }, above)
    siblings.set(title, found)
    return found
  }

  /** Returns the parent page, and the groups between the two, outermost first. */
  function findParent(key: string): {
    readonly page: string | undefined
    readonly groups: readonly string[]
  } {
    const { trail, up } = pages.get(key)!
    const between: string[] = []
    for (const [back, { title, url }] of trail.toReversed().entries()) {
      const page = pageOf(url, key)
      if (page !== undefined && page !== key) return { page, groups: between.toReversed() }
      // The last breadcrumb without a URL is the page itself.
      if (url === undefined && back > 0) between.push(title)
    }
    const page = pageOf(up, key)
    return { page: page === key ? undefined : page, groups: page === undefined ? between.toReversed() : [] }
  }

  /** Places the ancestors first; a page that is its own ancestor is placed at the top. */
  function placePage(key: string): void {
    const pending: { readonly key: string; readonly groups: readonly string[] }[] = []
    const visited = new Set<string>()
    let parentKey: string | undefined = key
    while (parentKey !== undefined && !positions.has(parentKey) && !visited.has(parentKey)) {
      visited.add(parentKey)
      const found = findParent(parentKey)
      pending.push({ key: parentKey, groups: found.groups })
      parentKey = found.page
    }
    let under = (parentKey === undefined ? undefined : positions.get(parentKey)) ?? root
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
  // Pages after a top-level group would read as part of it.
  return [...top.filter(({ page }) => page !== undefined), ...top.filter(({ page }) => page === undefined)]
}
