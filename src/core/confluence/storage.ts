/**
 * Confluence storage format to HTML: converts the XML in which Confluence stores pages, with its own elements for macros,
 * links and images, to the HTML of a rendered page, which is then imported like any other; macros that only Confluence
 * can render are reported as lost.
 */
import { parseFragment } from 'parse5'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { emojiOf } from './emoticons.js'

export interface StoredHtml {
  readonly html: string
  /** Without duplicates. */
  readonly lost: readonly string[]
}

interface Reference {
  readonly kind: string
  readonly attributes: Readonly<Record<string, string>>
  /** For an attachment: the page it is attached to, if another one. */
  readonly of: Reference | undefined
}

interface OpenElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Its content, as HTML and as source text. */
  html: string
  text: string
  readonly parameters: Map<string, string>
  reference?: Reference | undefined
  rich?: string
  plain?: string
  /** For a macro: the page link among its parameters. */
  linked?: string
  checked?: boolean
}

/** The export that a page is part of. */
export interface ExportContext {
  /** Returns whether a destination exists; otherwise a link is reduced to its text. */
  readonly exists: (destination: string) => boolean
  /** The child pages, in order. */
  readonly childPages: readonly { readonly id: string; readonly title: string }[]
}

const voidElements = new Set(['br', 'hr', 'img', 'col', 'wbr'])

/** Returns a page as HTML. */
export function htmlOfStorage(storage: string, exportContext: ExportContext): StoredHtml {
  const root = frameOf('', {})
  const stack = [root]
  const lost = new Map<string, true>()
  const close = (): void => {
    const frame = stack.pop()!
    appendElement(stack.at(-1) ?? root, frame, {
      ...exportContext,
      reportLoss: (what) => void lost.set(what, true),
    })
  }
  const parser = new SaxesParser({ fragment: true, xmlns: false })
  parser.ENTITIES = entities
  // Malformed XML is read as far as possible.
  parser.on('error', () => {})
  parser.on('text', (text) => appendText(stack.at(-1)!, text))
  parser.on('cdata', (text) => appendText(stack.at(-1)!, text))
  parser.on(
    'opentag',
    ({ name, attributes }) => void stack.push(frameOf(name, attributes as SaxesTagPlain['attributes'])),
  )
  parser.on('closetag', () => void (stack.length > 1 && close()))
  parser.write(storage).close()
  while (stack.length > 1) close()
  return { html: root.html, lost: [...lost.keys()] }
}

/** URL prefix of pages and files within an import. */
const importPrefix = '~'

/** The target of a URL within an import. */
export type ImportTarget =
  | { readonly kind: 'id'; readonly id: string }
  /** In the linking page's space unless another is named. */
  | { readonly kind: 'page'; readonly title: string; readonly space: string | undefined }
  /** On the linking page unless another is named. */
  | { readonly kind: 'file'; readonly name: string; readonly of: ImportTarget | undefined }

function importUrl(named: ImportTarget): string {
  return importPrefix + encodeURIComponent(JSON.stringify(named))
}

/** Returns the target and fragment of a URL within the import; undefined for any other URL. */
export function parseImportUrl(address: string): (ImportTarget & { readonly fragment?: string }) | undefined {
  if (!address.startsWith(importPrefix)) return undefined
  const [named, fragment] = address.slice(importPrefix.length).split('#', 2)
  try {
    return { ...(JSON.parse(decodeURIComponent(named!)) as ImportTarget), ...(fragment && { fragment }) }
  } catch {
    return undefined
  }
}

/** Returns a title as the first heading of a page. */
export function headingOf(title: string): string {
  return `<h1>${escape(title)}</h1>`
}

function frameOf(name: string, attributes: Readonly<Record<string, string>>): OpenElement {
  return { name, attributes, html: '', text: '', parameters: new Map() }
}

