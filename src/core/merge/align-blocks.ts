/**
 * Block alignment of two texts: first equal blocks (LCS), then, between two equal ones, similar blocks (Dice coefficient
 * of their words), and last blocks at the same position. A block without a partner was inserted or deleted; a moved
 * block is both: as it is in both versions word for word, it is never taken for a new version of another.
 */
import type { Chunk } from './chunks.js'
import { internTexts, matchSequences } from './lcs.js'

/** Least similarity of two blocks that are versions of one another. */
const minSimilarity = 0.4
/** Pairs of blocks compared per merge of one text: about 30 ms. */
const comparisonBudget = 40_000
/** Words of a block that are compared. */
const wordLimit = 200

/** The members of a block that alignment reads. */
export type AlignableBlock = Pick<Chunk, 'kind' | 'body'>

/** Returns the index in `side` of the version of each chunk of `base`, ascending; -1 where it was deleted. */
export function alignBlocks(base: readonly AlignableBlock[], side: readonly AlignableBlock[]): Int32Array {
  const [a, b] = internTexts(
    base.map((chunk) => chunk.body),
    side.map((chunk) => chunk.body),
  )
  const partner = matchSequences(a!, b!)
  const [inBase, inSide] = [new Set(a), new Set(b)]
  const changed = (i: number, j: number) => !inSide.has(a![i]!) && !inBase.has(b![j]!)
  const words = new Map<AlignableBlock, ReadonlyMap<string, number>>()
  const wordsOf = (chunk: AlignableBlock) => {
    const counted = words.get(chunk) ?? countWords(chunk.body)
    words.set(chunk, counted)
    return counted
  }
  let budget = comparisonBudget
  for (const gap of gaps(partner, side.length)) {
    const size = (gap.a1 - gap.a0) * (gap.b1 - gap.b0)
    if (size <= 1 || size > budget) continue
    budget -= size
    pairSimilar(gap, partner, (i, j) => (changed(i, j) ? similarityOf(base[i]!, side[j]!, wordsOf) : 0))
  }
  // Equally many unmatched blocks on both sides of a gap were replaced one by one.
  for (const { a0, a1, b0, b1 } of gaps(partner, side.length)) {
    if (a1 - a0 !== b1 - b0) continue
    for (let i = a0, j = b0; i < a1; i++, j++) if (changed(i, j)) partner[i] = j
  }
  return partner
}

interface Gap {
  readonly a0: number
  readonly a1: number
  readonly b0: number
  readonly b1: number
}

/** Runs without partners that are not empty on either side. */
function gaps(partner: Int32Array, sideLength: number): Gap[] {
  const found: Gap[] = []
  let [a0, b0] = [0, 0]
  for (let i = 0; i <= partner.length; i++) {
    const j = i < partner.length ? partner[i]! : sideLength
    if (j < 0) continue
    if (i > a0 && j > b0) found.push({ a0, a1: i, b0, b1: j })
    ;[a0, b0] = [i + 1, j + 1]
  }
  return found
}

function similarityOf(
  left: AlignableBlock,
  right: AlignableBlock,
  wordsOf: (chunk: AlignableBlock) => ReadonlyMap<string, number>,
): number {
  return left.kind === right.kind ? diceCoefficient(wordsOf(left), wordsOf(right)) : 0
}

/** Pairs the chunks of a gap, in order, so that the sum of their similarities is greatest. */
function pairSimilar(
  { a0, a1, b0, b1 }: Gap,
  partner: Int32Array,
  scoreOf: (i: number, j: number) => number,
): void {
  const width = b1 - b0 + 1
  const best = new Float64Array((a1 - a0 + 1) * width)
  const similarity = new Float64Array(best.length)
  for (let i = a1 - 1; i >= a0; i--) {
    for (let j = b1 - 1; j >= b0; j--) {
      const at = (i - a0) * width + j - b0
      const score = scoreOf(i, j)
      similarity[at] = score >= minSimilarity ? score + best[at + width + 1]! : -1
      best[at] = Math.max(similarity[at]!, best[at + width]!, best[at + 1]!)
    }
  }
  for (let [i, j] = [a0, b0]; i < a1 && j < b1;) {
    const at = (i - a0) * width + j - b0
    if (similarity[at] === best[at] && similarity[at]! > 0) partner[i++] = j++
    else if (best[at + width]! >= best[at + 1]!) i++
    else j++
  }
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  let wordCount = 0
  for (const [word] of text.matchAll(/\p{Script=Han}|[\p{L}\p{N}]+/gu)) {
    if (wordCount++ === wordLimit) break
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Sørensen–Dice coefficient of two bags of words, 0 to 1. */
function diceCoefficient(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0
  let all = 0
  for (const [word, count] of a) {
    common += Math.min(count, b.get(word) ?? 0)
    all += count
  }
  for (const count of b.values()) all += count
  return all === 0 ? 0 : (2 * common) / all
}
