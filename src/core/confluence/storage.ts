/**
 * The storage format of Confluence as HTML: the XML in which it keeps pages, whose macros, links and pictures are
 * elements of its own. They become what its pages show them as, which is then read as every page of HTML is; what only
 * Confluence can show is told.
 */
import { parseFragment } from 'parse5'
import { SaxesParser, type SaxesTagPlain } from 'saxes'

export interface StoredHtml {
  readonly html: string
  /** Each thing once. */
  readonly lost: readonly string[]
}

interface Reference {
  readonly kind: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of a file: the page that it hangs on, where that is another one. */
  readonly of: Reference | undefined
}

interface Frame {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** What it holds, as HTML and as it is written. */
  html: string
  text: string
  readonly parameters: Map<string, string>
  reference?: Reference
  rich?: string
  plain?: string
  checked?: boolean
}

const voids = new Set(['br', 'hr', 'img', 'col', 'wbr'])

/** Returns a page as HTML; `leads` says of each destination whether there is something, else a link is its words. */
export function htmlOfStorage(storage: string, leads: (destination: string) => boolean): StoredHtml {
  const root = frameOf('', {})
  const stack = [root]
  const lost = new Map<string, true>()
  const close = (): void => {
    const frame = stack.pop()!
    put(stack.at(-1) ?? root, frame, { leads, lose: (what) => void lost.set(what, true) })
  }
  const parser = new SaxesParser({ fragment: true, xmlns: false })
  parser.ENTITIES = entities
  // What is not as XML should be is read as far as it goes.
  parser.on('error', () => {})
  parser.on('text', (text) => say(stack.at(-1)!, text))
  parser.on('cdata', (text) => say(stack.at(-1)!, text))
  parser.on(
    'opentag',
    ({ name, attributes }) => void stack.push(frameOf(name, attributes as SaxesTagPlain['attributes'])),
  )
  parser.on('closetag', () => void (stack.length > 1 && close()))
  parser.write(storage).close()
  while (stack.length > 1) close()
  return { html: root.html, lost: [...lost.keys()] }
}

/** Returns what the links and pictures of a page may lead to, each once. */
export function destinationsOfStorage(storage: string): ReadonlySet<string> {
  const found = new Set<string>()
  htmlOfStorage(storage, (destination) => Boolean(found.add(destination)))
  return found
}

/** Returns the address, within an import, of a page. */
export function pageAddress(title: string): string {
  return `~page/${encodeURIComponent(title)}`
}

/** Returns the address of a file that hangs on a page; on the one that shows it when none is named. */
export function fileAddress(name: string, title: string | undefined): string {
  return `~file/${encodeURIComponent(name)}${title === undefined ? '' : `?${encodeURIComponent(title)}`}`
}

/** Returns a title as the first heading of a page. */
export function headingOf(title: string): string {
  return `<h1>${escape(title)}</h1>`
}

function frameOf(name: string, attributes: Readonly<Record<string, string>>): Frame {
  return { name, attributes, html: '', text: '', parameters: new Map() }
}

