/** Where the content of a page stands: what says so itself, else the part that holds the words. */
import { type HtmlElement, classesOf, descendants, elementsOf, findElement, valueOf } from './nodes.js'
import { isUnseen } from './boilerplate.js'

/** Marks of the content, the surest first. */
const marks: readonly ((element: HtmlElement) => boolean)[] = [
  hasAny(
    'theme-doc-markdown',
    'vp-doc',
    'markdown-body',
    'wiki-content',
    'mw-parser-output',
    'devsite-article-body',
    'sl-markdown-content',
    'md-content__inner',
  ),
  (element) => valueOf(element, 'itemprop') === 'articleBody',
  (element) => valueOf(element, 'role') === 'main',
  ({ name }) => name === 'main',
  ({ name }) => name === 'article',
  hasId('main-content', 'mw-content-text', 'content', 'main', 'bodycontent', 'wiki-body'),
  hasAny(
    'document',
    'body-content',
    'main-content',
    'page-content',
    'post-content',
    'entry-content',
    'content',
  ),
]

function hasAny(...names: readonly string[]): (element: HtmlElement) => boolean {
  return (element) => classesOf(element).some((one) => names.includes(one))
}

function hasId(...ids: readonly string[]): (element: HtmlElement) => boolean {
  return (element) => ids.includes((valueOf(element, 'id') ?? '').toLowerCase())
}

/** Returns the element that holds the content; `asked` is an id or the name of an element. */
export function findContent(document: HtmlElement, asked: string | undefined): HtmlElement {
  const body = findElement(document, ({ name }) => name === 'body') ?? document
  const own = asked && findElement(body, (one) => valueOf(one, 'id') === asked || one.name === asked)
  if (own) return own
  const best: (HtmlElement | undefined)[] = marks.map(() => undefined)
  for (const element of descendants(body)) {
    if (element.letters === 0) continue
    for (const [rank, isMarked] of marks.entries()) {
      const before = best[rank]
      if ((before?.letters ?? 0) < element.letters && isMarked(element)) best[rank] = element
    }
  }
  // What is marked and holds hardly anything is a part of the page, such as a teaser.
  const found = best.find((one) => one !== undefined && one.letters * 5 >= wordsBesideLinks(body))
  return found ?? descend(body)
}

/** Letters of a body without its menus. */
function wordsBesideLinks(element: HtmlElement): number {
  return element.letters - element.linkedLetters
}

/** Goes down as long as one element holds nearly all words that are no links. */
function descend(body: HtmlElement): HtmlElement {
  let here = body
  for (;;) {
    const words = wordsBesideLinks(here)
    const seen = elementsOf(here).filter((one) => !isUnseen(one))
    const next = seen.find((one) => one.holdsBlock && wordsBesideLinks(one) > words * 0.9)
    if (!next || next.name === 'table' || next.name === 'ul' || next.name === 'dl' || next.name === 'ol')
      return here
    // Headings beside it belong to it.
    if (seen.some((one) => one !== next && /^h[1-6]$/.test(one.name))) return here
    here = next
  }
}
