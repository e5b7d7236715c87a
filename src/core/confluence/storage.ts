/**
 * The storage format of Confluence as HTML: the XML in which it keeps pages, whose macros, links and pictures are
 * elements of its own. They become what its pages show them as, which is then read as every page of HTML is; what only
 * Confluence can show is told.
 */
import { parseFragment } from 'parse5'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { emojiOf } from './emoticons.js'

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
  reference?: Reference | undefined
  rich?: string
  plain?: string
  /** Of a macro: the link to the page that it names. */
  linked?: string
  checked?: boolean
}

/** What is known of the export that a page stands in. */
export interface Surroundings {
  /** Says of a destination whether there is something: else a link is its words. */
  readonly leads: (destination: string) => boolean
  /** The pages below this one, in their order. */
  readonly below: readonly { readonly id: string; readonly title: string }[]
}

const voids = new Set(['br', 'hr', 'img', 'col', 'wbr'])

/** Returns a page as HTML. */
export function htmlOfStorage(storage: string, surroundings: Surroundings): StoredHtml {
  const root = frameOf('', {})
  const stack = [root]
  const lost = new Map<string, true>()
  const close = (): void => {
    const frame = stack.pop()!
    put(stack.at(-1) ?? root, frame, { ...surroundings, lose: (what) => void lost.set(what, true) })
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

/** What the addresses of pages and files within an import begin with. */
const ofImport = '~'

/** What an address within an import names. */
export type Named =
  | { readonly kind: 'id'; readonly id: string }
  /** In the space of the page that names it when none is said. */
  | { readonly kind: 'page'; readonly title: string; readonly space: string | undefined }
  /** On the page that names it when none is said. */
  | { readonly kind: 'file'; readonly name: string; readonly of: Named | undefined }

function addressTo(named: Named): string {
  return ofImport + encodeURIComponent(JSON.stringify(named))
}

/** Returns what an address names and the part of it; undefined where it is not one of the import. */
export function namedBy(address: string): (Named & { readonly fragment?: string }) | undefined {
  if (!address.startsWith(ofImport)) return undefined
  const [named, fragment] = address.slice(ofImport.length).split('#', 2)
  try {
    return { ...(JSON.parse(decodeURIComponent(named!)) as Named), ...(fragment && { fragment }) }
  } catch {
    return undefined
  }
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

interface Reading extends Surroundings {
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
      outer.parameters.set(attributes['ac:name'] ?? '', value.trim())
      // A file may be named beside the page and the space that it is of.
      if (outer.reference?.kind !== 'attachment') outer.reference = frame.reference ?? outer.reference
      if (frame.linked !== undefined) outer.linked = frame.linked
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
    case 'ac:link': {
      const link = linkOf(frame, reading)
      outer.html += link
      if (frame.reference !== undefined) outer.linked = link
      return
    }
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
function addressOf(reference: Reference, { leads }: Reading): string | undefined {
  if (reference.kind === 'url') return reference.attributes['ri:value']
  const named = namedIn(reference)
  const address = named && addressTo(named)
  return address !== undefined && leads(address) ? address : undefined
}

function namedIn({ kind, attributes, of }: Reference): Named | undefined {
  const name = attributes['ri:filename']
  if (kind === 'attachment')
    return name === undefined ? undefined : { kind: 'file', name, of: of && namedIn(of) }
  const id = attributes['ri:content-id']
  if (id !== undefined) return { kind: 'id', id }
  const title = attributes['ri:content-title']
  if (title === undefined || (kind !== 'page' && kind !== 'blog-post')) return undefined
  return { kind: 'page', title, space: attributes['ri:space-key'] }
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
  // Some pages of old have emoticons as pictures.
  const named = attributes['ac:class'] === undefined ? '' : ` class="${escape(attributes['ac:class'])}"`
  const image = `<img${named} src="${escape(source)}" alt="${alt}"${width === undefined || attributes['ac:width'] === undefined ? '' : ` width="${width}"`}>`
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
    reading.lose(reference.kind === 'user' ? 'who is mentioned' : 'links to what the export does not hold')
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

function emoticonOf(attributes: Readonly<Record<string, string>>): string {
  const name = attributes['ac:name']
  const sign = emojiOf({ name, fallback: attributes['ac:emoji-fallback'], id: attributes['ac:emoji-id'] })
  return sign ?? attributes['ac:emoji-shortname'] ?? ''
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
const passedOver = new Set([
  'toc',
  'toc-zone',
  'livesearch',
  'pagetree',
  'pagetreesearch',
  'recently-updated',
  'navmap',
])
/** Hold a text for another program to draw; the beginning of their names is that of the language. */
const drawn = /^(?:plantuml|mermaid|graphviz|latex)/

function macroOf(frame: Frame, reading: Reading): string {
  const { parameters, reference, rich, plain, html } = frame
  const name = frame.attributes['ac:name'] ?? ''
  const held = rich ?? (plain === undefined ? html : codeOf(plain, drawn.exec(name)?.[0], undefined))
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
      return codeOf(plain ?? '', language === 'none' ? undefined : language?.toLowerCase(), title)
    }
    case 'children':
      // Of another page than this one it has nothing to show here.
      if (reference !== undefined) break
      return listOf(reading)
    case 'include':
    case 'excerpt-include':
      reading.lose(`the macro "${name}"`)
      return `<p>${frame.linked ?? ''}</p>`
    case 'widget':
    case 'iframe': {
      const address =
        reference?.attributes['ri:value'] ?? parameters.get('url') ?? parameters.get('src') ?? ''
      if (!/^https?:/.test(address)) break
      return `<p><a href="${escape(address)}">${escape(address)}</a></p>`
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
      const words = escape(reference?.attributes['ri:filename'] ?? '')
      if (address !== undefined) return `<a href="${escape(address)}">${words}</a>`
      reading.lose('files that the export does not hold')
      return words
    }
  }
  if (passedOver.has(name)) return ''
  if (!wrappers.has(name) && !(plain !== undefined && drawn.test(name)))
    reading.lose(name === '' ? 'a macro without a name' : `the macro "${name.slice(0, 60)}"`)
  return held
}

function codeOf(text: string, language: string | undefined, title: string | undefined): string {
  const head = title ? `<div class="codeHeader panelHeader"><b>${escape(title)}</b></div>` : ''
  const syntax = language === undefined ? '' : ` class="language-${language}"`
  return `<div class="code panel">${head}<div class="codeContent panelContent"><pre><code${syntax}>${escape(text)}</code></pre></div></div>`
}

/** The pages below the one that is read. */
function listOf({ below, leads }: Reading): string {
  const items = below.map(({ id, title }) => {
    const address = addressTo({ kind: 'id', id })
    return `<li>${leads(address) ? `<a href="${escape(address)}">${escape(title)}</a>` : escape(title)}</li>`
  })
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
}
