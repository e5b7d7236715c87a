/**
 * Markdown escaping of plain text: escapes only what would otherwise be parsed as markup, because people continue to
 * edit the text.
 */

import { trimEndOf } from '../trim.js'
import { findShortcodes } from './shortcodes.js'

export interface TextPlace {
  /** Whether the text starts a line. */
  readonly startsLine: boolean
  /** Whether the text is in a cell of a pipe table, which a bar would end. */
  readonly inCell?: boolean
  /** Whether it is in a link, where a URL is not autolinked. */
  readonly inLink?: boolean
}

/** URLs are autolinked anywhere, including their punctuation, except for trailing punctuation. */
const address = /(?<![A-Za-z\d])https?:\/\/[^\s<>{]{1,2000}/g

/** Returns the escaped text; line breaks in it must already be spaces. */
export function escapeText(text: string, { startsLine, inCell = false, inLink = false }: TextPlace): string {
  const parts: string[] = []
  let done = 0
  if (!inLink) {
    for (const { 0: match, index } of text.matchAll(address)) {
      const url = trimEndOf(match, '.,;:!?\'")]}*_~')
      parts.push(escapeWords(text.slice(done, index)), /[*_~`[\]\\&$|{]/.test(url) ? `<${url}>` : url)
      done = index + url.length
    }
  }
  parts.push(escapeWords(text.slice(done)))
  const line = parts.join('')
  const bars = inCell ? line.replace(/\|/g, '\\|') : line
  return startsLine ? escapeStart(bars) : bars
}

function escapeWords(text: string): string {
  return (
    escapeNames(text.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\'))
      .replace(/[`*[\]<]/g, '\\$&')
      .replace(/~/g, '\\~')
      // A link that follows would become an image.
      .replace(/!$/, '\\!')
      // An underscore inside a word is literal.
      .replace(/(?<![A-Za-z\d])_|_(?![A-Za-z\d])/g, '\\_')
      .replace(/&(?=#?[A-Za-z\d]+;)/g, '\\&')
      .replace(/\$(?=\$)|(?<=\$)\$/g, '\\$')
      .replace(/\{(?=%)/g, '&#123;')
  )
}

/** Escapes literal text that would be an emoji shortcode. */
function escapeNames(text: string): string {
  const parts: string[] = []
  let done = 0
  for (const { start } of findShortcodes(text)) {
    parts.push(text.slice(done, start), '\\')
    done = start
  }
  parts.push(text.slice(done))
  return parts.join('')
}

/** Escapes what would begin a block at the start of a line. */
function escapeStart(line: string): string {
  return line
    .replace(/^(\s*)(\d{1,9})([.)])(?=\s|$)/, '$1$2\\$3')
    .replace(/^(\s*)([-+])(?=\s|$|[-+])/, '$1\\$2')
    .replace(/^(\s*)(#{1,6})(?=\s|$)/, '$1\\$2')
    .replace(/^(\s*)([>=|:])/, '$1\\$2')
}
