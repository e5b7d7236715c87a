/**
 * Expands a text for use outside of its space: destinations are resolved, expressions replaced by their values, and
 * reusable contents inlined. Everything else stays as the author wrote it, to the character.
 */
import { isOpenAPI } from '../document/openapi.js'
import type { OpenAPIBlock, Span } from '../document/types.js'
import { visitBlocks } from '../document/visit.js'
import { escapeDestination } from '../links/replace.js'
import type { ParsedPage } from './parse.js'

/** Resolves what a text refers to; undefined leaves the source unchanged. */
export interface TextResolver {
  destination(url: string): string | undefined
  value(expression: string): string | undefined
  /** Returns a description of the operation or the schemas that a block refers to. */
  specification(block: OpenAPIBlock): string | undefined
  /** Returns the expanded text of an include. */
  include(src: string): string | undefined
}

interface Edit {
  readonly span: Span
  readonly written: string
}

/** Returns the expanded text; `parsed` is its parse result. */
export function expandText(
  text: string,
  parsed: Pick<ParsedPage, 'document' | 'references' | 'expressions'>,
  { destination, value, specification, include }: TextResolver,
): string {
  const edits: Edit[] = []
  const edit = (span: Span, written: string | undefined): void => {
    if (written !== undefined) edits.push({ span, written })
  }
  visitBlocks(parsed.document, (block) => {
    if (isOpenAPI(block)) {
      const { start, end } = block.span
      const tagEnd = text.indexOf('%}', start) + 2
      const details = specification(block)
      if (details === undefined || details === '' || tagEnd < 2 || tagEnd > end) return
      edit({ start, end: tagEnd }, indentLike(text, { start, end: tagEnd }, details))
      // The author's text between the tags stays; the end tag is removed.
      const close = text.lastIndexOf('{%', end)
      if (close >= tagEnd && /^\{%-?\s*end/.test(text.slice(close, close + 20)))
        edit({ start: close, end }, '')
      return
    }
    if (block.type !== 'reusable-content') return
    const included = include(block.src)
    edit(block.span, included === undefined ? undefined : indentLike(text, block.span, included))
  })
  for (const { expression, span } of parsed.expressions) {
    const result = value(expression)
    edit(span, result === undefined ? undefined : escapeValue(result))
  }
  for (const { span, syntax, url } of parsed.references) {
    const newUrl = destination(url)
    edit(
      span,
      newUrl === undefined || newUrl === url
        ? undefined
        : escapeDestination(text, { span, syntax, url: newUrl }),
    )
  }
  return apply(text, edits)
}

/** Applies the edits; an edit inside a replaced span, such as the path of an include, is dropped. */
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
 * Returns a text as blocks in place of a tag: each line gets the tag's list indentation and quote markers, with an
 * empty line between it and other text.
 */
function indentLike(text: string, { start, end }: Span, included: string): string {
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

/** Returns whether a line has only whitespace and quote markers. */
function isBlank(line: string): boolean {
  return /^[\s>]*$/.test(line)
}

/**
 * Returns a value escaped as literal text in both Markdown and HTML: markup characters become numeric character
 * references.
 */
function escapeValue(value: string): string {
  return value
    .replace(/[\r\n]+/g, ' ')
    .replace(
      /[<>*`[\]~\\|]|&(?=#?\w{1,32};)|(?<!\w)_|_(?!\w)|\$(?=\$)|\{(?=%)/g,
      (character) => `&#${character.charCodeAt(0)};`,
    )
}
