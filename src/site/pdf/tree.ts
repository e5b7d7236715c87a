/** The markup of a page as a tree, and the questions that everything here asks about it. */
import type { Element, ElementContent, Nodes, RootContent } from 'hast'
import { htmlToHast } from 'satteri'

export type Node = ElementContent | RootContent

/** Returns what the markup holds. */
export function readMarkup(markup: string): readonly Node[] {
  return bodyOf(htmlToHast(markup) as Nodes) ?? []
}

function bodyOf(node: Nodes): readonly Node[] | undefined {
  if (node.type === 'element' && node.tagName === 'body') return node.children
  if (!('children' in node)) return undefined
  for (const child of node.children) {
    const found = bodyOf(child)
    if (found !== undefined) return found
  }
  return node.type === 'root' ? node.children : undefined
}

export function isElement(node: Node | undefined): node is Element {
  return node?.type === 'element'
}

export function hasClass({ properties }: Element, name: string): boolean {
  const classes = properties['className']
  return Array.isArray(classes) && classes.includes(name)
}

/** Returns the first of the words that is a class of the element and begins with the prefix, without it. */
export function classAfter({ properties }: Element, prefix: string): string | undefined {
  const classes = properties['className']
  if (!Array.isArray(classes)) return undefined
  return classes
    .map(String)
    .find((name) => name.startsWith(prefix))
    ?.slice(prefix.length)
}

/** Returns an attribute as a text; undefined where there is none. */
export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name]
  if (value === undefined || value === null || value === false) return undefined
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** Returns the text in a node, without what programs use. */
export function textIn(node: Node): string {
  if (node.type === 'text') return node.value
  if (!isElement(node) || isUnseen(node)) return ''
  return node.children.map(textIn).join('')
}

/** Elements that are for the screen alone: buttons, links to where one is, and what folds and unfolds. */
export function isUnseen(element: Element): boolean {
  const { tagName } = element
  if (tagName === 'button') return true
  if (tagName === 'script' || tagName === 'style' || tagName === 'template') return true
  return [
    'anchor',
    'tab-list',
    'code-tools',
    'when-dark',
    'when-closed',
    'when-open',
    'diagram-source',
    'prompt-start',
    'prompt-actions',
  ].some((name) => hasClass(element, name))
}

export function childElements({ children }: Element): Element[] {
  return children.filter(isElement)
}

/** Returns the first element of a kind below, the nearest first. */
export function findBelow(element: Element, matches: (one: Element) => boolean): Element | undefined {
  for (const child of childElements(element)) {
    if (matches(child)) return child
    const found = findBelow(child, matches)
    if (found !== undefined) return found
  }
  return undefined
}

const blockNames = new Set(
  (
    'address article aside blockquote center details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li main nav ol p pre section summary table ul video audio'
  ).split(' '),
)

/** True for what stands on lines of its own, or holds something that does. */
export function isBlock(node: Node, known: Map<Node, boolean>): boolean {
  if (!isElement(node)) return false
  const before = known.get(node)
  if (before !== undefined) return before
  const { tagName } = node
  const stands =
    blockNames.has(tagName) ||
    hasClass(node, 'card-line') ||
    (tagName !== 'math' && tagName !== 'svg' && node.children.some((child) => isBlock(child, known)))
  known.set(node, stands)
  return stands
}
