/**
 * What somebody may read of a text: everything except what stands between `{% if … %}` and `{% endif %}` when the
 * condition does not hold for them.
 *
 * It is cut out of the text itself, before anything reads, lists, renders or sends it, so that no output has to know
 * of conditions. The marks are paired as they come, wherever they stand: a mark that the parser would show as text,
 * inside a line or without its partner, still closes. Only in code they mean nothing.
 */
import { visitBlocks } from '../document/visit.js'
import { findConstruct } from './constructs.js'
import { maxTextLength, parsePage } from './parse.js'
import type { SyntaxNode } from './syntax-node.js'
import { chooseFiller, maskTags, parseSyntax, separateTags, spanIn } from './source.js'
import { type Tag, findTags } from './tags.js'

interface Range {
  readonly start: number
  readonly end: number
}

/** A mark that opens or closes a condition; one whose expression cannot be read has none, and never holds. */
interface Mark extends Range {
  readonly closes: boolean
  readonly expression?: string
}

/** Matches where a condition begins, also one whose tag has no end. */
const beginning = /\{%-?[ \t]*if(?![\w@/.])/g

/** Returns the text without what is closed; the very same text when nothing is. `holds` judges an expression. */
export function openText(text: string, holds: (expression: string) => boolean): string {
  if (text.search(beginning) < 0) return text
  const parts: string[] = []
  let done = 0
  for (const { start, end } of closedRanges(findMarks(text), text.length, holds)) {
    parts.push(text.slice(done, start))
    done = end
  }
  return parts.join('') + text.slice(done)
}

/** What is open of a text to whoever asks: nothing that stands under a condition. */
export function textForEverybody(text: string): string {
  return openText(text, () => false)
}

/**
 * Returns the expressions by which a text opens conditions, in order; undefined where a mark cannot be read or has no
 * partner.
 */
export function findConditions(text: string): readonly string[] | undefined {
  if (text.search(beginning) < 0) return []
  const expressions: string[] = []
  let open = 0
  for (const { closes, expression } of findMarks(text)) {
    open += closes ? -1 : 1
    if (open < 0 || (!closes && expression === undefined)) return undefined
    if (!closes) expressions.push(expression!)
  }
  return open === 0 ? expressions : undefined
}

/** Returns the outermost ranges that are closed; one that is never ended goes on to the end of the text. */
function closedRanges(
  marks: readonly Mark[],
  length: number,
  holds: (expression: string) => boolean,
): Range[] {
  const closed: Range[] = []
  const open: { readonly start: number; readonly isOutermost: boolean }[] = []
  let isClosed = false
  for (const { start, end, closes, expression } of marks) {
    if (!closes) {
      const isOutermost: boolean = !isClosed && !(expression !== undefined && holds(expression))
      open.push({ start, isOutermost })
      isClosed ||= isOutermost
      continue
    }
    const last = open.pop()
    if (!last?.isOutermost) continue
    closed.push({ start: last.start, end })
    isClosed = false
  }
  const unended = open.find(({ isOutermost }) => isOutermost)
  return unended === undefined ? closed : [...closed, { start: unended.start, end: length }]
}

function findMarks(text: string): Mark[] {
  const tags = findTags(text)
  const literal = literalRanges(text, tags)
  const marks: Mark[] = tags
    .filter(({ name }) => name === 'if')
    .map(({ span, closes, rest }) => ({ ...span, closes, expression: rest }))
  const starts = new Set(marks.map(({ start }) => start))
  for (const { index, 0: found } of text.matchAll(beginning)) {
    if (!starts.has(index)) marks.push({ start: index, end: index + found.length, closes: false })
  }
  const inCode = within(literal)
  return marks.filter(({ start }) => !inCode(start)).toSorted((one, other) => one.start - other.start)
}

/**
 * Returns where marks are literal: the front matter, code in a line, and blocks of code; of those only what is
 * fenced, and code to the Markdown parser and in the document alike, because either may take for code what the other
 * shows.
 */
function literalRanges(text: string, tags: readonly Tag[]): Range[] {
  if (text.length > maxTextLength) return []
  const { document, frontMatter } = parsePage(text)
  const blocks: Range[] = []
  visitBlocks(document, (block) => {
    if (block.type === 'code') blocks.push(block.span)
  })
  const isBlock = within(blocks)
  const found = syntaxOf(text, tags).filter(
    // What is code by its indent alone was meant as something else more often than not.
    ({ kind, start }) => kind === 'inlineCode' || (/[`~]/.test(text[start]!) && isBlock(start)),
  )
  return [...(frontMatter === undefined ? [] : [frontMatter]), ...found]
}

function syntaxOf(text: string, tags: readonly Tag[]): (Range & { readonly kind: string })[] {
  const known = tags.filter(({ name }) => findConstruct(name) !== undefined)
  const base = text.startsWith('\ufeff') ? 1 : 0
  const scope = separateTags(maskTags(text, known, chooseFiller(text)).slice(base), base)
  const found: (Range & { readonly kind: string })[] = []
  // What the parser is kept from reading as code is none: that closes more, never less.
  const waiting = [...parseSyntax(scope.masked, () => {})]
  for (let node: SyntaxNode | undefined; (node = waiting.pop()) !== undefined;) {
    const { start, end } = node.position
    if (node.type === 'code' || node.type === 'inlineCode') {
      found.push({ kind: node.type, ...spanIn(scope, start.offset, end.offset) })
    }
    for (const child of node.children ?? []) waiting.push(child)
  }
  return found
}

/** Returns whether an offset lies in one of the ranges. */
function within(ranges: readonly Range[]): (offset: number) => boolean {
  const sorted = ranges.toSorted((one, other) => one.start - other.start)
  const ends: number[] = []
  for (const { end } of sorted) ends.push(Math.max(end, ends.at(-1) ?? 0))
  return (offset) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]!.start <= offset) low = middle + 1
      else high = middle
    }
    return low > 0 && offset < ends[low - 1]!
  }
}
