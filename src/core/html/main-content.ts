/** Main content extraction: by well-known markup, else the element that contains most of the text. */
import { type HtmlElement, classesOf, descendants, elementsOf, findElement, valueOf } from './nodes.js'
import { isBoilerplate } from './boilerplate.js'

/** Recognizers of the main content, most reliable first. */
const contentMarks: readonly ((element: HtmlElement) => boolean)[] = [
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

/** Returns the body of a document. */
export function bodyOf(document: HtmlElement): HtmlElement {
  return findElement(document, ({ name }) => name === 'body') ?? document
}

/** Returns the element with the main content; `selector` is an id or an element name. */
export function findContent(document: HtmlElement, selector: string | undefined): HtmlElement {
  const body = bodyOf(document)
  const own = selector && findElement(body, (one) => valueOf(one, 'id') === selector || one.name === selector)
  if (own) return own
  const best: (HtmlElement | undefined)[] = contentMarks.map(() => undefined)
  for (const element of descendants(body)) {
    if (element.letters === 0) continue
    for (const [rank, isMarked] of contentMarks.entries()) {
      const before = best[rank]
      if ((before?.letters ?? 0) < element.letters && isMarked(element)) best[rank] = element
    }
  }
  // A marked element with hardly any text is only a part of the page, such as a teaser.
  const marked = best.find((one) => one !== undefined && one.letters * 5 >= lettersOutsideLinks(body))
  return marked ?? descend(body)
}

/** Letters of an element outside of links. */
function lettersOutsideLinks(element: HtmlElement): number {
  return element.letters - element.linkedLetters
}

/** Descends as long as one child contains nearly all text outside of links. */
function descend(body: HtmlElement): HtmlElement {
  let current = body
  for (;;) {
    const letters = lettersOutsideLinks(current)
    const visible = elementsOf(current).filter((one) => !isBoilerplate(one))
    const next = visible.find((one) => one.holdsBlock && lettersOutsideLinks(one) > letters * 0.9)
    if (!next || next.name === 'table' || next.name === 'ul' || next.name === 'dl' || next.name === 'ol')
      return current
    // Headings beside it belong to the content.
    if (visible.some((one) => one !== next && /^h[1-6]$/.test(one.name))) return current
    current = next
  }
}
