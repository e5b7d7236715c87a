/** What a page of HTML is made of, and the questions that are asked of it. */
export interface HtmlText {
  readonly kind: 'text'
  value: string
  parent: HtmlElement | undefined
}

export interface HtmlElement {
  readonly kind: 'element'
  /** Small letters, but for those of SVG and MathML that have others. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: HtmlNode[]
  parent: HtmlElement | undefined
  /** Whether a block stands somewhere in it; set when the tree is whole. */
  holdsBlock: boolean
  /** Letters of its text that are no blanks, and how many of them stand in links; set when the tree is whole. */
  letters: number
  linkedLetters: number
}

export type HtmlNode = HtmlText | HtmlElement

export function isElement(node: HtmlNode): node is HtmlElement {
  return node.kind === 'element'
}

/** Returns the elements that stand directly in one. */
export function elementsOf(element: HtmlElement): HtmlElement[] {
  return element.children.filter(isElement)
}

/** Returns the value of an attribute without blanks around it; undefined when it is absent or empty. */
export function valueOf(element: HtmlElement, name: string): string | undefined {
  return element.attributes.get(name)?.trim() || undefined
}

/** Returns the classes of an element in small letters. */
export function classesOf(element: HtmlElement): readonly string[] {
  const written = element.attributes.get('class')
  return written === undefined ? [] : written.toLowerCase().split(/\s+/).filter(Boolean)
}

export function hasClass(element: HtmlElement, ...names: readonly string[]): boolean {
  return classesOf(element).some((name) => names.includes(name))
}

/** Yields every element in one, parents first, without recursion. */
export function* descendants(element: HtmlElement): Generator<HtmlElement> {
  const waiting: HtmlElement[] = elementsOf(element).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index]!
      if (child.kind === 'element') waiting.push(child)
    }
  }
}

/** Returns the first element in one that is wanted. */
export function findElement(
  element: HtmlElement,
  isWanted: (one: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const one of descendants(element)) if (isWanted(one)) return one
  return undefined
}

/** Returns all text in a node as it is written, without recursion; `isLeftOut` passes over elements. */
export function textOf(node: HtmlNode, isLeftOut?: (element: HtmlElement) => boolean): string {
  const parts: string[] = []
  const waiting: HtmlNode[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'text') parts.push(next.value)
    else if (isLeftOut?.(next) !== true)
      for (let index = next.children.length - 1; index >= 0; index--) waiting.push(next.children[index]!)
  }
  return parts.join('')
}

/** Returns all text in a node with single spaces between its words. */
export function wordsOf(node: HtmlNode): string {
  return textOf(node).replace(/\s+/g, ' ').trim()
}

/** Returns whether an element stands in another, or is it. */
export function standsIn(element: HtmlElement, outer: HtmlElement): boolean {
  for (let one: HtmlElement | undefined = element; one; one = one.parent) if (one === outer) return true
  return false
}
