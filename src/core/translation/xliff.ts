/**
 * XLIFF 1.2 writer and parser, the exchange format of translation tools.
 *
 * A file is a page and a trans-unit is a unit, with codes as `<g>` and `<x/>`. The parser supports the XML that XLIFF needs
 * and rejects the rest: document types, hence custom entities; processing instructions; nesting beyond the limit. One
 * pass, in short steps; it builds nothing but the units.
 */
import type { InlinePart } from './inline.js'
import { formatTagged } from './tagged.js'

export interface XliffUnit {
  readonly id: string
  /** Tagged. */
  readonly source: string
  readonly target?: string
  readonly note?: string
}

export interface XliffFile {
  readonly original: string
  readonly units: readonly XliffUnit[]
}

export interface XliffHead {
  readonly from: string
  readonly to: string
}

const namespace = 'urn:oasis:names:tc:xliff:document:1.2'

export function openXliff(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="${namespace}">\n`
}

export function closeXliff(): string {
  return '</xliff>\n'
}

/** Returns one page of a document. */
export function formatXliffFile({ from, to }: XliffHead, { original, units }: XliffFile): string {
  const body = units.map(({ id, source, target, note }) => {
    const state = target === undefined ? 'needs-translation' : 'translated'
    return (
      `      <trans-unit id="${escapeXml(id)}" xml:space="preserve">\n        <source>${tagsOf(source)}</source>\n` +
      `        <target state="${state}">${tagsOf(target ?? '')}</target>\n` +
      `${note === undefined ? '' : `        <note>${escapeXml(note)}</note>\n`}      </trans-unit>\n`
    )
  })
  return (
    `  <file original="${escapeXml(original)}" datatype="plaintext" source-language="${escapeXml(from)}" ` +
    `target-language="${escapeXml(to)}">\n    <body>\n${body.join('')}    </body>\n  </file>\n`
  )
}

/** Returns a note for translators that explains the tags of a unit. */
export function noteOf(pieces: readonly InlinePart[]): string | undefined {
  const codes = pieces.filter((piece) => typeof piece !== 'string')
  if (codes.length === 0) return undefined
  return codes.map((code) => `${formatTagged([code])} ${code.data.slice(0, 100)}`).join('\n')
}

function tagsOf(tagged: string): string {
  return withoutControls(tagged)
    .replace(/<(g|x)(\d+)(\/?)>/g, '<$1 id="$2"$3>')
    .replace(/<\/g\d+>/g, '</g>')
}

function escapeXml(text: string): string {
  return withoutControls(text).replace(/[&<>"]/g, (sign) => entityOf[sign]!)
}

const entityOf: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Removes control characters, which XML cannot have, not even as entities. */
function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}

/** Characters that are read in one step. */
const stepLength = 20_000

export class XliffError extends Error {}

export interface XliffLimits {
  /** Characters of one translation, and of one run of text: no passage comes near it. */
  readonly text: number
  readonly depth: number
  readonly units: number
}

export interface ReadUnit {
  readonly original: string
  readonly id: string
  readonly target: string
}

interface Element {
  readonly name: string
  readonly id: string
}

export interface ReadXliff extends XliffHead {
  readonly units: readonly ReadUnit[]
}

/**
 * Returns the units of a document that have a translation, in its order, after as many steps as it is long; throws
 * `XliffError` for what is no XLIFF 1.2.
 */
export function* parseXliff(xml: string, limits: XliffLimits): Generator<undefined, ReadXliff> {
  const units: ReadUnit[] = []
  const open: Element[] = []
  let [from, to, original, id, seen] = ['', '', '', '', 0]
  let target: string | undefined
  let isEnded = false
  const fail = (problem: string): never => {
    throw new XliffError(problem)
  }
  const words = (text: string): void => {
    if (open.at(-1) === undefined ? text.trim() !== '' : text.includes(']]>'))
      fail('there is text outside of its elements')
    if (text.length > limits.text && (target !== undefined || text.includes('&')))
      fail(`a text is longer than ${limits.text} characters`)
    const decoded = decode(text)
    if (target !== undefined)
      target += decoded.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  }
  const end = (name: string): void => {
    const element = open.pop()
    if (element?.name !== name) return fail(`</${name.slice(0, 50)}> ends what is not open`)
    if (target !== undefined && element.name === 'g') target += `</g${element.id}>`
    if (name === 'target') {
      if (target !== undefined && target.trim() !== '') units.push({ original, id, target })
      target = undefined
    }
    if (open.length === 0) isEnded = true
  }
  let at = xml.startsWith('\ufeff') ? 1 : 0
  const declaration = /<\?xml\s[^?<>]{0,200}\?>/y
  declaration.lastIndex = at
  at += declaration.exec(xml)?.[0].length ?? 0
  let stepEnd = stepLength
  while (at < xml.length) {
    if (at >= stepEnd) {
      yield
      stepEnd = at + stepLength
    }
    const next = xml.indexOf('<', at)
    words(xml.slice(at, next < 0 ? xml.length : next))
    if (next < 0) break
    at = next
    if (xml.startsWith('<!--', at)) {
      const close = xml.indexOf('-->', at + 4)
      if (close < 0) fail('a comment does not end')
      at = close + 3
      continue
    }
    if (xml.startsWith('<!', at)) fail('it holds a document type or a CDATA section, which are not read')
    if (xml.startsWith('<?', at)) fail('it holds a processing instruction')
    const tag = readTag(xml, at) ?? fail(`it is not well-formed at character ${at}`)
    at = tag.end
    if (tag.closes) {
      end(tag.name)
      continue
    }
    if (isEnded) fail('it holds more than one document')
    const { name, attributes } = tag
    if (open.length === 0 && (name !== 'xliff' || attributes.get('version') !== '1.2'))
      fail('it is not XLIFF 1.2')
    if (open.length >= limits.depth) fail('its elements are nested too deep')
    if (name === 'file') {
      original = attributes.get('original') ?? ''
      const languages = [
        attributes.get('source-language') ?? '',
        attributes.get('target-language') ?? '',
      ] as const
      if (from !== '' && (languages[0] !== from || languages[1] !== to))
        fail('its files are in different languages')
      ;[from, to] = languages
    }
    if (name === 'trans-unit') {
      id = attributes.get('id') ?? ''
      seen += 1
      if (seen > limits.units) fail('it has too many units')
    }
    const code = attributes.get('id') ?? ''
    if (target !== undefined) {
      if (target.length > limits.text) fail(`a translation is longer than ${limits.text} characters`)
      if (name === 'g' && !tag.isEmpty) target += `<g${code}>`
      else if (name === 'x' || name === 'g') target += name === 'x' ? `<x${code}/>` : `<g${code}></g${code}>`
      else if (name !== 'mrk') fail(`<${name.slice(0, 50)}> stands in a target`)
      if (!/^\d{1,6}$/.test(code) && name !== 'mrk') fail('a code in a target has no id')
    }
    if (name === 'target' && open.at(-1)?.name === 'trans-unit') {
      // A translation that a tool prefilled and no translator reviewed is ignored.
      const isOpen = /^(?:new|needs-translation)$/.test(attributes.get('state') ?? '')
      target = isOpen ? undefined : ''
    }
    if (!tag.isEmpty) open.push({ name, id: code })
    else if (name === 'target') target = undefined
  }
  if (!isEnded) fail('it is no document, or not all of it')
  return { from, to, units }
}

interface Tag {
  readonly name: string
  readonly closes: boolean
  readonly isEmpty: boolean
  readonly attributes: ReadonlyMap<string, string>
  readonly end: number
}

const tagName = /<(\/?)(?:[A-Za-z_][\w.-]{0,100}:)?([A-Za-z_][\w.-]{0,100})/y
const attribute =
  /\s{1,1000}([A-Za-z_][\w.:-]{0,100})\s{0,100}=\s{0,100}(?:"([^"<]{0,10000})"|'([^'<]{0,10000})')/y
const tagEnd = /\s{0,1000}(\/?)>/y

function readTag(xml: string, at: number): Tag | undefined {
  tagName.lastIndex = at
  const named = tagName.exec(xml)
  if (named === null) return undefined
  const attributes = new Map<string, string>()
  let end = at + named[0].length
  for (;;) {
    attribute.lastIndex = end
    const found = attribute.exec(xml)
    if (found === null) break
    const [all, name, double, single] = found
    if (attributes.has(name!) || attributes.size > 50) return undefined
    attributes.set(name!, decode(double ?? single ?? ''))
    end += all.length
  }
  tagEnd.lastIndex = end
  const closed = tagEnd.exec(xml)
  if (closed === null) return undefined
  const closes = named[1] === '/'
  if (closes && (attributes.size > 0 || closed[1] === '/')) return undefined
  return { name: named[2]!, closes, isEmpty: closed[1] === '/', attributes, end: end + closed[0].length }
}

const known: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&([^;&]{0,12}(?:;|$)|)/g, (found, name: string) => {
    const sign = name.replace(/;$/, '')
    const numbered = /^#(?:(\d{1,7})|x([\da-fA-F]{1,6}))$/.exec(sign)
    const code =
      numbered === null
        ? undefined
        : numbered[1] === undefined
          ? parseInt(numbered[2]!, 16)
          : Number(numbered[1])
    if (
      code !== undefined &&
      code > 0 &&
      code <= 0x10ffff &&
      (code < 0xd800 || code > 0xdfff) &&
      found.endsWith(';')
    )
      return String.fromCodePoint(code)
    if (Object.hasOwn(known, sign) && found.endsWith(';')) return known[sign]!
    throw new XliffError('it uses an entity that XML does not have')
  })
}
