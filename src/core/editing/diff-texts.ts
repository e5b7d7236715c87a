/**
 * Text diff as splices: by lines, and by words where lines differ. A word is replaced as a whole, so that two edits of
 * one word are a conflict and not a word that no author wrote. Work is bounded: beyond it a region is replaced as a whole.
 */
import { wordTokens } from '../merge/diff-words.js'
import { internTexts, matchBudget, matchSequences } from '../merge/lcs.js'
import { splitLines } from '../merge/merge-leaf-block.js'
import { type Splice, SpliceBuilder } from './splice.js'

/** Letters and digits, and single characters of everything else: Markdown's delimiters are tokens of their own. */
export const markupTokens = /[\p{L}\p{N}\p{M}]+|\r\n|[^]/gu

/** Returns the splices that make `after` of `before`: none when they are equal. */
export function diffTexts(before: string, after: string, tokens: RegExp = wordTokens): Splice[] {
  if (before === after) return []
  const builder = new SpliceBuilder()
  const budget = { work: matchBudget }
  const { start, end } = commonEnds(before, after)
  builder.retain(start)
  const [was, now] = [before, after].map((text) => splitLines(text.slice(start, text.length - end)))
  diffTokens(was!, now!, budget, builder, (removed, added) => {
    if (removed === '' || added === '') builder.apply(replacementOf(builder.offset, removed, added))
    else
      diffTokens(removed.match(tokens)!, added.match(tokens)!, budget, builder, (one, other) =>
        builder.apply(replacementOf(builder.offset, one, other)),
      )
  })
  return builder.splices()
}

/** Characters that are compared as one. */
const stride = 1_024

/**
 * Returns the lengths of the equal lines that two texts begin and end with: a long text that was edited at one place is
 * not split into its lines. Matching sequences begins in the same way.
 */
export function commonEnds(before: string, after: string): { readonly start: number; readonly end: number } {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start + stride <= shortest && before.startsWith(after.slice(start, start + stride), start))
    start += stride
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start++
  // The last line that is begun may end in another way.
  start = start === 0 ? 0 : after.lastIndexOf('\n', start - 1) + 1
  const most = shortest - start
  let end = 0
  const isEqual = (length: number) =>
    before.startsWith(after.slice(after.length - length, after.length - end), before.length - length)
  while (end + stride <= most && isEqual(end + stride)) end += stride
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  while (end > 0 && !(startsLine(before, before.length - end) && startsLine(after, after.length - end))) end--
  return { start, end }
}

const startsLine = (text: string, offset: number): boolean => offset === 0 || text[offset - 1] === '\n'

function replacementOf(start: number, removed: string, text: string): Splice {
  return { start, end: start + removed.length, text }
}

/** Retains what both sequences have in common, and calls `onChange` for each region between. */
function diffTokens(
  before: readonly string[],
  after: readonly string[],
  budget: { work: number },
  builder: SpliceBuilder,
  onChange: (removed: string, added: string) => void,
): void {
  const [a, b] = internTexts(before, after)
  const partner = matchSequences(a!, b!, budget)
  let [i0, j0] = [0, 0]
  const closeRegion = (i1: number, j1: number): void => {
    if (i1 > i0 || j1 > j0) onChange(before.slice(i0, i1).join(''), after.slice(j0, j1).join(''))
    ;[i0, j0] = [i1, j1]
  }
  for (const [i, token] of before.entries()) {
    const j = partner[i]!
    if (j < 0) continue
    closeRegion(i, j)
    builder.retain(token.length)
    ;[i0, j0] = [i + 1, j + 1]
  }
  closeRegion(before.length, after.length)
}
