/**
 * The names of emoji that shortcodes may have. Apart from their characters, because the build of the app compiles them in:
 * a browser that formats Markdown needs the names alone, a fifth of the package.
 */
import { nameToEmoji } from 'gemoji'

export const emojiNames: ReadonlySet<string> = new Set(Object.keys(nameToEmoji))
