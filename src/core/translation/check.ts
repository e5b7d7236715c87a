/**
 * Checks that a translation changes only words: it has the same inline codes, adds no markup, and the translated text
 * has the same blocks, links, code, tags and fragments when parsed.
 */
import { anchorOf } from '../markdown/anchors.js'
import { escapeText } from '../markdown/escape-text.js'
import { setFrontMatter } from '../markdown/front-matter-edit.js'
import { parseFragment, parsePage } from '../markdown/parse.js'
import type { Document } from '../document/types.js'
import { type Code, type InlinePart, wordsOf } from './inline.js'
import type { Row, SplitText, Unit } from './split.js'

/** Most length of a translation relative to its source. */
const mostTimesLonger = 8
const alwaysAllowed = 400

/** Returns the error of a unit's translation, undefined where it is valid. */
export function findFault(unit: Unit, pieces: readonly InlinePart[]): string | undefined {
  const words = wordsOf(pieces)
  if (words.trim() === '') return 'it is empty'
  if (words.length > wordsOf(unit.pieces).length * mostTimesLonger + alwaysAllowed)
    return 'it is far too long'
  // Control characters are not allowed in text.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029\ufffe\uffff]|\n/.test(words))
    return 'it has line breaks or control characters'
  const codes = wrongCodes(unit.pieces, pieces)
  if (codes !== undefined) return codes
  if (unit.place === 'title' || unit.place === 'description') return undefined
  if (unit.place === 'attribute')
    return /["<>]|%\}|\{\{/.test(words) ? 'its title holds signs that end it' : undefined
  if (/\{[{%]/.test(words) && !/\{[{%]/.test(wordsOf(unit.pieces)))
    return 'it adds markup that the source does not have'
  if (addsMarkup(unit.pieces, pieces)) return 'it adds markup that the source does not have'
  const before = structureOf(parseFragment(unit.line).document)
  const after = structureOf(parseFragment(writeUnit(unit, pieces)).document)
  return before === after ? undefined : 'its structure is not that of the source'
}

function isCode(piece: InlinePart): piece is Code {
  return typeof piece !== 'string'
}

function wrongCodes(source: readonly InlinePart[], target: readonly InlinePart[]): string | undefined {
  const name = ({ id, role, data }: Code) => `${role} ${id} ${data}`
  const wanted = source.filter(isCode).map(name).toSorted()
  const codes = target.filter(isCode).map(name).toSorted()
  if (wanted.length !== codes.length || wanted.some((one, index) => one !== codes[index]))
    return 'links, code or tags of the source are missing, or others were added'
  const open: number[] = []
  for (const { id, role } of target.filter(isCode)) {
    if (role === 'open') open.push(id)
    else if (role === 'close' && open.pop() !== id) return 'links or marks do not end where they should'
  }
  return open.length > 0 ? 'links or marks do not end where they should' : undefined
}

/** Whether the target has words that would be markup in a text: escaping them would hide a mistake of the translator. */
function addsMarkup(source: readonly InlinePart[], target: readonly InlinePart[]): boolean {
  const known = new Set(source.flatMap((piece) => (isCode(piece) ? [] : markupIn(piece))))
  return target.some((piece) => !isCode(piece) && markupIn(piece).some((one) => !known.has(one)))
}

function markupIn(words: string): string[] {
  // Block markers do not start a block within a line.
  const { document } = parseFragment(`x ${words.trim()} x`)
  return inlineParts(document)
}

function inlineParts(document: Document): string[] {
  const found: string[] = []
  const only = document.blocks.length === 1 && document.blocks[0]!.type === 'paragraph'
  if (!only) return ['blocks']
  for (const inline of (document.blocks[0] as { children: readonly { type: string }[] }).children) {
    if (inline.type !== 'text') found.push(inline.type)
    else
      found.push(...((inline as { marks?: readonly { type: string }[] }).marks ?? []).map(({ type }) => type))
  }
  return found
}

/** Returns a unit's translation, written as Markdown. */
export function writeUnit(unit: Unit, pieces: readonly InlinePart[]): string {
  const { place, anchor } = unit
  let text = ''
  let links = 0
  for (const [index, piece] of pieces.entries()) {
    if (isCode(piece)) {
      text += piece.data
      if (/^!?\[$/.test(piece.data)) links += piece.role === 'open' ? 1 : 0
      else if (piece.role === 'close' && piece.data.startsWith(']')) links -= 1
    } else if (place === 'html') text += escapeHtml(piece)
    else if (place === 'attribute') text += piece
    else {
      const startsLine = text === '' && place === 'start'
      const next = pieces[index + 1]
      const escaped = escapeText(piece, { startsLine, inCell: place === 'cell', inLink: links > 0 })
      // Only before a link it would make an image.
      const isBare = next === undefined || typeof next === 'string' || !next.data.startsWith('[')
      text += isBare ? escaped.replace(/\\!$/, '!') : escaped
    }
  }
  if (anchor === undefined || anchorOf(wordsOf(pieces)) === anchor) return text
  return `${text} <a href="#${anchor}" id="${anchor}"></a>`
}

function escapeHtml(words: string): string {
  return words
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\{(?=[{%])/g, '&#123;')
}

/** Returns the translation of a unit; undefined leaves it as it is. */
export type Translate = (unit: Unit) => readonly InlinePart[] | undefined

/** Returns one translated row, without the text before it. */
export function writeRow({ kind, parts }: Row, translate: Translate): string {
  if (kind === 'front matter') {
    const [raw, ...units] = parts as [string, ...Unit[]]
    const changes = units.flatMap((unit) => {
      const pieces = translate(unit)
      return pieces === undefined ? [] : [[unit.place, wordsOf(pieces)] as const]
    })
    return setFrontMatter(raw, Object.fromEntries(changes))
  }
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const pieces = translate(part)
      return pieces === undefined ? part.raw : writeUnit(part, pieces)
    })
    .join('')
}

/** Returns whether two texts have one structure: blocks, links, code, tags and fragments, whatever their words. */
export function sameStructure(source: string, target: string): boolean {
  const [a, b] = [parsePage(source), parsePage(target)]
  if ((a.title === undefined) !== (b.title === undefined)) return false
  const urls = (page: typeof a) =>
    page.references
      .map(({ kind, url }) => `${kind} ${url}`)
      .toSorted()
      .join('\n')
  const own = (page: typeof a) => withoutAnchors(urls(page))
  return own(a) === own(b) && structureOf(a.document) === structureOf(b.document)
}

/** Parses of a page that are spent on finding which of its rows break it. */
const mostTries = 60

/**
 * Returns the translated text, and the rows left untranslated to preserve its structure: a translation that is valid by
 * itself may still break its context.
 */
export function writeWhole(
  source: string,
  split: SplitText,
  translate: Translate,
): { readonly text: string; readonly untranslated: ReadonlySet<Row> } {
  const { rows } = split
  const untranslated = new Set<Row>(rows)
  let tries = 0
  const write = (isMeant: (row: Row) => boolean): string =>
    rows.map((row) => row.before + writeRow(row, isMeant(row) ? translate : () => undefined)).join('') +
    split.end
  const isWhole = (isMeant: (row: Row) => boolean): boolean => {
    tries += 1
    return sameStructure(source, write(isMeant))
  }
  const take = (some: readonly Row[]): void => {
    if (some.length === 0 || tries >= mostTries) return
    const set = new Set(some)
    if (isWhole((row) => set.has(row) || !untranslated.has(row)))
      for (const row of some) untranslated.delete(row)
    else if (some.length > 1) {
      const middle = some.length >> 1
      take(some.slice(0, middle))
      take(some.slice(middle))
    }
  }
  take(rows)
  return { text: write((row) => !untranslated.has(row)), untranslated }
}

/** Headings keep their fragments by anchors, which are no links of the source. */
function withoutAnchors(urls: string): string {
  return urls
    .split('\n')
    .filter((url) => !url.startsWith('link #'))
    .join('\n')
}

/** Members derived from words or positions. */
const ofWords = new Set(['span', 'aliases', 'alt', 'label', 'title', 'anchor', 'id'])

function structureOf(document: Document): string {
  return JSON.stringify(outlineOf(document.blocks))
}

const inlineTypes = new Set([
  'text',
  'break',
  'anchor',
  'link',
  'emoji',
  'icon',
  'expression',
  'inline-math',
  'inline-image',
  'annotation',
  'button',
  'inline-html',
])

function outlineOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rows = value as readonly unknown[]
    if (rows.length > 0 && rows.every(isInline)) return { inlines: inlinesOf(rows) }
    return rows.map(outlineOf)
  }
  if (typeof value !== 'object' || value === null) return value
  const members = value as Readonly<Record<string, unknown>>
  const untranslated: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(members)) {
    if (key === 'anchor' && members['type'] === 'heading') untranslated[key] = member
    if (!ofWords.has(key)) untranslated[key] = outlineOf(member)
  }
  return untranslated
}

function isInline(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    inlineTypes.has(String((value as { type?: unknown }).type))
  )
}

/** Inline elements of a line, sorted: word order differs by language. */
function inlinesOf(row: readonly unknown[]): readonly string[] {
  const found = new Set<string>()
  const counted: string[] = []
  const visit = (inlines: readonly unknown[], around: string): void => {
    for (const inline of inlines as readonly Readonly<Record<string, unknown>>[]) {
      const marks = (inline['marks'] as readonly { type: string }[] | undefined) ?? []
      for (const mark of marks) found.add(`${around}${JSON.stringify(mark)}`)
      if (inline['type'] === 'text') {
        if (marks.some(({ type }) => type === 'code'))
          counted.push(`${around}code ${String(inline['text']).replace(/\s+/g, ' ')}`)
        continue
      }
      const {
        children,
        marks: _marks,
        caption: _caption,
        alt: _alt,
        body: _body,
        label: _label,
        title: _title,
        ...rest
      } = inline
      const name = `${around}${JSON.stringify(rest)}`
      counted.push(name)
      if (Array.isArray(children)) visit(children as readonly unknown[], `${name} > `)
    }
  }
  visit(row, '')
  return [...counted, ...found].toSorted()
}
