/**
 * Emoji by their short names. The table is the public one that code hosts share; a name that is not in it
 * is no emoji, and its colons stay text.
 */
import { nameToEmoji } from 'gemoji'
import { emojiCode } from '../document/emoji-code.js'

/** What may be a short name, colons included; in the midst of an address or a time it is none: `00:ab:cd`, `fe80::a:1`. */
const shortName = /(?<![A-Za-z0-9:]):([a-z0-9_+-]{1,50}):|:([a-z0-9_+-]{1,50}):(?![A-Za-z0-9])/g

export interface NamedEmoji {
  /** Of the first colon, and behind the last. */
  readonly start: number
  readonly end: number
  /** Hexadecimal code points, joined by hyphens. */
  readonly code: string
}

/** Returns the short names in a text, none of which shares a colon with another. */
export function findEmoji(text: string): readonly NamedEmoji[] {
  if (!text.includes(':')) return []
  return [...text.matchAll(shortName)].flatMap(({ 0: whole, 1: name = '', 2: other = '', index }) => {
    const known = name + other
    if (!Object.hasOwn(nameToEmoji, known)) return []
    return [{ start: index, end: index + whole.length, code: emojiCode(nameToEmoji[known]!)! }]
  })
}
