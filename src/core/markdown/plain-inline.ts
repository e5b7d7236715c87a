/**
 * Label parser: one line of inline Markdown as plain text with its first link.
 *
 * Tables of contents need no more than this. Emphasis is matched by CommonMark's flanking rules, without the rule of
 * three; reference links and footnotes stay as written.
 */
import { decodeEntities } from './entities.js'
import { mayClose, mayOpen } from './flanking.js'

export interface PlainInline {
  readonly text: string
  readonly link?: InlineLink
}

export interface InlineLink {
  readonly text: string
  /** Escapes and entities removed. */
  readonly url: string
  readonly title?: string
}

/** Longer lines are cut: no title is longer, and every step below may look back. */
const maxLength = 8192

interface Piece {
  text: string
  delimiter?: string
  opens?: boolean
  closes?: boolean
}

const escape = /\\([!-/:-@[-`{-~])/y
const destination =
  /\s*(?:<((?:\\.|[^<>\\\n])*)>|((?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\]|\([^\s()]*\))*\)|\\)*))/y
const linkTitle = /\s+(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|\(((?:\\.|[^()\\])*)\))\s*\)/y

/** Returns the plain text of a line, with whitespace collapsed, and its first link. */
export function plainInline(line: string): PlainInline {
  const source = line.slice(0, maxLength)
  const parts: Piece[] = []
  const brackets: { at: number; image: boolean }[] = []
  let link: InlineLink | undefined
  let position = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const match = pattern.exec(source)
    if (match) position = pattern.lastIndex
    return match
  }

  while (position < source.length) {
    const character = source[position]!
    let match: RegExpExecArray | null
    if ((match = take(escape))) parts.push({ text: match[1]! })
    else if (character === '`') {
      const ticks = take(/`+/y)![0]
      const close = findTicks(source, position, ticks.length)
      parts.push({ text: close < 0 ? ticks : trimCode(source.slice(position, close)) })
      if (close >= 0) position = close + ticks.length
    } else if ((match = take(/<([a-z][a-z0-9+.-]+:[^\s<>]*)>/iy))) {
      link ??= { text: match[1]!, url: match[1]! }
      parts.push({ text: match[1]! })
    } else if (take(/<(?:\/?[a-z][^<>]*|!--[^<>]*--)>/iy)) continue
    else if ((match = take(/&#?[a-z0-9]{1,32};/iy))) {
      parts.push({ text: decodeEntities(match[0]) })
    } else if ((match = take(/!?\[/y))) {
      brackets.push({ at: parts.length, image: match[0] === '![' })
      parts.push({ text: match[0] })
    } else if (character === ']') {
      position++
      const bracket = brackets.pop()
      const target = bracket && source[position] === '(' ? readTarget() : undefined
      if (!bracket || !target) parts.push({ text: ']' })
      else {
        const text = plainText(parts.splice(bracket.at).slice(1))
        if (!bracket.image) link ??= { text: squeeze(text), ...target }
        parts.push({ text })
      }
    } else if ((match = take(/\*+|_+|~~/y))) {
      parts.push(delimiter(match[0], source[match.index - 1] ?? ' ', source[position] ?? ' '))
    } else parts.push({ text: take(/[^\\`<&![\]*_~]+|./suy)![0] })
  }
  return { text: squeeze(plainText(parts)), ...(link && { link }) }

  function readTarget(): { url: string; title?: string } | undefined {
    const start = position++
    const match = take(destination)!
    const url = unescapeInline(match[1] ?? match[2] ?? '')
    const title = take(linkTitle)
    if (title) return { url, title: unescapeInline(title[1] ?? title[2] ?? title[3] ?? '') }
    if (take(/\s*\)/y)) return { url }
    position = start
    return undefined
  }
}

/** Returns the text with all inline Markdown markup escaped. */
export function escapeInline(text: string): string {
  return squeeze(text)
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/[`*_[\]<~]/g, '\\$&')
    .replace(/&(?=#?[A-Za-z0-9]+;)/g, '\\&')
}

/** Returns the text with backslash escapes and character references decoded. */
export function unescapeInline(text: string): string {
  return text.replace(/&#?[a-z0-9]{1,32};|\\[!-/:-@[-`{-~]/gi, (match) =>
    match.startsWith('\\') ? match.slice(1) : decodeEntities(match),
  )
}

function delimiter(run: string, before: string, after: string): Piece {
  const left = mayOpen(before, after)
  const right = mayClose(before, after)
  const inWord = run.startsWith('_') && left && right
  const isWordEdge = (character: string) => /[\p{P}\p{S}]/u.test(character)
  return {
    text: run,
    delimiter: run[0]!,
    opens: left && (!inWord || isWordEdge(before)),
    closes: right && (!inWord || isWordEdge(after)),
  }
}

/** Joins the parts; matching delimiters are removed, the rest stays as text. */
function plainText(parts: readonly Piece[]): string {
  for (const [index, closer] of parts.entries()) {
    for (let back = index - 1; closer.closes && closer.text !== '' && back >= 0; back--) {
      const opener = parts[back]!
      if (opener.delimiter !== closer.delimiter || !opener.opens || opener.text === '') continue
      const matched = Math.min(opener.text.length, closer.text.length)
      opener.text = opener.text.slice(matched)
      closer.text = closer.text.slice(matched)
      for (const between of parts.slice(back + 1, index)) between.opens = false
    }
  }
  return parts.map((part) => part.text).join('')
}

function findTicks(source: string, from: number, length: number): number {
  for (const match of source.slice(from).matchAll(/`+/g)) {
    if (match[0].length === length) return from + match.index
  }
  return -1
}

function trimCode(code: string): string {
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
