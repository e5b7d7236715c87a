/**
 * Masked sources for the Markdown parser, and mapping of its positions to the text.
 *
 * Dialect tags are masked by processing instructions of the same length, so that the tree's offsets are valid for the
 * original text; the tags are found again by position. Text inside quotes or lists, or between tags, is parsed again
 * as a separate scope, which maps its offsets back to the text.
 */
import { partitionPoint } from '../binary-search.js'
import { markdownToMdast } from 'satteri'
import type { Span } from '../document/types.js'
import { limitParserInput } from './limit-parser-input.js'
import { adjustEmphasis } from './flanking.js'
import type { SyntaxNode } from './syntax-node.js'
import type { Tag } from './tags.js'

/** A fragment of masked text with the mapping of its offsets to the full text. */
export interface Scope {
  readonly masked: string
  readonly at: (offset: number) => number
}

const features = { gfm: true, frontmatter: true, math: { singleDollarTextMath: false } } as const

/**
 * Returns the syntax tree of a text by the Markdown parser; for any string, in linear time. `report` is called, at
 * most once, with the offsets between which markup was ignored because of limits.
 */
export function parseSyntax(masked: string, report: (place: Span) => void): readonly SyntaxNode[] {
  const eased = adjustEmphasis(masked)
  const bounded = limitParserInput(eased.text)
  if (!bounded) {
    report({ start: 0, end: masked.length })
    const position = { start: { offset: 0 }, end: { offset: masked.length } }
    return [{ type: 'code', value: masked, position }]
  }
  const { children = [] } = markdownToMdast(bounded.text, { features }) as unknown as SyntaxNode
  const places = bounded.restore?.(children) ?? []
  eased.restore?.(children)
  if (places.length > 0) {
    report({ start: eased.at(places[0]!.start), end: eased.at(places.at(-1)!.end) })
  }
  return children
}

/**
 * Returns a character that the text does not contain, as filler of the masks: a control character if possible, since
 * slices of a string with non-Latin-1 characters take two bytes per character.
 */
export function chooseFiller(text: string): string {
  for (const [first, last] of fillers) {
    for (let code = first; code <= last; code++) {
      const filler = String.fromCharCode(code)
      if (!text.includes(filler)) return filler
    }
  }
  return '\uf8ff'
}

/** Control characters other than whitespace, and private-use characters. */
const fillers = [
  [0x0e, 0x1f],
  [0xe000, 0xf8fe],
] as const

/** Returns `text` with every tag replaced by a processing instruction of the same length. */
export function maskTags(text: string, tags: readonly Tag[], filler: string): string {
  const parts: string[] = []
  let done = 0
  for (const { span } of tags) {
    parts.push(text.slice(done, span.start), '<?', filler.repeat(span.end - span.start - 4), '?>')
    done = span.end
  }
  parts.push(text.slice(done))
  return parts.join('')
}

const tagLine = /^[ \t]*<\?[\u000e-\u001f\ue000-\uf8ff]+\?>[ \t]*\r?$/
const fenceLine = /^[ \t>]*(?:(?:[-*+] |\d+[.)] )[ \t]*)?(`{3,}|~{3,})/

/** The beginning of an expandable block, after which a fence is meant as one. */
const detailsLine = /<(?:details\b[^<>]*|\/summary)>$/i

/**
 * Returns the scope of a masked text with a blank line inserted before each tag line, and each fence at the beginning of
 * an expandable block, that an HTML block would swallow: an HTML block ends only at a blank line, and would include a
 * fence after the tag. `base` is the offset of `masked` in the full text.
 */
export function separateTags(masked: string, base: number): Scope {
  const insertions: number[] = []
  let fence = ''
  let isHtml = false
  let isAfterSummary = false
  const missing = new Set<string>()
  const occursFrom = (mark: string, from: number): boolean => {
    if (missing.has(mark)) return false
    const occurs = masked.includes(mark, from)
    if (!occurs) missing.add(mark)
    return occurs
  }
  for (let start = 0; start < masked.length;) {
    const lineEnd = masked.indexOf('\n', start)
    const end = lineEnd < 0 ? masked.length : lineEnd + 1
    const line = masked.slice(start, end).replace(/\n$/, '')
    const mark = fenceLine.exec(line)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = ''
    } else if (isHtml && tagLine.test(line)) {
      insertions.push(start)
      isHtml = false
    } else if (mark && isHtml && isAfterSummary && !line.startsWith('>') && occursFrom(mark, end)) {
      insertions.push(start)
      isHtml = false
      fence = mark
    } else if (mark && !isHtml) {
      fence = mark
    } else if (/^\s*$/.test(line)) {
      isHtml = false
    } else {
      isHtml ||= /^[ \t>]*<\/?[A-Za-z]/.test(line) || detailsLine.test(line.trimEnd())
    }
    isAfterSummary = isHtml && detailsLine.test(line.trimEnd())
    start = end
  }
  if (insertions.length === 0) return { masked, at: (offset) => offset + base }
  const parts: string[] = []
  let done = 0
  for (const insertion of insertions) {
    parts.push(masked.slice(done, insertion), '\n')
    done = insertion
  }
  parts.push(masked.slice(done))
  // Start of each part after the blank lines are inserted.
  const starts = insertions.map((insertion, index) => insertion + index + 1)
  return {
    masked: parts.join(''),
    at: (offset) => base + offset - countUpTo(starts, offset),
  }
}

function countUpTo(sorted: readonly number[], limit: number): number {
  return partitionPoint(sorted.length, (position) => sorted[position]! <= limit)
}

/** Returns the span in the full text of a part of a scope. */
export function spanIn(scope: Scope, start: number, end: number): { start: number; end: number } {
  const first = scope.at(start)
  if (end <= start) return { start: first, end: first }
  // The end is derived from the last character, because the next line may map elsewhere; an inserted character has
  // no position of its own.
  return { start: first, end: Math.max(first, Math.min(scope.at(end - 1) + 1, scope.at(end))) }
}

/** Returns the scope of a part of another scope. */
export function partOf(scope: Scope, start: number, end: number): Scope {
  return { masked: scope.masked.slice(start, end), at: (offset) => scope.at(start + offset) }
}

/**
 * Returns the scope of a node's value. Inside quotes and lists the value lacks the markers at the start of each
 * line, so its lines are matched to the lines of the source from their ends.
 */
export function valueScope(scope: Scope, node: SyntaxNode): Scope {
  const start = node.position.start.offset
  const value = node.value ?? ''
  const source = scope.masked.slice(start, node.position.end.offset)
  if (source.startsWith(value)) return { masked: value, at: (offset) => scope.at(start + offset) }
  const valueStarts: number[] = []
  const sourceStarts: number[] = []
  let sourceStart = 0
  let valueStart = 0
  for (const line of value.split('\n')) {
    const lineEnd = source.indexOf('\n', sourceStart)
    const sourceEnd = lineEnd < 0 ? source.length : lineEnd
    const trimmed = source[sourceEnd - 1] === '\r' && !line.endsWith('\r') ? sourceEnd - 1 : sourceEnd
    valueStarts.push(valueStart)
    sourceStarts.push(Math.max(sourceStart, trimmed - line.length))
    valueStart += line.length + 1
    sourceStart = Math.min(sourceEnd + 1, source.length)
  }
  return {
    masked: value,
    at(offset) {
      const part = Math.max(0, countUpTo(valueStarts, offset) - 1)
      return scope.at(start + Math.min(sourceStarts[part]! + offset - valueStarts[part]!, source.length))
    },
  }
}
