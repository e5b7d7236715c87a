/** Excerpt of a page (meta description): one or two sentences for search engines and link previews. */
import { plainText } from './plain-text.js'
import type { Document } from './types.js'

/** Characters that search engines display. */
const maxLength = 160
/** A word boundary is searched this close to the end; in scripts without spaces the text is cut anywhere. */
const maxWordLength = 30

/** Returns the first paragraph with words as one line, cut between words; undefined when there is none. */
export function summaryOf({ blocks }: Document): string | undefined {
  for (const block of blocks) {
    if (block.type !== 'paragraph') continue
    const text = plainText(block.children).replace(/\s+/g, ' ').trim()
    if (/[\p{L}\p{N}]/u.test(text)) return truncate(text)
  }
  return undefined
}

function truncate(text: string): string {
  const characters = Array.from(text.slice(0, 2 * maxLength + 2))
  if (characters.length <= maxLength) return text
  // One character is reserved for the ellipsis, and one more shows whether a word ends exactly at the limit.
  const truncated = characters.slice(0, maxLength).join('')
  const blank = truncated.lastIndexOf(' ')
  const end =
    blank > truncated.length - maxWordLength ? blank : Array.from(truncated).slice(0, -1).join('').length
  return `${truncated.slice(0, end).replace(/[\s,;:.–—-]$/u, '')}…`
}
