/**
 * Anchor mapping from a page to its Markdown: other pages may link to ids that a document cannot represent, such as
 * those of sections or paragraphs. Each maps to the heading it is at or below.
 */
import { type HtmlElement, descendants, elementsOf, valueOf } from './nodes.js'

/** A fragment of the page, and its counterpart in the Markdown; empty for the top of the page. */
export type AnchorMapping = readonly [was: string, is: string]

/** Most mappings returned; a page of ten thousand words has a hundred. */
const maxAnchorMappings = 5_000

/** Returns the fragments that changed; `headingAnchors` has the fragment of each converted heading. */
export function mapAnchors(
  content: HtmlElement,
  headingAnchors: ReadonlyMap<HtmlElement, string>,
): readonly AnchorMapping[] {
  const anchors = new Map<string, string>()
  const pendingIds: string[] = []
  let headingAnchor = ''
  for (const element of descendants(content)) {
    const id = idOf(element)
    if (isHeading(element)) {
      headingAnchor = headingAnchors.get(element) ?? ''
      for (const name of pendingIds.splice(0)) anchors.set(name, headingAnchor)
    }
    if (id === undefined || anchors.has(id)) continue
    if (!isHeading(element) && (isLabel(element) || beginsWithHeading(element))) pendingIds.push(id)
    else anchors.set(id, headingAnchor)
  }
  for (const name of pendingIds) anchors.set(name, headingAnchor)
  return [...anchors].filter(([was, is]) => was !== is).slice(0, maxAnchorMappings)
}

/** An element without text labels what follows, unless it is inline. */
function isLabel({ letters, parent }: HtmlElement): boolean {
  return letters === 0 && (parent === undefined || parent.holdsBlock)
}

/** The id or anchor name of an element. */
export function idOf(element: HtmlElement): string | undefined {
  return valueOf(element, 'id') ?? (element.name === 'a' ? valueOf(element, 'name') : undefined)
}

export function isHeading({ name }: HtmlElement): boolean {
  return /^h[1-6]$/.test(name)
}

/** Returns whether the first text in an element is a heading, up to a few levels down. */
function beginsWithHeading(element: HtmlElement): boolean {
  let current: HtmlElement | undefined = element
  for (let depth = 0; current && depth < 4; depth++) {
    current = firstWithText(current)
    if (current && isHeading(current)) return true
  }
  return false
}

/** Returns the first child element with text; empty labels may precede headings. */
export function firstWithText(element: HtmlElement): HtmlElement | undefined {
  return elementsOf(element).find(({ letters }) => letters > 0)
}
