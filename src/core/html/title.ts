/** Title of a page, and the level of its other headings. */
import {
  type HtmlElement,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  valueOf,
  wordsOf,
} from './nodes.js'
import { isBoilerplate } from './boilerplate.js'

export interface PageTitle {
  /** Plain text; empty when the page has none. */
  readonly text: string
  /** The heading with the title, to be omitted from the content. */
  readonly heading?: HtmlElement
  /** Levels by which to raise the other headings, so that the highest becomes the document's highest. */
  readonly headingShift: number
}

const maxTitleLength = 300

/** Returns the title of a document with the main content; `knownTitle` is the title from another source. */
export function findTitle(document: HtmlElement, content: HtmlElement, knownTitle?: string): PageTitle {
  const headings: HtmlElement[] = []
  for (const one of descendants(content))
    if (isTitleLike(one) && wordsWithoutMarks(one) !== '') headings.push(one)
  const named = findElement(document, ({ name, parent }) => name === 'title' && parent?.name === 'head')
  const documentTitle = named ? wordsOf(named) : ''
  const heading =
    knownTitle === undefined
      ? chooseHeading(document, headings, documentTitle)
      : headings.slice(0, 1).find((one) => wordsWithoutMarks(one) === knownTitle)
  const text =
    knownTitle ??
    (heading
      ? wordsWithoutMarks(heading)
      : withoutSiteName(documentTitle, findMeta(document, 'og:site_name')))
  const others = headings.filter((one) => one !== heading && /^h[1-6]$/.test(one.name))
  const highest = others.reduce((least, { name }) => Math.min(least, Number(name[1])), 7)
  return {
    text: text.slice(0, maxTitleLength),
    ...(heading && { heading }),
    headingShift: highest === 7 ? 0 : highest - 2,
  }
}

/** Returns no title: content for a page that has one. A heading of the first level is one of its parts. */
export function untitled(content: HtmlElement): PageTitle {
  const hasFirstLevel = findElement(content, ({ name }) => name === 'h1') !== undefined
  return { text: '', headingShift: hasFirstLevel ? -1 : 0 }
}

/** The first heading, if it is an h1 or matches the document title; else an h1 above the content. */
function chooseHeading(
  document: HtmlElement,
  headings: readonly HtmlElement[],
  documentTitle: string,
): HtmlElement | undefined {
  const isNamed = (one: HtmlElement): boolean => {
    const words = wordsWithoutMarks(one)
    return words !== '' && documentTitle.startsWith(words)
  }
  const [first] = headings
  if (first && (first.name === 'h1' || first.name === 'p' || isNamed(first) || documentTitle === ''))
    return first
  return findElement(document, (one) => one.name === 'h1' && isNamed(one) && !isBoilerplate(one))
}

function isTitleLike(element: HtmlElement): boolean {
  return /^h[1-6]$/.test(element.name) || (element.name === 'p' && hasClass(element, 'title'))
}

/** The text without permalink symbols. */
function wordsWithoutMarks(heading: HtmlElement): string {
  return elementsOf(heading)
    .filter((one) => isBoilerplate(one))
    .reduce((words, one) => words.replace(wordsOf(one), ''), wordsOf(heading))
    .replace(/\s+/g, ' ')
    .trim()
}

function findMeta(document: HtmlElement, property: string): string | undefined {
  const meta = findElement(document, (one) => one.name === 'meta' && valueOf(one, 'property') === property)
  return meta && valueOf(meta, 'content')
}

/** Removes the site name after, or before, a separator. */
function withoutSiteName(title: string, site: string | undefined): string {
  const parts = title.split(/ (?:\||—|–|·|::|») /)
  const rest = parts.filter((part) => part.trim() !== site)
  const [first = title] = rest.length > 0 ? rest : parts
  const dashed = site === undefined ? -1 : first.lastIndexOf(` - ${site}`)
  return (dashed > 0 ? first.slice(0, dashed) : first).trim()
}
