/**
 * What the parts of a page are called in its Markdown: other pages link to names that a document has no place for, of a
 * section whose heading is called otherwise, or of a paragraph. Each leads to the heading that it stands at, or below.
 */
import { type HtmlElement, descendants, elementsOf, valueOf } from './nodes.js'

/** The fragment in the page, and the one in its Markdown; empty for the beginning of the page. */
export type Part = readonly [was: string, is: string]

/** So many parts that are called otherwise are told; a page of ten thousand words has a hundred. */
const mostParts = 5_000

/** Returns the parts whose names are others now; `called` is the fragment of each heading that was written. */
export function listParts(content: HtmlElement, called: ReadonlyMap<HtmlElement, string>): readonly Part[] {
  const parts = new Map<string, string>()
  const waiting: string[] = []
  let above = ''
  for (const element of descendants(content)) {
    const id = idOf(element)
    if (isHeading(element)) {
      above = called.get(element) ?? ''
      for (const name of waiting.splice(0)) parts.set(name, above)
    }
    if (id === undefined || parts.has(id)) continue
    if (!isHeading(element) && (isLabel(element) || beginsWithHeading(element))) waiting.push(id)
    else parts.set(id, above)
  }
  for (const name of waiting) parts.set(name, above)
  return [...parts].filter(([was, is]) => was !== is).slice(0, mostParts)
}

/** What says nothing itself names what follows, unless it stands within a line. */
function isLabel({ letters, parent }: HtmlElement): boolean {
  return letters === 0 && (parent === undefined || parent.holdsBlock)
}

/** The name that links lead to. */
export function idOf(element: HtmlElement): string | undefined {
  return valueOf(element, 'id') ?? (element.name === 'a' ? valueOf(element, 'name') : undefined)
}

export function isHeading({ name }: HtmlElement): boolean {
  return /^h[1-6]$/.test(name)
}

/** Whether the first thing that an element says is a heading; a few elements may stand around it. */
function beginsWithHeading(element: HtmlElement): boolean {
  let here: HtmlElement | undefined = element
  for (let depth = 0; here && depth < 4; depth++) {
    here = firstSaying(here)
    if (here && isHeading(here)) return true
  }
  return false
}

/** Returns the first element in one that has words; labels without any stand before headings. */
export function firstSaying(element: HtmlElement): HtmlElement | undefined {
  return elementsOf(element).find(({ letters }) => letters > 0)
}
