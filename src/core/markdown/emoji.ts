/**
 * Emoji by their short names. The table is the public one that code hosts share; a name that is not in it
 * is no emoji, and its colons stay text.
 */
import { nameToEmoji } from 'gemoji'
import { emojiCode } from '../document/emoji-code.js'

/** What may be a short name, colons included. */
export const shortName = /:([a-z0-9_+-]{1,50}):/g

/** Returns the hexadecimal code points of the emoji called `name`, joined by hyphens, or undefined. */
export function findEmoji(name: string): string | undefined {
  return Object.hasOwn(nameToEmoji, name) ? emojiCode(nameToEmoji[name]!) : undefined
}
