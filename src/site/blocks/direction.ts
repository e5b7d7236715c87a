/**
 * Text direction of blocks on pages with right-to-left letters: the `dir` attribute, computed from the words. A browser's
 * `auto` would take the first letter only, which on a right-to-left page is often that of a Latin name.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Inline } from '../../core/document/types.js'
import { type Direction, directionWithin } from '../../core/language/direction.js'
import type { PageRenderer } from './context.js'

/** Characters that are examined: a sentence or two. */
const maxLength = 2_000

/** Returns the direction of a block of these inlines; undefined where it is that of the page. Code does not count. */
export function directionOfInlines(
  inlines: readonly Inline[],
  { context }: Pick<PageRenderer, 'context'>,
): Direction | undefined {
  if (context.direction === undefined) return undefined
  let words = ''
  for (const inline of inlines) {
    words += wordsOf(inline)
    if (words.length > maxLength) break
  }
  return directionWithin(context.direction, words.slice(0, maxLength))
}

function wordsOf(inline: Inline): string {
  if (inline.type === 'link' || inline.type === 'annotation') return inline.children.map(wordsOf).join('')
  const isCode = inline.type === 'text' && inline.marks?.some(({ type }) => type === 'code') === true
  return isCode ? '' : plainText([inline])
}