function say(frame: Frame, text: string): void {
  frame.html += escape(text)
  frame.text += text
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The names of HTML for characters, as its parser knows them. */
const entities = new Proxy<Record<string, string>>(
  {},
  {
    get(_, name) {
      if (typeof name !== 'string' || !/^[a-z\d]{1,32}$/i.test(name)) return undefined
      const [child] = parseFragment(`&${name};`).childNodes
      const value = child !== undefined && 'value' in child ? child.value : undefined
      return value === `&${name};` ? undefined : value
    },
  },
)

interface Reading {
  readonly leads: (destination: string) => boolean
  readonly lose: (what: string) => void
}

/** Puts what an element is into the one that it stands in. */
function put(outer: Frame, frame: Frame, reading: Reading): void {
  const { name, attributes, html, text } = frame
  if (name.startsWith('ri:')) {
    outer.reference = { kind: name.slice(3), attributes, of: frame.reference }
    return
  }
  switch (name) {
    case 'ac:parameter': {
      const value = frame.reference === undefined ? text : (frame.reference.attributes['ri:filename'] ?? '')
      outer.parameters.set(attributes['ac:name'] ?? '', value)
      if (frame.reference !== undefined) outer.reference = frame.reference
      return
    }
    case 'ac:plain-text-body':
    case 'ac:plain-text-link-body':
      outer.plain = text
      return
    case 'ac:rich-text-body':
    case 'ac:link-body':
      outer.rich = html
      return
    case 'ac:task-id':
    case 'ac:task-uuid':
    case 'ac:placeholder':
    case 'ac:adf-attribute':
    case 'ac:caption':
      if (name === 'ac:caption') outer.rich = html
      return
    case 'ac:task-status':
      outer.checked = text.trim() === 'complete'
      return
    case 'ac:adf-fallback':
      outer.rich = html
      return
    case 'ac:adf-extension':
      outer.html += frame.rich ?? html
      return
    case 'ac:task':
      outer.html += `<li><input type="checkbox"${frame.checked === true ? ' checked' : ''}>${html}</li>`
      return
    case 'ac:task-list':
      outer.html += `<ul>${html}</ul>`
      return
    case 'ac:image':
      outer.html += imageOf(frame, reading)
      return
    case 'ac:link':
      outer.html += linkOf(frame, reading)
      return
    case 'ac:emoticon':
      outer.html += escape(emoticonOf(attributes))
      return
    case 'time':
      outer.html += escape(attributes['datetime'] ?? text)
      return
    case 'ac:structured-macro':
    case 'ac:macro':
      outer.html += macroOf(frame, reading)
      return
    default:
      outer.html += /^[a-z][a-z\d]{0,20}$/.test(name) ? elementOf(frame) : html
      outer.text += text
  }
}

function elementOf({ name, attributes, html }: Frame): string {
  const written = Object.entries(attributes)
    .filter(([one]) => /^[a-z][a-z-]{0,30}$/.test(one))
    .map(([one, value]) => ` ${one}="${escape(value)}"`)
    .join('')
  return voids.has(name) ? `<${name}${written}>` : `<${name}${written}>${html}</${name}>`
}

/** Returns where a reference leads; undefined where that is nowhere in the export. */
function addressOf({ kind, attributes, of }: Reference, { leads }: Reading): string | undefined {
  if (kind === 'url') return attributes['ri:value']
  const title = attributes['ri:content-title']
  const named = attributes['ri:filename']
  const address =
    kind === 'attachment' && named !== undefined
      ? fileAddress(named, of?.attributes['ri:content-title'])
      : title !== undefined && (kind === 'page' || kind === 'blog-post')
        ? pageAddress(title)
        : undefined
  return address !== undefined && leads(address) ? address : undefined
}

function imageOf(frame: Frame, reading: Reading): string {
  const { attributes, reference, rich } = frame
  const source = reference && addressOf(reference, reading)
  if (source === undefined) {
    reading.lose('pictures that the export does not hold')
    return ''
  }
  const alt = escape(attributes['ac:alt'] ?? '')
  const width = /^\d{1,5}$/.exec(attributes['ac:width'] ?? attributes['ac:original-width'] ?? '')?.[0]
  const image = `<img src="${escape(source)}" alt="${alt}"${width === undefined || attributes['ac:width'] === undefined ? '' : ` width="${width}"`}>`
  return rich === undefined ? image : `<figure>${image}<figcaption>${rich}</figcaption></figure>`
}

function linkOf(frame: Frame, reading: Reading): string {
  const { attributes, reference, rich, plain } = frame
  const anchor = attributes['ac:anchor']
  const words = rich ?? (plain === undefined ? undefined : escape(plain))
  const named =
    reference?.attributes['ri:content-title'] ?? reference?.attributes['ri:filename'] ?? anchor ?? ''
  const text = words ?? escape(named)
  if (reference === undefined)
    return anchor === undefined ? text : `<a href="#${escape(fragmentOf(anchor))}">${text}</a>`
  const address = addressOf(reference, reading)
  if (address === undefined) {
    if (reference.kind !== 'user') reading.lose('links to what the export does not hold')
    return text
  }
  return `<a href="${escape(address)}${anchor === undefined ? '' : `#${escape(fragmentOf(anchor))}`}">${text}</a>`
}

/** What a heading of these words is called here. */
function fragmentOf(anchor: string): string {
  return anchor
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

const emoticons = new Map(
  Object.entries({
    smile: '🙂',
    sad: '🙁',
    cheeky: '😛',
    laugh: '😀',
    wink: '😉',
    'thumbs-up': '👍',
    'thumbs-down': '👎',
    information: 'ℹ️',
    tick: '✅',
    cross: '❌',
    warning: '⚠️',
    plus: '➕',
    minus: '➖',
    question: '❓',
    'light-on': '💡',
    'yellow-star': '⭐',
    heart: '❤️',
  }),
)

function emoticonOf(attributes: Readonly<Record<string, string>>): string {
  return attributes['ac:emoji-fallback'] ?? emoticons.get(attributes['ac:name'] ?? '') ?? ''
}

const panels = new Set(['info', 'note', 'warning', 'tip', 'panel'])
/** Show what they hold, and nothing of their own. */
const wrappers = new Set([
  'section',
  'column',
  'excerpt',
  'details',
  'div',
  'span',
  'center',
  'align',
  'ui-tabs',
  'ui-tab',
  'auitabs',
  'auitabspage',
  'html-wrap',
  'bgcolor',
  'mohamicorp-markdown',
  'multiexcerpt',
  'multiexcerpt-macro',
])
/** Made by each look at the page: here the page has a table of contents, and the site a menu. */
const passedOver = new Set(['toc', 'toc-zone', 'livesearch', 'pagetreesearch', 'recently-updated', 'navmap'])

function macroOf(frame: Frame, reading: Reading): string {
  const { parameters, reference, rich, plain, html } = frame
  const name = frame.attributes['ac:name'] ?? ''
  const held = rich ?? (plain === undefined ? html : `<p>${escape(plain)}</p>`)
  const title = parameters.get('title')
  if (panels.has(name)) {
    const kind = name === 'panel' ? 'information' : name
    const line = title ? `<p class="title">${escape(title)}</p>` : ''
    return `<div class="confluence-information-macro confluence-information-macro-${kind}">${line}<div class="confluence-information-macro-body">${held}</div></div>`
  }
  switch (name) {
    case 'code':
    case 'noformat': {
      const language = /^[\w+#-]{1,30}$/.exec(parameters.get('language') ?? parameters.get('') ?? '')?.[0]
      const head = title ? `<div class="codeHeader panelHeader"><b>${escape(title)}</b></div>` : ''
      const syntax =
        language === undefined || language === 'none' ? '' : ` class="language-${language.toLowerCase()}"`
      return `<div class="code panel">${head}<div class="codeContent panelContent"><pre><code${syntax}>${escape(plain ?? '')}</code></pre></div></div>`
    }
    case 'expand':
    case 'ui-expand':
      return `<details><summary>${escape(title || parameters.get('') || 'Details')}</summary>${held}</details>`
    case 'status':
      return `<strong>${escape(title ?? '')}</strong>`
    case 'anchor':
      return `<a id="${escape(parameters.get('') ?? '')}"></a>`
    case 'quote':
      return `<blockquote>${held}</blockquote>`
    case 'jira':
      return escape(parameters.get('key') ?? '')
    case 'view-file':
    case 'viewpdf':
    case 'viewdoc':
    case 'viewxls':
    case 'viewppt':
    case 'multimedia': {
      const address = reference && addressOf(reference, reading)
      if (address !== undefined)
        return `<a href="${escape(address)}">${escape(reference!.attributes['ri:filename'] ?? '')}</a>`
      break
    }
  }
  if (passedOver.has(name)) return ''
  if (!wrappers.has(name)) reading.lose(`the macro "${name.slice(0, 60)}"`)
  return held
}