function appendText(frame: OpenElement, text: string): void {
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

/** HTML named character references, decoded by the HTML parser. */
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

interface StorageReader extends ExportContext {
  readonly reportLoss: (what: string) => void
}

/** Appends the HTML of an element to its parent. */
function appendElement(outer: OpenElement, frame: OpenElement, reading: StorageReader): void {
  const { name, attributes, html, text } = frame
  if (name.startsWith('ri:')) {
    outer.reference = { kind: name.slice(3), attributes, of: frame.reference }
    return
  }
  switch (name) {
    case 'ac:parameter': {
      const value = frame.reference === undefined ? text : (frame.reference.attributes['ri:filename'] ?? '')
      outer.parameters.set(attributes['ac:name'] ?? '', value.trim())
      // An attachment may be named together with its page and space.
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

function elementOf({ name, attributes, html }: OpenElement): string {
  const written = Object.entries(attributes)
    .filter(([one]) => /^[a-z][a-z-]{0,30}$/.test(one))
    .map(([one, value]) => ` ${one}="${escape(value)}"`)
    .join('')
  return voidElements.has(name) ? `<${name}${written}>` : `<${name}${written}>${html}</${name}>`
}

/** Returns the URL of a reference; undefined when the export does not contain its target. */
function urlOf(reference: Reference, { exists }: StorageReader): string | undefined {
  if (reference.kind === 'url') return reference.attributes['ri:value']
  const named = targetOf(reference)
  const address = named && importUrl(named)
  return address !== undefined && exists(address) ? address : undefined
}

function targetOf({ kind, attributes, of }: Reference): ImportTarget | undefined {
  const name = attributes['ri:filename']
  if (kind === 'attachment')
    return name === undefined ? undefined : { kind: 'file', name, of: of && targetOf(of) }
  const id = attributes['ri:content-id']
  if (id !== undefined) return { kind: 'id', id }
  const title = attributes['ri:content-title']
  if (title === undefined || (kind !== 'page' && kind !== 'blog-post')) return undefined
  return { kind: 'page', title, space: attributes['ri:space-key'] }
}

function imageOf(frame: OpenElement, reading: StorageReader): string {
  const { attributes, reference, rich } = frame
  const source = reference && urlOf(reference, reading)
  if (source === undefined) {
    reading.reportLoss('pictures that the export does not hold')
    return ''
  }
  const alt = escape(attributes['ac:alt'] ?? '')
  const width = /^\d{1,5}$/.exec(attributes['ac:width'] ?? attributes['ac:original-width'] ?? '')?.[0]
  // Some old pages have emoticons as images.
  const named = attributes['ac:class'] === undefined ? '' : ` class="${escape(attributes['ac:class'])}"`
  const image = `<img${named} src="${escape(source)}" alt="${alt}"${width === undefined || attributes['ac:width'] === undefined ? '' : ` width="${width}"`}>`
  return rich === undefined ? image : `<figure>${image}<figcaption>${rich}</figcaption></figure>`
}

function linkOf(frame: OpenElement, reading: StorageReader): string {
  const { attributes, reference, rich, plain } = frame
  const anchor = attributes['ac:anchor']
  const words = rich ?? (plain === undefined ? undefined : escape(plain))
  const named =
    reference?.attributes['ri:content-title'] ?? reference?.attributes['ri:filename'] ?? anchor ?? ''
  const text = words ?? escape(named)
  if (reference === undefined)
    return anchor === undefined ? text : `<a href="#${escape(fragmentOf(anchor))}">${text}</a>`
  const address = urlOf(reference, reading)
  if (address === undefined) {
    reading.reportLoss(
      reference.kind === 'user' ? 'who is mentioned' : 'links to what the export does not hold',
    )
    return text
  }
  return `<a href="${escape(address)}${anchor === undefined ? '' : `#${escape(fragmentOf(anchor))}`}">${text}</a>`
}

/** The id of a heading with this text. */
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
/** Macros that only render their content. */
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
/** Macros rendered on each view: pages here have a table of contents, and the site a menu, anyway. */
const ignoredMacros = new Set([
  'toc',
  'toc-zone',
  'livesearch',
  'pagetree',
  'pagetreesearch',
  'recently-updated',
  'navmap',
])
/** Diagram macros; the prefix of their names is the language. */
const diagramMacro = /^(?:plantuml|mermaid|graphviz|latex)/

function macroOf(frame: OpenElement, reading: StorageReader): string {
  const { parameters, reference, rich, plain, html } = frame
  const name = frame.attributes['ac:name'] ?? ''
  const content =
    rich ?? (plain === undefined ? html : codeOf(plain, diagramMacro.exec(name)?.[0], undefined))
  const title = parameters.get('title')
  if (panels.has(name)) {
    const kind = name === 'panel' ? 'information' : name
    const line = title ? `<p class="title">${escape(title)}</p>` : ''
    return `<div class="confluence-information-macro confluence-information-macro-${kind}">${line}<div class="confluence-information-macro-body">${content}</div></div>`
  }
  switch (name) {
    case 'code':
    case 'noformat': {
      const language = /^[\w+#-]{1,30}$/.exec(parameters.get('language') ?? parameters.get('') ?? '')?.[0]
      return codeOf(plain ?? '', language === 'none' ? undefined : language?.toLowerCase(), title)
    }
    case 'children':
      // The list of another page's children is not available.
      if (reference !== undefined) break
      return listOf(reading)
    case 'include':
    case 'excerpt-include':
      reading.reportLoss(`the macro "${name}"`)
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
      return `<details><summary>${escape(title || parameters.get('') || 'Details')}</summary>${content}</details>`
    case 'status':
      return `<strong>${escape(title ?? '')}</strong>`
    case 'anchor':
      return `<a id="${escape(parameters.get('') ?? '')}"></a>`
    case 'quote':
      return `<blockquote>${content}</blockquote>`
    case 'jira':
      return escape(parameters.get('key') ?? '')
    case 'view-file':
    case 'viewpdf':
    case 'viewdoc':
    case 'viewxls':
    case 'viewppt':
    case 'multimedia': {
      const address = reference && urlOf(reference, reading)
      const words = escape(reference?.attributes['ri:filename'] ?? '')
      if (address !== undefined) return `<a href="${escape(address)}">${words}</a>`
      reading.reportLoss('files that the export does not hold')
      return words
    }
  }
  if (ignoredMacros.has(name)) return ''
  if (!wrappers.has(name) && !(plain !== undefined && diagramMacro.test(name)))
    reading.reportLoss(name === '' ? 'a macro without a name' : `the macro "${name.slice(0, 60)}"`)
  return content
}

function codeOf(text: string, language: string | undefined, title: string | undefined): string {
  const head = title ? `<div class="codeHeader panelHeader"><b>${escape(title)}</b></div>` : ''
  const syntax = language === undefined ? '' : ` class="language-${language}"`
  return `<div class="code panel">${head}<div class="codeContent panelContent"><pre><code${syntax}>${escape(text)}</code></pre></div></div>`
}

/** The list of child pages. */
function listOf({ childPages, exists }: StorageReader): string {
  const items = childPages.map(({ id, title }) => {
    const address = importUrl({ kind: 'id', id })
    return `<li>${exists(address) ? `<a href="${escape(address)}">${escape(title)}</a>` : escape(title)}</li>`
  })
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
}
