/** HTML tree (hast) of a page, and queries on its nodes. */
import type { Element, ElementContent, Nodes, RootContent } from 'hast'
import { htmlToHast } from 'satteri'

export type MarkupNode = ElementContent | RootContent

/** Returns the nodes of the markup. */
export function parseMarkup(markup: string): readonly MarkupNode[] {
  return bodyOf(htmlToHast(markup) as Nodes) ?? []
}

function bodyOf(node: Nodes): readonly MarkupNode[] | undefined {
  if (node.type === 'element' && node.tagName === 'body') return node.children
  if (!('children' in node)) return undefined
  for (const child of node.children) {
    const found = bodyOf(child)
    if (found !== undefined) return found
  }
  return node.type === 'root' ? node.children : undefined
}

export function isElement(node: MarkupNode | undefined): node is Element {
  return node?.type === 'element'
}

export function hasClass({ properties }: Element, name: string): boolean {
  const classes = properties['className']
  return Array.isArray(classes) && classes.includes(name)
}

/** Returns the first class of the element that starts with the prefix, without the prefix. */
export function classWithPrefix({ properties }: Element, prefix: string): string | undefined {
  const classes = properties['className']
  if (!Array.isArray(classes)) return undefined
  return classes
    .map(String)
    .find((name) => name.startsWith(prefix))
    ?.slice(prefix.length)
}

/** Returns an attribute as text; undefined if it is missing. */
export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name]
  if (value === undefined || value === null || value === false) return undefined
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** Returns the text of a node, without elements for the screen only. */
export function textContent(node: MarkupNode): string {
  if (node.type === 'text') return node.value
  if (!isElement(node) || isScreenOnly(node)) return ''
  return node.children.map(textContent).join('')
}

/** True for elements without a meaning in print: buttons, heading anchors, and controls that fold. */
export function isScreenOnly(element: Element): boolean {
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

/** Returns the first matching descendant, in document order. */
export function findDescendant(element: Element, matches: (one: Element) => boolean): Element | undefined {
  for (const child of childElements(element)) {
    if (matches(child)) return child
    const found = findDescendant(child, matches)
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

/** True for block elements and elements that contain one. */
export function isBlock(node: MarkupNode, cache: Map<MarkupNode, boolean>): boolean {
  if (!isElement(node)) return false
  const cached = cache.get(node)
  if (cached !== undefined) return cached
  const { tagName } = node
  const result =
    blockNames.has(tagName) ||
    hasClass(node, 'card-line') ||
    (tagName !== 'math' && tagName !== 'svg' && node.children.some((child) => isBlock(child, cache)))
  cache.set(node, result)
  return result
}
