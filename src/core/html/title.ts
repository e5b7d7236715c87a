/** What a page is called, and how high its other headings are. */
import {
  type HtmlElement,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  valueOf,
  wordsOf,
} from './nodes.js'
import { isUnseen } from './boilerplate.js'

export interface PageTitle {
  /** Plain text; empty when the page says none. */
  readonly text: string
  /** The heading that says it, which is not to be shown once more. */
  readonly heading?: HtmlElement
  /** By how many levels the other headings are to be raised, so that the highest is the highest of a document. */
  readonly raised: number
}

const longest = 300

/** Returns the title of a document whose content is known; `known` is what it is called, where something else says so. */
export function findTitle(document: HtmlElement, content: HtmlElement, known?: string): PageTitle {
  const headings: HtmlElement[] = []
  for (const one of descendants(content))
    if (isTitleLike(one) && wordsWithoutMarks(one) !== '') headings.push(one)
  const named = findElement(document, ({ name, parent }) => name === 'title' && parent?.name === 'head')
  const whole = named ? wordsOf(named) : ''
  const heading =
    known === undefined
      ? chooseHeading(document, headings, whole)
      : headings.slice(0, 1).find((one) => wordsWithoutMarks(one) === known)
  const text =
    known ?? (heading ? wordsWithoutMarks(heading) : withoutSite(whole, findMeta(document, 'og:site_name')))
  const others = headings.filter((one) => one !== heading && /^h[1-6]$/.test(one.name))
  const highest = others.reduce((least, { name }) => Math.min(least, Number(name[1])), 7)
  return {
    text: text.slice(0, longest),
    ...(heading && { heading }),
    raised: highest === 7 ? 0 : highest - 2,
  }
}

/** The first heading, when it is the highest there is, or is what the page is called; else one above the content. */
function chooseHeading(
  document: HtmlElement,
  headings: readonly HtmlElement[],
  whole: string,
): HtmlElement | undefined {
  const isNamed = (one: HtmlElement): boolean => {
    const words = wordsWithoutMarks(one)
    return words !== '' && whole.startsWith(words)
  }
  const [first] = headings
  if (first && (first.name === 'h1' || first.name === 'p' || isNamed(first) || whole === '')) return first
  return findElement(document, (one) => one.name === 'h1' && isNamed(one) && !isUnseen(one))
}

function isTitleLike(element: HtmlElement): boolean {
  return /^h[1-6]$/.test(element.name) || (element.name === 'p' && hasClass(element, 'title'))
}

/** Without the signs that lead to the heading itself. */
function wordsWithoutMarks(heading: HtmlElement): string {
  return elementsOf(heading)
    .filter((one) => isUnseen(one))
    .reduce((words, one) => words.replace(wordsOf(one), ''), wordsOf(heading))
    .replace(/\s+/g, ' ')
    .trim()
}

function findMeta(document: HtmlElement, property: string): string | undefined {
  const meta = findElement(document, (one) => one.name === 'meta' && valueOf(one, 'property') === property)
  return meta && valueOf(meta, 'content')
}

/** The name of the site stands behind a sign, or before it. */
function withoutSite(title: string, site: string | undefined): string {
  const parts = title.split(/ (?:\||—|–|·|::|») /)
  const rest = parts.filter((part) => part.trim() !== site)
  const [first = title] = rest.length > 0 ? rest : parts
  const dashed = site === undefined ? -1 : first.lastIndexOf(` - ${site}`)
  return (dashed > 0 ? first.slice(0, dashed) : first).trim()
}
