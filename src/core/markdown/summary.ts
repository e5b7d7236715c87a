/**
 * SUMMARY.md parser: the table of contents of a space as nested entries.
 *
 * Parsing is line-based and lenient: a bullet belongs to the nearest bullet above that is at least two columns
 * further left, whatever the markers, because a page lost over one space of indentation is worse than a list that a
 * strict parser would nest differently. A rule (`---`) ends a group, so that pages may follow groups at the top
 * level. Whether files exist, and what happens to one listed twice, is decided elsewhere.
 */
import type { Problem, Span } from '../document/types.js'
import { joinPath, resolveReference } from '../links/resolve.js'
import { type InlineLink, plainInline, unescapeInline } from './plain-inline.js'
import { memberOf } from '../mapping.js'
import { readMapping } from './yaml-text.js'
import { pause, runSync } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { trimEndOf } from '../trim.js'

export type SummaryEntry = SummaryGroup | SummaryPage | SummaryLink | SummaryComputed

interface SummaryBase {
  readonly title: string
  readonly children: readonly SummaryEntry[]
  /** The lines of the entry itself, without its children. */
  readonly span: Span
}

/** At the top level only. */
export interface SummaryGroup extends SummaryBase {
  readonly kind: 'group'
  readonly slug?: string
}

export interface SummaryPage extends SummaryBase {
  readonly kind: 'page'
  /** Name in the navigation, if it differs from the title. */
  readonly linkTitle?: string
  /** File relative to the folder of the SUMMARY; absent when the bullet names no valid one. */
  readonly file?: string
  /** The destination taken literally, where that is another file: `%20` or `#` in a name. */
  readonly literalFile?: string
  /** The destination as written, where it is a part of the file. */
  readonly part?: string
  /** True where Markdown reads no link, because of blanks or parentheses: it is one if it names a file that exists. */
  readonly isLoose?: true
}

export interface SummaryLink extends SummaryBase {
  readonly kind: 'link'
  readonly linkTitle?: string
  readonly url: string
}

export interface SummaryComputed extends SummaryBase {
  readonly kind: 'computed'
  /** The YAML of the fence without its indentation, lines joined by `\n`. */
  readonly source: string
}

export interface Summary {
  readonly entries: readonly SummaryEntry[]
  readonly problems: readonly Problem[]
}

/** Deeper bullets become siblings at the deepest level, so that code may recurse over the entries. */
export const maxSummaryDepth = 100

export interface Line {
  readonly text: string
  readonly start: number
}

interface OpenItem {
  readonly column: number
  readonly children: SummaryEntry[]
}

const blank = /^\s*$/
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const heading = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/
const fence = /^(`{3,}|~{3,})[ \t]*([^`\s]*)/
export const bullet = /^([ \t]*)([*+-]|\d{1,9}[.)])(?=[ \t]|$)/

/** Returns the entries of a SUMMARY.md in order, and problems. Linear time, never throws. */
export function parseSummary(text: string): Summary {
  return runSync(parseSummaryInSteps(text))
}

/** Lines between two pauses: some milliseconds. */
const linesPerPause = 200

