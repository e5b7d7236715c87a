/** HTML tree: node types and queries. */
export interface HtmlText {
  readonly kind: 'text'
  value: string
  parent: HtmlElement | undefined
}

export interface HtmlElement {
  readonly kind: 'element'
  /** Lower case, except for camel-case names of SVG and MathML. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: HtmlNode[]
  parent: HtmlElement | undefined
  /** Whether it contains a block; set when the tree is complete. */
  holdsBlock: boolean
  /** Non-space characters of its text, and how many of them are in links; set when the tree is complete. */
  letters: number
  linkedLetters: number
}

export type HtmlNode = HtmlText | HtmlElement

export function isElement(node: HtmlNode): node is HtmlElement {
  return node.kind === 'element'
}

/** Returns the child elements. */
export function elementsOf(element: HtmlElement): HtmlElement[] {
  return element.children.filter(isElement)
}

/** Returns the trimmed value of an attribute; undefined when it is absent or empty. */
export function valueOf(element: HtmlElement, name: string): string | undefined {
  return element.attributes.get(name)?.trim() || undefined
}

/** Returns the classes of an element in lower case. */
export function classesOf(element: HtmlElement): readonly string[] {
  const written = element.attributes.get('class')
  return written === undefined ? [] : written.toLowerCase().split(/\s+/).filter(Boolean)
}

export function hasClass(element: HtmlElement, ...names: readonly string[]): boolean {
  return classesOf(element).some((name) => names.includes(name))
}

/** Yields all descendant elements, parents first, without recursion. */
export function* descendants(element: HtmlElement): Generator<HtmlElement> {
  const pending: HtmlElement[] = elementsOf(element).toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index]!
      if (child.kind === 'element') pending.push(child)
    }
  }
}

/** Returns the first descendant that satisfies the predicate. */
export function findElement(
  element: HtmlElement,
  predicate: (one: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const one of descendants(element)) if (predicate(one)) return one
  return undefined
}

/** Returns all text in a node as written, without recursion; elements for which `isSkipped` holds are skipped. */
export function textOf(node: HtmlNode, isSkipped?: (element: HtmlElement) => boolean): string {
  const parts: string[] = []
  const pending: HtmlNode[] = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'text') parts.push(next.value)
    else if (isSkipped?.(next) !== true)
      for (let index = next.children.length - 1; index >= 0; index--) pending.push(next.children[index]!)
  }
  return parts.join('')
}

/** Returns all text in a node with whitespace collapsed. */
export function wordsOf(node: HtmlNode): string {
  return textOf(node).replace(/\s+/g, ' ').trim()
}

/** Returns whether an element is inside another, or the same. */
export function isWithin(element: HtmlElement, outer: HtmlElement): boolean {
  for (let one: HtmlElement | undefined = element; one; one = one.parent) if (one === outer) return true
  return false
}
