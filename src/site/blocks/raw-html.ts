/**
 * HTML that a writer put between the Markdown: shown through a whitelist, or as the text it is.
 *
 * No styles, classes, scripts, frames, forms or ids pass, so it can neither act nor imitate the page
 * around it. Parts that we rendered ourselves stand in as marks while the rest is cleaned.
 */
import type { Element, Nodes, Parents, Root } from 'hast'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'
import { html, Html, trusted } from '../html.js'
import { safeSource, safeUrl } from './safe-url.js'

const tagNames = [
  'a abbr b bdi bdo br cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong',
  'sub sup time tt u var wbr address article aside blockquote center dd details div dl dt figcaption figure',
  'footer h1 h2 h3 h4 h5 h6 header hgroup hr img li ol p picture pre section source summary ul video audio track',
  'caption col colgroup table tbody td tfoot th thead tr',
].flatMap((names) => names.split(' '))

const schema: Schema = {
  tagNames,
  attributes: {
    '*': ['title', 'lang', 'dir', 'align'],
    a: ['href'],
    abbr: ['title'],
    data: ['value'],
    details: ['open'],
    img: ['src', 'alt', 'width', 'height'],
    source: ['src', 'type'],
    video: ['src', 'poster', 'width', 'height', 'controls', 'loop', 'muted'],
    audio: ['src', 'controls', 'loop', 'muted'],
    track: ['src', 'kind', 'srcLang', 'label'],
    time: ['dateTime'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    td: ['colSpan', 'rowSpan', 'width'],
    th: ['colSpan', 'rowSpan', 'scope', 'width'],
    col: ['span', 'width'],
    table: ['width'],
    blockquote: ['cite'],
    del: ['dateTime'],
    ins: ['dateTime'],
  },
  ancestors: {
    tbody: ['table'],
    tfoot: ['table'],
    thead: ['table'],
    caption: ['table'],
    colgroup: ['table'],
    col: ['table'],
    tr: ['table'],
    td: ['table'],
    th: ['table'],
    li: ['ol', 'ul'],
    summary: ['details'],
  },
  strip: [
    'script',
    'style',
    'iframe',
    'object',
    'embed',
    'noscript',
    'template',
    'title',
    'textarea',
    'noembed',
  ],
}

/** A part stands in the cleaned text as two private characters around its number. */
const markCharacters = /[\ue000\ue001]/g
const marks = /\ue000(\d+)\ue001/

export interface RawPart {
  readonly raw: string
}

/**
 * The parts in order as one piece of markup: raw ones sanitised together, so that an opening tag and
 * its end may stand in different parts, and `Html` ones as they are.
 */
export function renderRawHtml(parts: readonly (RawPart | Html)[]): Html {
  const own: Html[] = []
  let source = ''
  for (const part of parts) {
    source +=
      part instanceof Html ? `\ue000${own.push(part) - 1}\ue001` : part.raw.replace(markCharacters, '')
  }
  try {
    const tree = sanitize(htmlToHast(source) as Nodes, schema) as Root
    clean(tree, own)
    return trusted(toHtml(tree, { allowDangerousHtml: true }))
  } catch {
    // Nesting too deep for the recursion of the libraries: the reader sees the text.
    return html`${parts.map((part) => (part instanceof Html ? part : part.raw))}`
  }
}

function clean(parent: Parents, own: readonly Html[]): void {
  const children: Parents['children'] = []
  for (const child of parent.children) {
    if (child.type === 'element') {
      cleanElement(child)
      clean(child, own)
      children.push(child)
    } else if (child.type === 'text') {
      child.value.split(marks).forEach((piece, index) => {
        // Odd pieces are the numbers that the pattern caught.
        if (index % 2 === 1) {
          children.push({ type: 'raw', value: String(own[Number(piece)] ?? '') } as unknown as Element)
        } else if (piece !== '') {
          children.push({ type: 'text', value: piece })
        }
      })
    }
  }
  parent.children = children
}

function cleanElement(element: Element): void {
  for (const name in element.properties) {
    const value = element.properties[name]
    // A mark inside an attribute must never become markup there.
    if (typeof value === 'string') element.properties[name] = value.replace(markCharacters, '')
  }
  const judged: readonly [string, (url: string) => string | undefined][] = [
    ['href', safeUrl],
    ['cite', safeUrl],
    ['src', safeSource],
    ['poster', safeSource],
  ]
  for (const [name, judge] of judged) {
    const value = element.properties[name]
    if (value !== undefined) element.properties[name] = typeof value === 'string' ? judge(value) : undefined
  }
  if (element.tagName === 'a' && element.properties['href'] !== undefined) {
    element.properties['rel'] = ['nofollow', 'noopener', 'ugc']
  }
  if (element.tagName === 'img') element.properties['loading'] = 'lazy'
  if (element.tagName === 'video' || element.tagName === 'audio') element.properties['controls'] = true
  // The page has one first heading, its title.
  if (element.tagName === 'h1') element.tagName = 'h2'
}
