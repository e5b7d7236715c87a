/** Emoji of shortcodes (`:smile:`), with their characters. */
import { nameToEmoji } from 'gemoji'
import { emojiCode } from '../document/emoji-code.js'
import { type Shortcode, findShortcodes } from './shortcodes.js'

export interface NamedEmoji extends Shortcode {
  /** Hexadecimal code points, joined by hyphens. */
  readonly code: string
}

/** Returns the shortcodes in a text with their emoji; no two share a colon. */
export function findEmoji(text: string): readonly NamedEmoji[] {
  return findShortcodes(text).map((found) => ({ ...found, code: emojiCode(nameToEmoji[found.name]!)! }))
}
