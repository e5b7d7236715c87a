/** Pages of the API as nodes of the tree view. */
import type { Page } from '../../contract/pages.js'

export interface PageNode {
  readonly id: string
  /** Its name in lists of pages. */
  readonly title: string
  /** The title above its text. */
  readonly heading: string
  readonly path: string
  readonly type: Page['type']
  readonly emoji: string | undefined
  readonly icon: string | undefined
  readonly isHidden: boolean
  readonly condition: string | undefined
  readonly href: string | undefined
  readonly children: readonly PageNode[]
}

export const pageNodeOf = (page: Page): PageNode => ({
  id: page.id,
  title: page.linkTitle || page.title,
  heading: page.title,
  path: page.path ?? '',
  type: page.type,
  emoji: page.emoji,
  icon: page.icon,
  isHidden: page.hidden === true,
  condition: page.condition || undefined,
  href: page.href,
  children: (page.pages ?? []).map(pageNodeOf),
})

/** True for a page with an emoji or icon of its own. */
export const hasSign = ({ emoji, icon }: PageNode): boolean => Boolean(emoji || icon)

/** True for a page that has a text of its own. */
export const hasText = ({ type }: PageNode): boolean => type === 'document' || type === 'computed'

/** Returns the page at a path; an empty path is the first page that has a text. */
export function findPage(nodes: readonly PageNode[], path: string): PageNode | undefined {
  for (const node of nodes) {
    if (path === '' ? hasText(node) : node.path === path) return node
    const below = findPage(node.children, path)
    if (below !== undefined) return below
  }
  return undefined
}

/** Returns the nodes from the top to a page, the page included; empty when the tree does not contain it. */
export function wayTo(nodes: readonly PageNode[], id: string): readonly PageNode[] {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const below = wayTo(node.children, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** Returns all pages in the order of the tree, each with the titles of those above it. */
export function listPages(
  nodes: readonly PageNode[],
  above: readonly string[] = [],
): readonly { readonly node: PageNode; readonly above: readonly string[] }[] {
  return nodes.flatMap((node) => [{ node, above }, ...listPages(node.children, [...above, node.title])])
}
