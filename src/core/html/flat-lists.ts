/**
 * Lists as documents of Google have them: each level is a list of its own beside the others, and only its class says
 * how deep it stands. They are put into one another before anything is read, and lists of single terms together.
 */
import { type HtmlElement, type HtmlNode, classesOf } from './nodes.js'

interface Level {
  readonly name: string
  /** From 0. */
  readonly level: number
}

/** Returns the nodes with lists of terms that follow each other as one: generators make one of each term. */
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

/** Returns the nodes with such lists nested, the same nodes when there are none. */
export function nestFlatLists(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  if (!nodes.some((node) => node.kind === 'element' && levelOf(node) !== undefined)) return nodes
  const nested: HtmlNode[] = []
  /** The last list of each level, from the outermost. */
  let open: { readonly name: string; readonly lists: HtmlElement[] } | undefined
  for (const node of nodes) {
    const isBlank = node.kind === 'text' && node.value.trim() === ''
    const found = node.kind === 'element' ? levelOf(node) : undefined
    if (node.kind === 'text' || found === undefined) {
      if (!isBlank) open = undefined
      nested.push(node)
      continue
    }
    if (open?.name !== found.name) open = undefined
    const same = open?.lists[found.level]
    const above = open?.lists.slice(0, found.level).findLast((list) => list !== undefined)
    if (same) for (const item of node.children) same.children.push(item)
    else if (above) lastItem(above).children.push(node)
    else nested.push(node)
    open ??= { name: found.name, lists: [] }
    if (!same) open.lists[found.level] = node
    open.lists.length = found.level + 1
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
