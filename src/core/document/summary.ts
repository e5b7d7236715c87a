/** A page in a sentence or two, for those who see it in a list: search engines and previews in other programs. */
import { plainText } from './plain-text.js'
import type { Document } from './types.js'

/** Characters that are shown of it there. */
const longest = 160
/** So near to the end is looked for a place between two words; where a script has none, it ends anywhere. */
const longestWord = 30

/** Returns the first paragraph that says something as one line, cut between words; undefined where none does. */
export function summaryOf({ blocks }: Document): string | undefined {
  for (const block of blocks) {
    if (block.type !== 'paragraph') continue
    const text = plainText(block.children).replace(/\s+/g, ' ').trim()
    if (/[\p{L}\p{N}]/u.test(text)) return shortened(text)
  }
  return undefined
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * longest + 2))
  if (characters.length <= longest) return text
  // One is left for the sign that there is more, and one tells whether a word ends right there.
  const kept = characters.slice(0, longest).join('')
  const blank = kept.lastIndexOf(' ')
  const end = blank > kept.length - longestWord ? blank : Array.from(kept).slice(0, -1).join('').length
  return `${kept.slice(0, end).replace(/[\s,;:.–—-]$/u, '')}…`
}
