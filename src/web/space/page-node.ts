/** Pages of the API as nodes of the tree view. */
import type { Page } from '../../contract/pages.js'

export interface PageNode {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly type: Page['type']
  readonly emoji: string | undefined
  readonly isHidden: boolean
  readonly isConditional: boolean
  readonly href: string | undefined
  readonly children: readonly PageNode[]
}

export const pageNodeOf = (page: Page): PageNode => ({
  id: page.id,
  title: page.linkTitle || page.title,
  path: page.path ?? '',
  type: page.type,
  emoji: page.emoji,
  isHidden: page.hidden === true,
  isConditional: page.condition !== undefined && page.condition !== '',
  href: page.href,
  children: (page.pages ?? []).map(pageNodeOf),
})

/** Returns the page at a path; an empty path is the first page that has a text. */
export function findPage(nodes: readonly PageNode[], path: string): PageNode | undefined {
  for (const node of nodes) {
    const isMatch = path === '' ? node.type === 'document' || node.type === 'computed' : node.path === path
    if (isMatch) return node
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