/** The same as a step that loads nothing and pauses: a table of contents of a megabyte takes a tenth of a second. */
export function* parseSummaryInSteps(text: string): Step<Summary> {
  const lines = splitLines(text)
  const problems: Problem[] = []
  const entries: SummaryEntry[] = []
  let list = entries
  let items: OpenItem[] = []
  let index = skipFrontMatter(lines)

  let pausedAt = 0
  while (index < lines.length) {
    if (index - pausedAt >= linesPerPause) {
      pausedAt = index
      yield* pause()
    }
    const line = lines[index]!
    const first = index++
    const trimmed = line.text.trimStart()
    if (blank.test(line.text)) continue
    if (trimmed.startsWith('<!--')) {
      index = endOfComment(lines, first)
    } else if (fence.test(trimmed)) {
      index = readFence(lines, first, 0, trimmed).next
    } else if (rule.test(line.text)) {
      list = entries
      items = []
    } else if (heading.test(line.text)) {
      openGroup(first, headingText(line.text), heading.exec(line.text)![1]!.length)
    } else if (bullet.test(line.text)) {
      readBullet(first)
    } else if (underline.test(lines[index]?.text ?? '')) {
      openGroup(first, trimmed, lines[index]!.text.includes('=') ? 1 : 2)
      index++
    } else {
      const { text: whole, link } = plainInline(trimmed)
      if (link ? link.text !== whole : !findLooseLink(trimmed)) continue
      items = []
      list.push(linkEntry(trimmed, spanOf(first, first), []))
    }
  }
  return { entries, problems }

  function openGroup(first: number, source: string, level: number): void {
    items = []
    list = entries
    // The first single `#` is the title of the table; later ones are groups.
    if (level === 1 && entries.length === 0) return
    const id = /<a\s[^<>]{0,500}?\bid="([^"<>]{1,200})"[^<>]{0,500}>/.exec(source)?.[1]
    const children: SummaryEntry[] = []
    const slug = id === undefined ? {} : { slug: unescapeInline(id) }
    entries.push({
      kind: 'group',
      title: plainInline(source).text,
      ...slug,
      children,
      span: spanOf(first, first),
    })
    list = children
  }

  function readBullet(first: number): void {
    const { column, contentColumn, content } = readMarkers(lines[first]!.text)
    if (content === '') return
    while (items.length > 0 && column < items.at(-1)!.column + 2) items.pop()
    if (items.length >= maxSummaryDepth) {
      report(first, 'This entry stands too deep: it is read at the deepest level allowed.')
      items.length = maxSummaryDepth - 1
    }
    const siblings = items.at(-1)?.children ?? list
    const children: SummaryEntry[] = []
    items.push({ column, children })

    const opening = fence.exec(content)
    if (opening) {
      const { source, next, closed } = readFence(lines, first, contentColumn, content)
      index = next
      if (!closed) report(first, 'The YAML of this entry has no end.')
      if (!/^(?:ya?ml)?$/i.test(opening[2]!)) report(first, 'Only YAML can stand in the place of a page.')
      else
        siblings.push({
          kind: 'computed',
          title: computedTitle(source),
          source,
          children,
          span: spanOf(first, next - 1),
        })
      return
    }
    let label = content
    while (index < lines.length && continues(lines[index]!.text)) label += ` ${lines[index++]!.text.trim()}`
    siblings.push(linkEntry(label, spanOf(first, index - 1), children))
  }

  function linkEntry(label: string, span: Span, children: SummaryEntry[]): SummaryEntry {
    const { text: plain, link: plainLink } = plainInline(label)
    const loose = plainLink ? undefined : findLooseLink(label)
    const link = plainLink ?? loose
    const target = link && resolveReference('SUMMARY.md', link.url)
    if (!link || !target || (loose && target.kind !== 'file')) {
      const title = loose?.text || plain
      problems.push({ message: withoutLink(title), span })
      return { kind: 'page', title, children, span }
    }
    const linkTitle = link.title ? { linkTitle: link.title } : {}
    if (target.kind === 'file') {
      const { path: file, fragment } = target
      const literalFile = joinPath('', link.url)
      return {
        kind: 'page',
        title: link.text || file,
        ...linkTitle,
        file,
        ...(literalFile && literalFile !== file && { literalFile }),
        ...(fragment && { part: link.url }),
        ...(loose && { isLoose: true }),
        children,
        span,
      }
    }
    if (target.kind === 'outside') {
      problems.push({ message: `${link.url} is outside the content: it becomes a page without text.`, span })
    }
    return target.kind === 'outside' || link.url === ''
      ? { kind: 'page', title: link.text, ...linkTitle, children, span }
      : { kind: 'link', title: link.text || link.url, ...linkTitle, url: link.url, children, span }
  }

  function spanOf(first: number, last: number): Span {
    return { start: lines[first]!.start, end: lines[last]!.start + lines[last]!.text.length }
  }

  function report(line: number, message: string): void {
    problems.push({ message, span: spanOf(line, line) })
  }
}

/** The problem of an entry without a link. */
export function withoutLink(title: string): string {
  return `“${title}” has no link: it becomes a page without text.`
}

/**
 * Returns a link whose destination Markdown does not read as one, because of its blanks or parentheses. Whether it is
 * meant as one shows by the file that it names.
 */
