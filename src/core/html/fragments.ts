/** What parts of a page are called, and which heading leads to a part that a document has no name for. */
import { type HtmlElement, descendants } from './nodes.js'
import { idOf, isHeading } from './parts.js'

export interface Fragments {
  /** The first element of each name. */
  readonly ids: ReadonlyMap<string, HtmlElement>
  /** Names that links of the page ask for. */
  readonly asked: ReadonlySet<string>
  /** The name of the heading above what is asked for, where that is no heading. */
  readonly landings: ReadonlyMap<string, string>
}

/** Returns the names of a document, and what is asked of its content. */
export function readFragments(
  document: HtmlElement,
  content: HtmlElement,
  within: (url: string) => string,
): Fragments {
  const ids = new Map<string, HtmlElement>()
  const asked = new Set<string>()
  for (const element of descendants(document)) {
    const id = idOf(element)
    if (id !== undefined && !ids.has(id)) ids.set(id, element)
    const href = within((element.name === 'a' && element.attributes.get('href')) || '')
    if (href.startsWith('#') && href.length > 1) asked.add(href.slice(1))
  }
  const landings = new Map<string, string>()
  const ends = new Set<string>()
  let above: string | undefined
  let isOwn = false
  for (const element of descendants(content)) {
    const id = idOf(element)
    if (isHeading(element)) {
      isOwn = id !== undefined
      above = id
    } else if (id !== undefined && above === undefined && !isOwn) continue
    else if (
      id !== undefined &&
      asked.has(id) &&
      above !== undefined &&
      !isNote(id) &&
      !holdsHeading(element)
    ) {
      landings.set(id, above)
      ends.add(above)
    }
  }
  return { ids, asked: new Set([...asked, ...ends]), landings }
}

/** Notes and what refers to them are found without. */
function isNote(id: string): boolean {
  return /^(?:fn|ftnt|cmnt|footnote|endnote|cite_|_ftn|_edn)/i.test(id)
}

/** A section is called what its heading is called; so is an empty element in a heading. */
function holdsHeading(element: HtmlElement): boolean {
  const first = element.children.find((child) => child.kind === 'element')
  const isInHeading = element.parent !== undefined && /^h[1-6]$/.test(element.parent.name)
  return isInHeading || (first?.kind === 'element' && /^h[1-6]$/.test(first.name))
}
