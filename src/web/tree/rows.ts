/** Rows of a tree view: the nodes that are visible for a set of expanded ones, flattened for virtual scrolling. */
export interface TreeNode {
  readonly id: string
  readonly title: string
  readonly children: readonly TreeNode[]
}

export interface TreeRow<Node extends TreeNode> {
  readonly node: Node
  readonly depth: number
  readonly parent: string | undefined
  /** Position among its siblings, from 1, and their number: for assistive technology. */
  readonly position: number
  readonly siblings: number
  readonly isExpanded: boolean
}

/** Returns the visible rows in their order. */
export function visibleRows<Node extends TreeNode & { readonly children: readonly Node[] }>(
  nodes: readonly Node[],
  expanded: ReadonlySet<string>,
): TreeRow<Node>[] {
  const rows: TreeRow<Node>[] = []
  const add = (siblings: readonly Node[], depth: number, parent: string | undefined) => {
    siblings.forEach((node, at) => {
      const isExpanded = node.children.length > 0 && expanded.has(node.id)
      rows.push({ node, depth, parent, position: at + 1, siblings: siblings.length, isExpanded })
      if (isExpanded) add(node.children, depth + 1, node.id)
    })
  }
  add(nodes, 0, undefined)
  return rows
}

/** Returns the nodes whose title contains the words, with their ancestors; children only where they match themselves. */
export function filterTree<Node extends TreeNode & { readonly children: readonly Node[] }>(
  nodes: readonly Node[],
  query: string,
): readonly Node[] {
  const wanted = fold(query)
  if (wanted === '') return nodes
  const keep = (node: Node): Node[] => {
    const children = node.children.flatMap(keep)
    return children.length > 0 || fold(node.title).includes(wanted) ? [{ ...node, children }] : []
  }
  return nodes.flatMap(keep)
}

/** Returns the ids of the rows from one to another, both included, whichever comes first. */
export function rowsBetween(rows: readonly TreeRow<TreeNode>[], from: number, to: number): readonly string[] {
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ node }) => node.id)
}

/** Returns those of the nodes that are not below another one of them, in the order of the tree. */
export function topmostOf<Node extends TreeNode & { readonly children: readonly Node[] }>(
  nodes: readonly Node[],
  ids: ReadonlySet<string>,
): readonly Node[] {
  return nodes.flatMap((node) => (ids.has(node.id) ? [node] : topmostOf(node.children, ids)))
}

/** Returns the ids of the nodes above a node, topmost first; undefined when the tree does not contain it. */
export function ancestorsOf(nodes: readonly TreeNode[], id: string): readonly string[] | undefined {
  for (const node of nodes) {
    if (node.id === id) return []
    const below = ancestorsOf(node.children, id)
    if (below !== undefined) return [node.id, ...below]
  }
  return undefined
}

const fold = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