function findLooseLink(label: string): InlineLink | undefined {
  const source = label.trim()
  const middle = source.indexOf('](')
  if (!source.startsWith('[') || !source.endsWith(')') || middle < 0) return undefined
  const inside = source.slice(middle + 2, -1).trim()
  const quoted = /\s"([^"]*)"$/.exec(inside)
  return {
    text: plainInline(source.slice(1, middle)).text,
    url: unescapeInline((quoted ? inside.slice(0, quoted.index) : inside).trim()),
    ...(quoted?.[1] && { title: unescapeInline(quoted[1]) }),
  }
}

/** Returns the lines of a text with their offsets, without line ends and without a byte order mark. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  let start = text.startsWith('\ufeff') ? 1 : 0
  for (const end of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ text: text.slice(start, end.index), start })
    start = end.index + end[0].length
  }
  lines.push({ text: text.slice(start), start })
  return lines
}

/** Returns the column after leading spaces and tabs, tabs going to the next multiple of four. */
export function columnOf(indentation: string, from = 0): number {
  let column = from
  for (const character of indentation) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

/** Returns the title of a computed page from its YAML: its own, else its specification, else its type. */
export function computedTitle(source: string): string {
  const { value } = readMapping(source)
  const ref = ['dependencies', 'spec', 'ref'].reduce<unknown>(memberOf, value)
  const file = memberOf(ref, 'file')
  const name = typeof file === 'string' ? nameWithoutEnding(file) : undefined
  const title = [memberOf(value, 'title'), memberOf(ref, 'spec'), name, memberOf(value, 'type')].find(
    (candidate) => typeof candidate === 'string' && candidate !== '',
  )
  return String(title ?? 'Untitled')
}

function nameWithoutEnding(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

/**
 * Returns the parts of a bullet's line; `contentColumn` is where `content` begins.
 * A marker directly inside a marker (`- 1. text`) does not open another level.
 */
export function readMarkers(text: string): { column: number; contentColumn: number; content: string } {
  let match = bullet.exec(text)!
  const column = columnOf(match[1]!)
  let contentColumn = column
  let rest = text
  let offset = 0
  for (;;) {
    const inner: RegExpExecArray | null = bullet.exec(rest)
    if (!inner) break
    match = inner
    contentColumn = columnOf(match[1]!, offset) + match[2]!.length
    offset = contentColumn
    rest = rest.slice(match[0].length)
  }
  const spaces = /^[ \t]*/.exec(rest)![0]
  return { column, contentColumn: columnOf(spaces, offset), content: rest.trim() }
}

function continues(text: string): boolean {
  const trimmed = text.trimStart()
  return !(
    trimmed === '' ||
    trimmed.startsWith('<!--') ||
    fence.test(trimmed) ||
    rule.test(text) ||
    heading.test(text) ||
    bullet.test(text)
  )
}

function headingText(text: string): string {
  const content = text.replace(heading, '').trim()
  const open = trimEndOf(content, '#')
  return open === '' || /\s$/.test(open.slice(-1)) ? open.trimEnd() : content
}

function skipFrontMatter(lines: readonly Line[]): number {
  if (lines[0]!.text.trimEnd() !== '---' || !/^[\w-]+:/.test(lines[1]?.text ?? '')) return 0
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line.text))
  return end + 1
}

function endOfComment(lines: readonly Line[], first: number): number {
  let index = first
  while (index < lines.length && !lines[index]!.text.includes('-->')) index++
  return index + 1
}

/** Parses the fence that opens with `opening` on the line `first`, up to its end or the end of its list item. */
function readFence(
  lines: readonly Line[],
  first: number,
  contentColumn: number,
  opening: string,
): { source: string; next: number; closed: boolean } {
  const marker = fence.exec(opening)![1]!
  const content: string[] = []
  let index = first + 1
  for (; index < lines.length; index++) {
    const { text } = lines[index]!
    const indentation = /^[ \t]*/.exec(text)![0]
    const inside = text.slice(indentation.length)
    if (inside.startsWith(marker) && inside.replaceAll(marker[0]!, '').trim() === '') {
      return { source: content.join('\n'), next: index + 1, closed: true }
    }
    const column = columnOf(indentation)
    if (inside !== '' && column < contentColumn) break
    content.push(inside === '' ? '' : ' '.repeat(column - contentColumn) + inside)
  }
  return { source: content.join('\n'), next: index, closed: false }
}
