/**
 * Follows a range of words from one version of a block to the next, by word diff: it is the smallest range with all of its
 * words that are left. A word that was corrected in place is still that word; a range that lost more than half of its
 * letters is gone, so that words elsewhere are never taken for it.
 */
import type { Span } from '../document/types.js'
import { type DiffPart, diffWords, wordTokens } from '../merge/diff-words.js'
import { matchBudget } from '../merge/lcs.js'

/** Share of the letters of a range that must be left. */
const minLeft = 0.5
/** Share of a word that a corrected one has in common with it, at its ends. */
const minCommonEnds = 0.5

/** Returns the range in the later words; undefined when its words are gone. */
export function followRange(before: string, after: string, range: Span): Span | undefined {
  if (before === after) return range
  const core = lettersOf(before, range)
  if (core === undefined) return withoutLetters(before, after, range)
  let [from, to] = [0, 0]
  let found: Span | undefined
  let left = 0
  for (const [was, is] of pieces(diffWords(before, after, { work: matchBudget }))) {
    const overlap = { start: Math.max(from, core.start), end: Math.min(from + was.length, core.end) }
    const letters = overlap.end > overlap.start ? lettersOf(before, overlap) : undefined
    const isSame = was === is
    if (letters !== undefined && (isSame || isCorrected(was, is))) {
      left += countLetters(before, letters)
      const start = isSame ? letters.start - from + to : to
      const end = isSame ? letters.end - from + to : to + is.length
      found = { start: found?.start ?? start, end }
    }
    from += was.length
    to += is.length
  }
  if (found === undefined || left < countLetters(before, core) * minLeft) return undefined
  // With the marks at its ends, where they are left.
  const marks = before.slice(range.start, core.start)
  const tail = before.slice(core.end, range.end)
  return {
    start: found.start - (after.slice(0, found.start).endsWith(marks) ? marks.length : 0),
    end: found.end + (after.startsWith(tail, found.end) ? tail.length : 0),
  }
}

const letter = /[\p{L}\p{N}]/u

/** Returns a range from its first letter to its last; undefined when it has none. */
function lettersOf(text: string, { start, end }: Span): Span | undefined {
  const first = text.slice(start, end).search(letter)
  if (first < 0) return undefined
  let last = end
  while (!letter.test(characterBefore(text, last))) last -= characterBefore(text, last).length
  return { start: start + first, end: last }
}

/** The character before an offset, which may be a pair. */
function characterBefore(text: string, offset: number): string {
  const pair = text.slice(Math.max(0, offset - 2), offset)
  return pair.length === 2 && pair.codePointAt(0)! > 0xffff ? pair : text.slice(offset - 1, offset)
}

function countLetters(text: string, { start, end }: Span): number {
  return text.slice(start, end).match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Pairs of what was and what is: equal parts, and replaced ones word by word where they have equally many words. */
function* pieces(parts: readonly DiffPart[]): Generator<readonly [was: string, is: string]> {
  for (let at = 0; at < parts.length; at++) {
    const { change, text } = parts[at]!
    const next = parts[at + 1]
    if (change === 'same') yield [text, text]
    else if (change === 'added') yield ['', text]
    else if (next?.change !== 'added') yield [text, '']
    else {
      at++
      const [was, is] = [text.match(wordTokens) ?? [], next.text.match(wordTokens) ?? []]
      if (was.length === is.length) for (const [index, word] of was.entries()) yield [word, is[index]!]
      else yield [text, next.text]
    }
  }
}

/** Whether a word is the same with a correction: most of it is left at its ends. */
function isCorrected(was: string, is: string): boolean {
  const shortest = Math.min(was.length, is.length)
  if (shortest < 3) return false
  let start = 0
  while (start < shortest && was[start] === is[start]) start++
  let end = 0
  while (end < shortest - start && was.at(-1 - end) === is.at(-1 - end)) end++
  return start + end > Math.max(was.length, is.length) * minCommonEnds
}

/** Signs alone are found where everything around them is as it was. */
function withoutLetters(before: string, after: string, { start, end }: Span): Span | undefined {
  if (after.startsWith(before.slice(0, end))) return { start, end }
  const rest = before.length - start
  return after.endsWith(before.slice(start))
    ? { start: after.length - rest, end: after.length - rest + end - start }
    : undefined
}
