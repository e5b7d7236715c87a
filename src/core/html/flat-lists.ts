/**
 * Nests flat lists: Google Docs writes each level as a sibling list with only a class for its depth. Lists are nested,
 * and adjacent definition lists joined, before the tree is read.
 */
import { type HtmlElement, type HtmlNode, classesOf } from './nodes.js'

interface Level {
  readonly name: string
  /** From 0. */
  readonly level: number
}

/** Returns the nodes with adjacent definition lists joined: some generators write one list per term. */
export function joinTerms(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const joined: HtmlNode[] = []
  let open: HtmlElement | undefined
  for (const node of nodes) {
    if (node.kind === 'text') {
      if (node.value.trim() !== '') open = undefined
      joined.push(node)
    } else if (node.name !== 'dl') {
      open = undefined
      joined.push(node)
    } else if (open) for (const child of node.children) open.children.push(child)
    else {
      open = node
      joined.push(node)
    }
  }
  return joined
}

/** Returns the nodes with flat lists nested; the same array when there are none. */
export function nestFlatLists(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  if (!nodes.some((node) => node.kind === 'element' && levelOf(node) !== undefined)) return nodes
  const nested: HtmlNode[] = []
  /** The last list of each level, outermost first. */
  let open: { readonly name: string; readonly lists: HtmlElement[] } | undefined
  for (const node of nodes) {
    const isBlank = node.kind === 'text' && node.value.trim() === ''
    const listLevel = node.kind === 'element' ? levelOf(node) : undefined
    if (node.kind === 'text' || listLevel === undefined) {
      if (!isBlank) open = undefined
      nested.push(node)
      continue
    }
    if (open?.name !== listLevel.name) open = undefined
    const same = open?.lists[listLevel.level]
    const above = open?.lists.slice(0, listLevel.level).findLast((list) => list !== undefined)
    if (same) for (const item of node.children) same.children.push(item)
    else if (above) lastItem(above).children.push(node)
    else nested.push(node)
    open ??= { name: listLevel.name, lists: [] }
    if (!same) open.lists[listLevel.level] = node
    open.lists.length = listLevel.level + 1
  }
  return nested
}

function lastItem(list: HtmlElement): HtmlElement {
  const item = list.children.findLast((child): child is HtmlElement => child.kind === 'element') ?? list
  item.holdsBlock = true
  return item
}

function levelOf(element: HtmlElement): Level | undefined {
  if (element.name !== 'ul' && element.name !== 'ol') return undefined
  for (const one of classesOf(element)) {
    const [, name, level] = /^(lst-kix_\w{1,40})-(\d)$/.exec(one) ?? []
    if (name !== undefined) return { name, level: Number(level) }
  }
  return undefined
}
