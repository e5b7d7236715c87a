/**
 * Format-preserving edit: what an author wrote by hand around an edit stays. The edit is found between two formatted
 * versions of a block, before and after it, and made in the source of the block, which differs from the first in its
 * delimiters, escapes and line breaks alone.
 */
import { diffTexts, markupTokens } from './diff-texts.js'
import type { Splice } from './splice.js'

/**
 * Returns the splices of `source` that do to it what turns the text `before` into `after`. Where the edit overlaps
 * something that the author wrote differently, that is written anew.
 */
export function carryEdit(source: string, before: string, after: string): Splice[] {
  if (before === after) return []
  if (source === before) return diffTexts(source, after, markupTokens)
  const style = diffTexts(before, source, markupTokens)
  const carried: Splice[] = []
  let next = 0
  let shift = 0
  const skip = ({ start, end, text }: Splice): void => {
    shift += text.length - (end - start)
    next++
  }
  const edits = diffTexts(before, after, markupTokens)
  for (let index = 0; index < edits.length;) {
    let { start, end } = edits[index]!
    while (next < style.length && isBefore(style[next]!, edits[index]!)) skip(style[next]!)
    if (next < style.length && style[next]!.end > style[next]!.start)
      start = Math.min(start, style[next]!.start)
    const from = start + shift
    const parts: string[] = []
    let done = start
    const first = index
    for (; index < edits.length && (index === first || edits[index]!.start < end); index++) {
      const edit = edits[index]!
      parts.push(before.slice(done, edit.start), edit.text)
      done = edit.end
      end = Math.max(end, done)
      while (next < style.length && style[next]!.start < end) {
        end = Math.max(end, style[next]!.end)
        skip(style[next]!)
      }
    }
    parts.push(before.slice(done, end))
    carried.push({ start: from, end: end + shift, text: parts.join('') })
  }
  return carried
}

/** Whether a difference of style is before an edit; an escape is part of the character behind it. */
function isBefore(style: Splice, edit: Splice): boolean {
  if (style.end > edit.start) return false
  if (style.end > style.start || style.end < edit.start) return true
  return edit.end > edit.start && !style.text.endsWith('\\')
}
