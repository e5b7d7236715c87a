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
  diffTokens(splitLines(before), splitLines(after), budget, builder, (removed, added) => {
    if (removed === '' || added === '') builder.apply(replacementOf(builder.offset, removed, added))
    else
      diffTokens(removed.match(tokens)!, added.match(tokens)!, budget, builder, (one, other) =>
        builder.apply(replacementOf(builder.offset, one, other)),
      )
  })
  return builder.splices()
}

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
