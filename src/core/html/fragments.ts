/** Ids of a page, and the nearest heading for linked ids that a document cannot represent. */
import { type HtmlElement, descendants } from './nodes.js'
import { idOf, isHeading } from './anchors.js'

export interface Fragments {
  /** The first element of each id. */
  readonly ids: ReadonlyMap<string, HtmlElement>
  /** Ids that the page's links target. */
  readonly linked: ReadonlySet<string>
  /** By linked id that is not a heading: the id of the heading above it. */
  readonly nearestHeadings: ReadonlyMap<string, string>
}

/** Returns the ids of a document, and those that its links target. */
export function readFragments(
  document: HtmlElement,
  content: HtmlElement,
  within: (url: string) => string,
): Fragments {
  const ids = new Map<string, HtmlElement>()
  const linked = new Set<string>()
  for (const element of descendants(document)) {
    const id = idOf(element)
    if (id !== undefined && !ids.has(id)) ids.set(id, element)
    const href = within((element.name === 'a' && element.attributes.get('href')) || '')
    if (href.startsWith('#') && href.length > 1) linked.add(href.slice(1))
  }
  const nearestHeadings = new Map<string, string>()
  const linkedHeadings = new Set<string>()
  let headingId: string | undefined
  let hasOwnId = false
  for (const element of descendants(content)) {
    const id = idOf(element)
    if (isHeading(element)) {
      hasOwnId = id !== undefined
      headingId = id
    } else if (id !== undefined && headingId === undefined && !hasOwnId) continue
    else if (
      id !== undefined &&
      linked.has(id) &&
      headingId !== undefined &&
      !isNote(id) &&
      !holdsHeading(element)
    ) {
      nearestHeadings.set(id, headingId)
      linkedHeadings.add(headingId)
    }
  }
  return { ids, linked: new Set([...linked, ...linkedHeadings]), nearestHeadings }
}

/** Footnotes and references to them are handled separately. */
function isNote(id: string): boolean {
  return /^(?:fn|ftnt|cmnt|footnote|endnote|cite_|_ftn|_edn)/i.test(id)
}

/** The id of a section counts as its heading's; so does that of an element in a heading. */
function holdsHeading(element: HtmlElement): boolean {
  const first = element.children.find((child) => child.kind === 'element')
  const isInHeading = element.parent !== undefined && /^h[1-6]$/.test(element.parent.name)
  return isInHeading || (first?.kind === 'element' && /^h[1-6]$/.test(first.name))
}
