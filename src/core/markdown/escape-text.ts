/**
 * Words written so that Markdown reads them as words: what would be read as more is escaped, and only that, because
 * people go on writing in the text.
 */

import { trimEndOf } from '../trim.js'
import { findEmoji } from './emoji.js'

export interface TextPlace {
  /** Whether the text is the first of its line. */
  readonly startsLine: boolean
  /** Whether the text stands in a cell of a pipe table, where a bar ends it. */
  readonly inCell?: boolean
  /** Whether it stands in a link, where an address is none. */
  readonly inLink?: boolean
}

/** Addresses are read as links wherever they stand, and their signs as parts of them; full stops behind them are not. */
const address = /(?<![A-Za-z\d])https?:\/\/[^\s<>{]{1,2000}/g

/** Returns the text escaped; line breaks in it have become blanks before. */
export function escapeText(text: string, { startsLine, inCell = false, inLink = false }: TextPlace): string {
  const parts: string[] = []
  let done = 0
  if (!inLink) {
    for (const { 0: found, index } of text.matchAll(address)) {
      const url = trimEndOf(found, '.,;:!?\'")]}*_~')
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
      // A link that follows would be a picture.
      .replace(/!$/, '\\!')
      // In a word of letters an underscore is one.
      .replace(/(?<![A-Za-z\d])_|_(?![A-Za-z\d])/g, '\\_')
      .replace(/&(?=#?[A-Za-z\d]+;)/g, '\\&')
      .replace(/\$(?=\$)|(?<=\$)\$/g, '\\$')
      .replace(/\{(?=%)/g, '&#123;')
  )
}

/** What is the name of an emoji, and meant as it is written. */
function escapeNames(text: string): string {
  const parts: string[] = []
  let done = 0
  for (const { start } of findEmoji(text)) {
    parts.push(text.slice(done, start), '\\')
    done = start
  }
  parts.push(text.slice(done))
  return parts.join('')
}

/** What begins a block at the start of a line. */
function escapeStart(line: string): string {
  return line
    .replace(/^(\s*)(\d{1,9})([.)])(?=\s|$)/, '$1$2\\$3')
    .replace(/^(\s*)([-+])(?=\s|$|[-+])/, '$1\\$2')
    .replace(/^(\s*)(#{1,6})(?=\s|$)/, '$1\\$2')
    .replace(/^(\s*)([>=|:])/, '$1\\$2')
}
