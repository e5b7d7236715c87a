/**
 * Splits a page into translation units and untranslated text.
 *
 * The parts joined are the page, byte for byte: a translation replaces words, and all other text stays as written. A
 * row is one visible block; a unit is translated as a whole: a paragraph, a heading, a cell of a table, the title of a
 * tab. Linear in the text.
 */
import { parseFrontMatter, frontMatterSpan } from '../markdown/front-matter.js'
import { findHeadingId } from '../markdown/heading-id.js'
import { parsePage } from '../markdown/parse.js'
import { visitBlocks } from '../document/visit.js'
import { type Chunk, splitContainer, splitBlocks } from '../merge/chunks.js'
import { trimEndOf } from '../trim.js'
import { type Dialect, type InlinePart, parseInline, wordsOf } from './inline.js'

export interface Unit {
  /** The source text. */
  readonly raw: string
  /** The same without quote markers at the beginning of its lines. */
  readonly line: string
  readonly pieces: readonly InlinePart[]
  /** Units with the same key have the same translation: the same words around the same codes. */
  readonly key: string
  readonly place: 'line' | 'start' | 'cell' | 'html' | 'attribute' | 'title' | 'description'
  /** Appended to the translated unit: a heading keeps the fragment that links point to. */
  readonly anchor?: string
}

export type Part = string | Unit

export interface Row {
  /** Its kind: heading, paragraph, item, quote, table, html, title, description. */
  readonly kind: string
  /** Between the row before and this one: never translated. */
  readonly before: string
  readonly parts: readonly Part[]
}

export interface SplitText {
  readonly rows: readonly Row[]
  readonly end: string
}

/** Deeper nesting is left as it is. */
const deepest = 16

/** Characters before a heading in which its line begins: one line of HTML may have many. */
const longestPrefix = 1_000

const summaryStart = '<summary>'
const summaryEnd = '</summary>'

/** Blocks whose content is no text of the page. */
const opaque =
  /^container (?:code|openapi|swagger|api-method|prompt|content-ref|embed|file|include|@|if-|integration)/

/** Returns whether a heading sets its id in its own text. */
function hasOwnId(raw: string): boolean {
  return / id="/.test(raw) || findHeadingId(trimEndOf(raw, ' \t\r\n')) !== undefined
}

/** Returns the units of a page; `isPage` is false for a text that pages include. */
export function splitText(text: string, isPage = true): SplitText {
  return new Splitter(text, isPage).split()
}

class Splitter {
  private readonly rows: Row[] = []
  private pending = ''
  private at = 0
  /** The fragments of headings, by the positions of the headings and of their lines. */
  private readonly anchors = new Map<number, string>()
  private readonly labels = new Set<string>()

  constructor(
    private readonly text: string,
    private readonly isPage: boolean,
  ) {}

