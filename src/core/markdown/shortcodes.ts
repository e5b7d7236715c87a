/**
 * Emoji shortcodes (`:smile:`). The table is the public one that code hosts share; an unknown name is not an emoji,
 * and its colons stay text.
 */
import { emojiNames } from './emoji-names.js'

/** Candidates for shortcodes, colons included; not in the middle of an address or a time: `00:ab:cd`, `fe80::a:1`. */
const shortName = /(?<![A-Za-z0-9:]):([a-z0-9_+-]{1,50}):|:([a-z0-9_+-]{1,50}):(?![A-Za-z0-9])/g

export interface Shortcode {
  /** Offset of the first colon, and after the last. */
  readonly start: number
  readonly end: number
  readonly name: string
}

/** Returns the shortcodes in a text; no two share a colon. */
export function findShortcodes(text: string): readonly Shortcode[] {
  if (!text.includes(':')) return []
  return [...text.matchAll(shortName)].flatMap(({ 0: whole, 1: plain = '', 2: other = '', index }) => {
    const name = plain + other
    return emojiNames.has(name) ? [{ start: index, end: index + whole.length, name }] : []
  })
}
