/**
 * A text as it is read outside of its space: destinations lead where the reader is, expressions are their values, and
 * reusable contents are their texts. Everything else stays as the author wrote it, to the character.
 */
import { isOpenAPI } from '../document/openapi.js'
import type { OpenAPIBlock, Span } from '../document/types.js'
import { visitBlocks } from '../document/visit.js'
import { escapeDestination } from '../links/replace.js'
import type { ParsedPage } from './parse.js'

/** What a text names, for its reader; undefined leaves what the author wrote. */
export interface Answers {
  destination(url: string): string | undefined
  value(expression: string): string | undefined
  /** What is known of the operation or the schemas that a block names. */
  specification(block: OpenAPIBlock): string | undefined
  /** The text that stands for an include, written out. */
  include(src: string): string | undefined
}

interface Edit {
  readonly span: Span
  readonly written: string
}

/** Returns the text written out; `parsed` is what was read from it. */
export function writeOut(
  text: string,
  parsed: Pick<ParsedPage, 'document' | 'references' | 'expressions'>,
  { destination, value, specification, include }: Answers,
): string {
  const edits: Edit[] = []
  const edit = (span: Span, written: string | undefined): void => {
    if (written !== undefined) edits.push({ span, written })
  }
  visitBlocks(parsed.document, (block) => {
    if (isOpenAPI(block)) {
      const { start, end } = block.span
      const tagEnd = text.indexOf('%}', start) + 2
      const told = specification(block)
      if (told === undefined || told === '' || tagEnd < 2 || tagEnd > end) return
      edit({ start, end: tagEnd }, setInPlace(text, { start, end: tagEnd }, told))
      // What the writer says stays between the tags, which say nothing more.
      const close = text.lastIndexOf('{%', end)
      if (close >= tagEnd && /^\{%-?\s*end/.test(text.slice(close, close + 20)))
        edit({ start: close, end }, '')
      return
    }
    if (block.type !== 'reusable-content') return
    const included = include(block.src)
    edit(block.span, included === undefined ? undefined : setInPlace(text, block.span, included))
  })
  for (const { expression, span } of parsed.expressions) {
    const found = value(expression)
    edit(span, found === undefined ? undefined : escapeValue(found))
  }
  for (const { span, syntax, url } of parsed.references) {
    const led = destination(url)
    edit(
      span,
      led === undefined || led === url ? undefined : escapeDestination(text, { span, syntax, url: led }),
    )
  }
  return apply(text, edits)
}

/** What stands in a place that is replaced as a whole, such as the path of an include, goes with it. */
function apply(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let done = 0
  for (const { span, written } of edits.toSorted((one, other) => one.span.start - other.span.start)) {
    if (span.start < done) continue
    parts.push(text.slice(done, span.start), written)
    done = span.end
  }
  return parts.join('') + text.slice(done)
}

/**
 * Returns a text as blocks in the place of a tag: each line stands as deep in lists and quotes as the tag, with an
 * empty line between it and other words.
 */
function setInPlace(text: string, { start, end }: Span, included: string): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lead = text.slice(lineStart, start)
  const [, quotes, marker, rest] = /^([\s>]*)((?:[-*+]|\d{1,9}[.)])?)([\s>]*)/.exec(lead)!
  const isFirst = quotes!.length + marker!.length + rest!.length === lead.length
  const deep = isFirst ? quotes! + ' '.repeat(marker!.length) + rest! : ''
  const lineEnd = text.indexOf('\n', end)
  const behind = text.slice(end, lineEnd < 0 ? text.length : lineEnd)
  const lines = included.replace(/\r\n?/g, '\n').split('\n')
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop()
  const body = lines
    .map((line, index) => (index === 0 ? line : line === '' ? deep.trimEnd() : deep + line))
    .join('\n')
  const before = !isFirst ? '\n\n' : marker !== '' || isBlank(lineBefore(text, lineStart)) ? '' : `\n${deep}`
  const after = behind.trim() !== '' ? `\n\n${deep}` : isBlank(lineAfter(text, lineEnd)) ? '' : '\n'
  return before + body + after
}

function lineBefore(text: string, lineStart: number): string {
  return lineStart === 0 ? '' : text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart - 1)
}

function lineAfter(text: string, lineEnd: number): string {
  if (lineEnd < 0) return ''
  const next = text.indexOf('\n', lineEnd + 1)
  return text.slice(lineEnd + 1, next < 0 ? text.length : next)
}

/** True for nothing but blanks and the marks of quotes. */
function isBlank(line: string): boolean {
  return /^[\s>]*$/.test(line)
}

/**
 * Returns a value as words that are read as they are, in Markdown and in HTML alike: what would be read as more is
 * written by its number.
 */
function escapeValue(value: string): string {
  return value
    .replace(/[\r\n]+/g, ' ')
    .replace(
      /[<>*`[\]~\\|]|&(?=#?\w{1,32};)|(?<!\w)_|_(?!\w)|\$(?=\$)|\{(?=%)/g,
      (character) => `&#${character.charCodeAt(0)};`,
    )
}