  split(): SplitText {
    const { text } = this
    for (const [, label] of text.matchAll(/^[ >\t]*\[([^\]\n]{1,200})\]:/gm))
      this.labels.add(label!.toLowerCase())
    visitBlocks(parsePage(text).document, (block) => {
      if (block.type !== 'heading') return
      const { start } = block.span
      const from = Math.max(0, start - longestPrefix)
      const before = text.slice(from, start).lastIndexOf('\n')
      this.anchors.set(start, block.anchor)
      if (before >= 0 || from === 0) this.anchors.set(from + before + 1, block.anchor)
    })
    const front = this.isPage ? frontMatterSpan(text) : undefined
    if (front !== undefined) this.frontMatter(text.slice(0, front.end))
    this.blocks(text.slice(front?.end ?? 0), 0)
    return { rows: this.rows, end: this.pending }
  }

  private literal(text: string): void {
    this.pending += text
    this.at += text.length
  }

  private row(kind: string, parts: readonly Part[]): void {
    const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part : part.raw).length, 0)
    this.at += length
    if (parts.every((part) => typeof part === 'string')) {
      this.pending += parts.join('')
      return
    }
    this.rows.push({ kind, before: this.pending, parts })
    this.pending = ''
  }

  /** The whole block is one row, in which the translated values are replaced. */
  private frontMatter(raw: string): void {
    const { metadata } = parseFrontMatter(raw)
    const parts: Part[] = [raw]
    for (const member of ['title', 'description'] as const) {
      const value = metadata[member]
      const unit = value === undefined ? undefined : plainUnit(value, member)
      if (unit !== undefined) parts.push(unit)
    }
    this.at += raw.length
    if (parts.length === 1) this.pending += raw
    else this.rows.push({ kind: 'front matter', before: this.pending, parts })
    if (parts.length > 1) this.pending = ''
  }

  private blocks(text: string, depth: number): void {
    const { chunks, end } = splitBlocks(text)
    for (const chunk of chunks) this.chunk(chunk, depth)
    this.literal(end)
  }

  private chunk(chunk: Chunk, depth: number): void {
    this.literal(chunk.before)
    const { kind, body } = chunk
    if (['code', 'math', 'divider', 'tag'].includes(kind) || opaque.test(kind)) return this.literal(body)
    const opened = depth < deepest ? splitContainer(chunk) : undefined
    if (opened !== undefined) {
      this.head(opened.head)
      for (const inner of opened.inner.chunks) this.chunk(inner, depth + 1)
      this.literal(opened.inner.end)
      return this.literal(opened.tail)
    }
    if (kind === 'table') return this.row('table', this.tableParts(body))
    if (kind === 'heading') return this.heading(body)
    if ((kind === 'html' || kind.startsWith('container')) && startsHtml.test(body))
      return this.row('html', this.htmlParts(body))
    this.row(
      kind.startsWith('item') ? 'item' : kind.startsWith('container') ? 'block' : kind,
      this.lineParts(body),
    )
  }

  /** The opening of a container: a tab and an expandable block have a title in it. */
  private head(head: string): void {
    const from = head.indexOf(summaryStart) + summaryStart.length
    const to = head.trimEnd().length - summaryEnd.length
    if (from >= summaryStart.length && to >= from && head.startsWith(summaryEnd, to))
      return this.row('title', [
        head.slice(0, from),
        ...this.unit(head.slice(from, to), 'html'),
        head.slice(to),
      ])
    const titled = /^([ \t]*\{%-?\s*(?:tab|expandable)\b[^%]*?\btitle=")([^"%]*)("[\s\S]*)$/.exec(head)
    if (titled === null) return this.literal(head)
    const [, before, title, after] = titled
    this.row('title', [before!, plainUnit(title!, 'attribute') ?? title!, after!])
  }

  private heading(body: string): void {
    const [prefix] = linePrefix.exec(body)!
    const rest = body.slice(prefix.length)
    const isUnderlined = !prefix.includes('#')
    const raw = isUnderlined ? rest.slice(0, Math.max(0, rest.lastIndexOf('\n'))) : withoutClosing(rest)
    const parts = this.anchored(this.unit(raw, 'line'), this.at)
    this.row('heading', [prefix, ...parts, rest.slice(raw.length)])
  }

  /** Parts of the heading at this position; an explicit fragment is in its text already. */
  private anchored(parts: readonly Part[], at: number): Part[] {
    const anchor = this.anchors.get(at)
    return parts.map((part) =>
      typeof part === 'string' || anchor === undefined || hasOwnId(part.raw) ? part : { ...part, anchor },
    )
  }

  /** Lines of prose, each after its marker; continuation lines are one unit. */
  private lineParts(body: string): Part[] {
    const parts: Part[] = []
    let raw = ''
    let scanned = ''
    let fence = ''
    let consumed = this.at
    let headingAt: number | undefined
    const end = () => {
      const found = raw === '' ? [] : this.unit(raw, 'start', scanned)
      parts.push(...(headingAt === undefined ? found : this.anchored(found, headingAt)))
      raw = scanned = ''
      headingAt = undefined
    }
    for (const line of body.split(/(?<=\n)/)) {
      const [prefix] = linePrefix.exec(line)!
      const rest = line.slice(prefix.length)
      const lineAt = consumed
      consumed += line.length
      const mark = /^(?:`{3,}|~{3,})/.exec(rest)?.[0]
      if (fence !== '' || mark !== undefined) {
        end()
        parts.push(line)
        if (fence === '') fence = mark!
        else if (mark?.startsWith(fence) === true) fence = ''
        continue
      }
      const isLiteral =
        /^(?:\[[^\]\n]*\]:(?!\s*\S+\s+\S+\s+\S)|\[!\w+\]\s*$|\||\{%|\s*$|[-*_=]{3,}\s*$)/.test(rest)
      if (isLiteral && !rest.includes('%}', 2)) {
        end()
        parts.push(line)
      } else if (raw !== '' && headingAt === undefined && !/[-*+#:\d[]/.test(prefix)) {
        raw += line
        scanned += rest
      } else {
        end()
        parts.push(prefix)
        raw = scanned = rest
        if (prefix.includes('#')) headingAt = lineAt
      }
    }
    end()
    return parts
  }

  private tableParts(body: string): Part[] {
    return body.split(/(?<=\n)/).flatMap((line): Part[] => {
      if (/^[ \t|:-]*$/.test(line.trimEnd())) return [line]
      return cellsOf(line).flatMap((cell) => (cell === '|' ? [cell] : this.unit(cell, 'cell')))
    })
  }

  private htmlParts(body: string): Part[] {
    const parts: Part[] = []
    let done = 0
    let skipTo = ''
    let headingAt: number | undefined
    for (const { 0: tag, 1: element, index } of body.matchAll(blockTags)) {
      const isClosing = tag.startsWith('</')
      if (skipTo !== '') {
        if (isClosing && element!.toLowerCase() === skipTo) skipTo = ''
        else continue
        parts.push(body.slice(done, index))
      } else {
        const run = this.htmlRun(body.slice(done, index))
        parts.push(...(headingAt === undefined ? run : this.anchored(run, headingAt)))
        const isHeading = !isClosing && /^h[1-6]$/i.test(element!) && !/\sid\s*=/i.test(tag)
        headingAt = isHeading ? this.at + index : undefined
        if (!isClosing && /^(?:pre|script|style)$/i.test(element!)) skipTo = element!.toLowerCase()
      }
      parts.push(tag)
      done = index + tag.length
    }
    const rest = body.slice(done)
    parts.push(...(skipTo === '' ? this.htmlRun(rest) : [rest]))
    return parts.filter((part) => part !== '')
  }

  private htmlRun(run: string): Part[] {
    // Blank lines between tags: the content is Markdown or several blocks.
    return /\n[ \t]*\r?\n/.test(run.trim()) ? [run] : this.unit(run, 'html')
  }

  /** The unit of a line with the blanks around it, or the line itself where it has no words. */
  private unit(raw: string, place: Unit['place'], scanned = raw): Part[] {
    const trimmed = raw.trim()
    if (trimmed === '') return [raw]
    const from = raw.indexOf(trimmed)
    const dialect: Dialect = place === 'cell' || place === 'html' ? place : 'markdown'
    const pieces = parseInline(scanned.trim(), dialect === 'cell' ? 'cell' : dialect, this.labels)
    if (!hasWords(pieces)) return [raw]
    const unit: Unit = { raw: trimmed, line: scanned.trim(), pieces, key: keyOf(pieces, place), place }
    return [raw.slice(0, from), unit, raw.slice(from + trimmed.length)].filter((part) => part !== '')
  }
}

const linePrefix =
  /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?(?:#{1,6}[ \t]+)?(?:\[\^[^\]\s]+\]:[ \t]*)?/

const startsHtml =
  /^\s*<(?:!--|[?!]|\/?(?:address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|option|p|param|picture|pre|script|section|source|style|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul|video)\b)/i
/** Tags with ">" in quotes only in attributes of bounded length. */
const blockTags =
  /<\/?(address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|option|p|param|picture|pre|script|section|source|style|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul|video)\b(?:[^<>"']|"[^"<>]{0,4000}"|'[^'<>]{0,4000}')*>/gi

/** A heading without its closing marker. */
function withoutClosing(line: string): string {
  const words = line.trimEnd()
  const open = trimEndOf(words, '#')
  return open === words || !/[ \t]$/.test(open.slice(-1)) ? words : open.trimEnd()
}

/** The cells of a row with the bars between them; bars in code and escaped ones belong to a cell. */
function cellsOf(line: string): string[] {
  const cells: string[] = []
  let from = 0
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === '|') {
      cells.push(line.slice(from, at), '|')
      from = at + 1
    }
  }
  cells.push(line.slice(from))
  return cells.filter((cell) => cell !== '')
}

function plainUnit(value: string, place: 'title' | 'description' | 'attribute'): Unit | undefined {
  const words = value.replace(/\s+/g, ' ').trim()
  return hasWords([words])
    ? { raw: value, line: value, pieces: [words], key: keyOf([words], place), place }
    : undefined
}

/** Returns the unit of a title in no text. */
export function titleUnit(title: string): Unit | undefined {
  return plainUnit(title, 'title')
}

/** Only letters are translated: numbers and signs mean the same everywhere. */
function hasWords(pieces: readonly InlinePart[]): boolean {
  return /\p{L}/u.test(wordsOf(pieces))
}

function keyOf(pieces: readonly InlinePart[], place: Unit['place']): string {
  const dialect = place === 'html' || place === 'cell' ? place : ''
  return JSON.stringify([
    dialect,
    pieces.map((one) => (typeof one === 'string' ? one : [one.role, one.id, one.data])),
  ])
}

/** Returns all units of a text, in order. */
export function unitsOf({ rows }: SplitText): Unit[] {
  return rows.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'))
}
