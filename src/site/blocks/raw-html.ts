/**
 * HTML sanitizer: raw HTML between the Markdown is filtered by an allowlist, or rendered as text.
 *
 * No styles, classes, scripts, frames, forms or ids pass, so it can neither act nor imitate the page
 * around it. Parts that we rendered ourselves are replaced by marks while the rest is sanitised.
 */
import type { Element, Nodes, Parents, Root } from 'hast'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'
import { type Replacement, replaceDestinations } from '../../core/links/replace.js'
import { tokenizeHtml } from '../../core/markdown/html.js'
import { voidElements } from '../../core/markdown/pair-tags.js'
import { urlAttributes } from '../../core/markdown/url-attributes.js'
import { html, Html, join, nothing, trusted } from '../html.js'
import type { PageRenderer } from './context.js'
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

/** Mark of a part of ours: its number between two private-use characters. */
const markCharacters = /[\ue000\ue001]/g
const marks = /\ue000(\d+)\ue001/

export interface RawPart {
  readonly raw: string
}

/**
 * Renders the parts in order: raw ones sanitised together, so that an opening and a closing tag can be
 * in different parts, and `Html` ones unchanged. Over the limits it returns the text.
 */
export function renderRawHtml(owner: object, parts: readonly (RawPart | Html)[], page: PageRenderer): Html {
  const own: Html[] = []
  let source = ''
  for (const part of parts) {
    source +=
      part instanceof Html
        ? `\ue000${own.push(part) - 1}\ue001`
        : withResolvedUrls(part.raw.replace(markCharacters, ''), page)
  }
  const markup = page.renderFragment(owner, { kind: 'html', text: source })
  if (markup === undefined) {
    const text = parts.map((part) => (part instanceof Html ? part : part.raw))
    return html`<span class="html-source" title="This HTML is too large to be shown as it was meant">${text}</span>`
  }
  // Authors can write marks too: each part is inserted once only.
  const placed = new Set<string>()
  const segments = markup.split(marks).map((segment, index) => {
    // Odd segments are the numbers captured by the pattern.
    if (index % 2 === 0) return trusted(segment)
    if (placed.has(segment)) return nothing
    placed.add(segment)
    return own[Number(segment)] ?? nothing
  })
  return join(segments)
}

/** Destinations lead where those of Markdown do: to pages and files of the site. */
function withResolvedUrls(source: string, { context }: PageRenderer): string {
  const replacements = tokenizeHtml(source, undefined).flatMap((token): Replacement[] => {
    if (token.kind !== 'open') return []
    return [...urlAttributes].flatMap(([name, kind]): Replacement[] => {
      const attribute = token.attributes.get(name)
      if (attribute === undefined) return []
      const { value, span } = attribute
      const target = context.link(value)
      const href =
        context.file(value)?.href ?? (kind === 'link' && target.broken !== true ? target.href : value)
      return href === value ? [] : [{ span, syntax: 'attribute', url: href }]
    })
  })
  return replacements.length === 0 ? source : replaceDestinations(source, replacements)
}

/** Maximum nesting: the parser's work per tag grows with the number of open elements. */
const maxHtmlDepth = 100
/** Maximum open formatting elements, which the parser reopens in every paragraph. */
const maxOpenFormatting = 8
const formattingTags = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))
/** Elements closed implicitly by the next one of their kind. */
const selfClosingTags = new Set(
  'p li dt dd td th tr thead tbody tfoot option optgroup rp rt colgroup caption'.split(' '),
)

/** Returns the allowed part of the HTML, with marks unchanged; undefined if it is nested too deep. Never throws. */
export function sanitizeMarkup(source: string): string | undefined {
  if (nestsTooDeep(source)) return undefined
  try {
    const tree = sanitize(htmlToHast(source) as Nodes, schema) as Root
    clean(tree)
    return toHtml(tree)
  } catch {
    return undefined
  }
}

/** True if more elements are open than in hand-written pages; counted by name, never fewer than there are. */
function nestsTooDeep(source: string): boolean {
  const open = new Map<string, number>()
  let depth = 0
  let formatted = 0
  for (const [, closing, tagName] of source.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = tagName!.toLowerCase()
    if (voidElements.has(name) || selfClosingTags.has(name)) continue
    const count = open.get(name) ?? 0
    const step = closing === '' ? 1 : count > 0 ? -1 : 0
    open.set(name, count + step)
    depth += step
    if (formattingTags.has(name)) formatted += step
    if (depth > maxHtmlDepth || formatted > maxOpenFormatting) return true
  }
  return false
}

function clean(parent: Parents): void {
  const children: Parents['children'] = []
  for (const child of parent.children) {
    if (child.type === 'element') {
      cleanElement(child)
      clean(child)
      children.push(child.tagName === 'table' ? inScrollArea(child) : child)
    } else if (child.type === 'text') children.push(child)
  }
  parent.children = children
}

/** Wide tables scroll inside themselves, like those of table.ts. */
function inScrollArea(table: Element): Element {
  const properties = { className: ['table'], tabIndex: 0 }
  return { type: 'element', tagName: 'div', properties, children: [table] }
}

function cleanElement(element: Element): void {
  for (const name in element.properties) {
    const value = element.properties[name]
    // A mark inside an attribute must never become markup there.
    if (typeof value === 'string') element.properties[name] = value.replace(markCharacters, '')
  }
  const urlAttributes: readonly [string, (url: string) => string | undefined][] = [
    ['href', safeUrl],
    ['cite', safeUrl],
    ['src', safeSource],
    ['poster', safeSource],
  ]
  for (const [name, judge] of urlAttributes) {
    const value = element.properties[name]
    if (value !== undefined) element.properties[name] = typeof value === 'string' ? judge(value) : undefined
  }
  if (element.tagName === 'a' && element.properties['href'] !== undefined) {
    element.properties['rel'] = ['nofollow', 'noopener', 'ugc']
  }
  if (element.tagName === 'img') element.properties['loading'] = 'lazy'
  // Its long lines are reached by the keyboard.
  if (element.tagName === 'pre') element.properties['tabIndex'] = 0
  if (element.tagName === 'video' || element.tagName === 'audio') element.properties['controls'] = true
  // The page has one h1, its title.
  if (element.tagName === 'h1') element.tagName = 'h2'
}
