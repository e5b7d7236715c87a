/**
 * Block alignment of two texts, for merges, diffs and comments: which block of the one is a version of which of the other.
 *
 * First equal blocks (LCS), where a body that repeats is equal below the same heading only; then, between two matched
 * blocks, equal and similar ones (Dice coefficient of their words); then blocks that moved, word for word or reworded;
 * last, between two matched blocks, those at the same position. A block without a version was inserted or deleted.
 */
import type { Chunk } from './chunks.js'
import { internTexts, matchBudget, matchSequences } from './lcs.js'
import { headingLevel, parentHeadings } from './sections.js'
import { type WordBag, countWords, diceCoefficient, findBestMatches } from './word-similarity.js'

/** Least similarity of two blocks that are versions of one another. */
const minSimilarity = 0.4
/** Least similarity of a block that moved and was reworded. */
const minMovedSimilarity = 0.5
/** By how much a block elsewhere must be more similar than one at the same position. */
const movedAdvantage = 0.25
/** Pairs of blocks compared per merge of one text: about 30 ms. */
const comparisonBudget = 40_000

/** What is neither heading nor list item, see `rankOf`. */
const blockRank = 1

/** In a gap with more blocks of the side, a block is taken to have its version. */
const gapLimit = 16

/** The members of a block that alignment reads. */
export type AlignableBlock = Pick<Chunk, 'kind' | 'body'>

export interface Alignment {
  /** The index in the side of each block's version, ascending; -1 where the block was deleted or moved. */
  readonly inPlace: Int32Array
  /** The index in the side of each moved block; -1 for every other. */
  readonly moved: Int32Array
}

/** Returns the version in `side` of each block of `base`. */
export function alignBlocks(base: readonly AlignableBlock[], side: readonly AlignableBlock[]): Alignment {
  return new BlockAligner(base, side).align()
}

/** Whether two blocks are versions of one another by their words. */
export function isSimilar(left: AlignableBlock, right: AlignableBlock): boolean {
  if (left.body === right.body || haveCommonEnds(left, right)) return true
  return (
    left.kind === right.kind &&
    diceCoefficient(countWords(left.body), countWords(right.body)) >= minSimilarity
  )
}

class BlockAligner {
  /** Equal bodies have equal numbers. */
  private readonly baseBodies: Int32Array
  private readonly sideBodies: Int32Array
  private readonly inPlace: Int32Array
  private readonly moved: Int32Array
  /** Blocks of the side that have a match or were moved. */
  private readonly isTaken: Uint8Array
  /** Numbers below are bodies of the base. */
  private baseBodyCount = 0
  private bodyCount = 0
  private readonly words = new Map<AlignableBlock, WordBag>()

  constructor(
    private readonly base: readonly AlignableBlock[],
    private readonly side: readonly AlignableBlock[],
  ) {
    const bodies = internTexts(
      base.map(({ body }) => body),
      side.map(({ body }) => body),
    )
    this.baseBodies = bodies[0]!
    this.sideBodies = bodies[1]!
    this.inPlace = new Int32Array(base.length).fill(-1)
    this.moved = new Int32Array(base.length).fill(-1)
    this.isTaken = new Uint8Array(side.length)
    for (const body of this.baseBodies) this.baseBodyCount = Math.max(this.baseBodyCount, body + 1)
    this.bodyCount = this.baseBodyCount
    for (const body of this.sideBodies) this.bodyCount = Math.max(this.bodyCount, body + 1)
  }

  align(): Alignment {
    this.matchEqual()
    this.preferOuterBlocks()
    this.matchReplaced()
    if (this.inPlace.includes(-1) && this.isTaken.includes(0)) {
      this.matchSimilar()
      this.findMoved()
      this.matchByPosition()
    }
    return { inPlace: this.inPlace, moved: this.moved }
  }

  private match(i: number, j: number): void {
    this.inPlace[i] = j
    this.isTaken[j] = 1
  }

  private matchEqual(): void {
    const { base, side, baseBodies, sideBodies } = this
    const [a, b] = keysBySection([base, side], [baseBodies, sideBodies])
    const budget = { work: matchBudget }
    for (const [i, j] of matchSequences(a, b, budget).entries()) if (j >= 0) this.match(i, j)
    if (a === baseBodies) return
    // Bodies that repeat, below a heading that changed. In shorter gaps `matchSimilar` finds them.
    for (const { a0, a1, b0, b1 } of this.gaps()) {
      if ((a1 - a0) * (b1 - b0) <= comparisonBudget) continue
      const found = matchSequences(baseBodies.subarray(a0, a1), sideBodies.subarray(b0, b1), budget)
      for (const [i, j] of found.entries()) if (j >= 0) this.match(a0 + i, b0 + j)
    }
  }

  /**
   * Of two matches of equal length takes the one with the heading of the higher level, or else with the block that is no
   * list item: an item moved below the next heading, not the heading above the item.
   */
  private preferOuterBlocks(): void {
    const { base, baseBodies, inPlace, isTaken } = this
    let unmatched: Map<number, number> | undefined
    for (let i = 0; i < base.length; i++) {
      const rank = rankOf(base[i]!)
      if (inPlace[i]! >= 0 || rank === 0) continue
      unmatched ??= this.uniqueUnmatched()
      const j = unmatched.get(baseBodies[i]!) ?? -1
      if (j < 0 || isTaken[j]) continue
      let length = 1
      while (this.isUnmatchedPair(i + length, j + length)) length++
      const crossed = this.crossedBlocks(i, j, length)
      if (!crossed?.length || crossed.some((at) => rankOf(base[at]!) >= rank)) continue
      for (const at of crossed) {
        isTaken[inPlace[at]!] = 0
        inPlace[at] = -1
      }
      for (let step = 0; step < length; step++) this.match(i + step, j + step)
    }
  }

  /** Body → its index among the side's unmatched blocks, -1 when it occurs there more than once. */
  private uniqueUnmatched(): Map<number, number> {
    const indices = new Map<number, number>()
    for (const [j, body] of this.sideBodies.entries()) {
      if (!this.isTaken[j]) indices.set(body, indices.has(body) ? -1 : j)
    }
    return indices
  }

  private isUnmatchedPair(i: number, j: number): boolean {
    if (i >= this.base.length || j >= this.side.length) return false
    return this.inPlace[i]! < 0 && !this.isTaken[j] && this.baseBodies[i] === this.sideBodies[j]
  }

  /** Blocks of the base whose match excludes that of `i` with `j`; undefined when there are more than `limit`, or far away. */
  private crossedBlocks(i: number, j: number, limit: number): number[] | undefined {
    const { inPlace } = this
    const crossed: number[] = []
    for (const step of [-1, 1]) {
      let looks = 4 * limit + 8
      for (let at = i + step; at >= 0 && at < inPlace.length; at += step) {
        if (looks-- === 0) return undefined
        if (inPlace[at]! < 0) continue
        if ((inPlace[at]! - j) * step > 0) break
        if (crossed.push(at) > limit) return undefined
      }
    }
    return crossed
  }

  /** Matches what is alone between two matched blocks and begins and ends as it did: most edits are of one block. */
  private matchReplaced(): void {
    const isFree = this.unmatchedBodies()
    for (const { a0, a1, b0, b1 } of this.gaps()) {
      if (a1 - a0 !== 1 || b1 - b0 !== 1) continue
      const isEqual = this.baseBodies[a0] === this.sideBodies[b0]
      const isEdited = this.isNew(a0, b0, isFree) && haveCommonEnds(this.base[a0]!, this.side[b0]!)
      if (isEqual || isEdited) this.match(a0, b0)
    }
  }

  private matchSimilar(): void {
    const isFree = this.unmatchedBodies()
    const gaps = this.gaps()
    const gapOf = new Map<number, Gap>()
    for (const gap of gaps) for (let i = gap.a0; i < gap.a1; i++) gapOf.set(i, gap)
    const [ofBase, ofSide] = [new Map<number, number>(), new Map<number, number>()]
    for (const { i, j, score } of this.findSimilarElsewhere(isFree)) {
      if (gapOf.has(i) && this.hasSimilar(i, gapOf.get(i)!)) continue
      ofBase.set(i, Math.max(score, ofBase.get(i) ?? 0))
      ofSide.set(j, score)
    }
    let budget = comparisonBudget
    for (const gap of gaps) {
      const size = (gap.a1 - gap.a0) * (gap.b1 - gap.b0)
      if (size > budget) continue
      budget -= size
      this.pairSimilar(gap, (i, j) => {
        if (this.baseBodies[i] === this.sideBodies[j]) return 1
        if (!this.isNew(i, j, isFree)) return 0
        const score = this.similarityOf(i, j)
        const elsewhere = Math.max(ofBase.get(i) ?? 0, ofSide.get(j) ?? 0)
        return score + movedAdvantage > elsewhere ? score : 0
      })
    }
  }

  /** Whether a block may have its version in its gap; taken for granted in a long one. */
  private hasSimilar(i: number, { b0, b1 }: Gap): boolean {
    if (b1 - b0 > gapLimit) return true
    for (let j = b0; j < b1; j++)
      if (!this.isTaken[j] && this.similarityOf(i, j) >= minSimilarity) return true
    return false
  }

  /** Finds what moved: word for word, in order where a body repeats; then reworded, where two blocks prefer each other. */
  private findMoved(): void {
    const { baseBodies, sideBodies, inPlace, isTaken, moved } = this
    const free = new Map<number, number[]>()
    for (const [j, body] of sideBodies.entries()) {
      if (isTaken[j]) continue
      const found = free.get(body)
      if (found) found.push(j)
      else free.set(body, [j])
    }
    const next = new Map<number, number>()
    for (const [i, body] of baseBodies.entries()) {
      if (inPlace[i]! >= 0) continue
      const used = next.get(body) ?? 0
      const j = free.get(body)?.[used]
      if (j === undefined) continue
      next.set(body, used + 1)
      moved[i] = j
      isTaken[j] = 1
    }
    const best = new Map<number, { readonly j: number; readonly score: number }>()
    for (const { i, j, score } of this.findSimilarElsewhere(this.unmatchedBodies())) {
      if (score >= minMovedSimilarity && score > (best.get(i)?.score ?? 0)) best.set(i, { j, score })
    }
    for (const [i, { j }] of best) {
      moved[i] = j
      isTaken[j] = 1
    }
  }

  /** Equally many unmatched blocks of both texts between two matched ones were replaced one by one. */
  private matchByPosition(): void {
    const isFree = this.unmatchedBodies()
    for (const { a0, a1, b0, b1 } of this.gaps()) {
      const left: number[] = []
      for (let i = a0; i < a1; i++) if (this.moved[i]! < 0) left.push(i)
      const right: number[] = []
      for (let j = b0; j < b1; j++) if (!this.isTaken[j]) right.push(j)
      if (left.length !== right.length) continue
      for (const [at, i] of left.entries()) if (this.isNew(i, right[at]!, isFree)) this.match(i, right[at]!)
    }
  }

  /** For each number of a body whether the side has it in an unmatched block. */
  private unmatchedBodies(): Uint8Array {
    const isFree = new Uint8Array(this.bodyCount)
    for (const [j, body] of this.sideBodies.entries()) if (!this.isTaken[j]) isFree[body] = 1
    return isFree
  }

  /** Whether two unmatched blocks may be versions of one another: neither was moved or copied word for word. */
  private isNew(i: number, j: number, isFree: Uint8Array): boolean {
    return !isFree[this.baseBodies[i]!] && this.sideBodies[j]! >= this.baseBodyCount
  }

  /** For each unmatched block of the side the most similar one of the base that is not between the same matched blocks. */
  private findSimilarElsewhere(isFree: Uint8Array): { i: number; j: number; score: number }[] {
    const { base, side, inPlace, isTaken, moved } = this
    const bases: number[] = []
    const sides: number[] = []
    /** The last matched block of the base before each unmatched one: equal between the same two. */
    const baseGap = new Map<number, number>()
    const sideGap = new Map<number, number>()
    for (let i = 0, j = 0, last = -1; i <= base.length; i++) {
      const match = i < base.length ? inPlace[i]! : side.length
      if (match < 0) {
        if (moved[i]! >= 0 || isFree[this.baseBodies[i]!]) continue
        bases.push(i)
        baseGap.set(i, last)
        continue
      }
      for (; j < match; j++) {
        if (isTaken[j] || this.sideBodies[j]! < this.baseBodyCount) continue
        sides.push(j)
        sideGap.set(j, last)
      }
      ;[j, last] = [match + 1, i]
    }
    if (bases.length === 0 || sides.length === 0) return []
    const bags = (indices: readonly number[], blocks: readonly AlignableBlock[]) =>
      indices.map((at) => this.wordsOf(blocks[at]!))
    const found = findBestMatches(bags(sides, side), bags(bases, base), (at, candidate) => {
      const [i, j] = [bases[candidate]!, sides[at]!]
      return baseGap.get(i) === sideGap.get(j) ? 0 : this.similarityOf(i, j)
    })
    return found.flatMap((best, at) =>
      best === undefined ? [] : [{ i: bases[best.at]!, j: sides[at]!, score: best.score }],
    )
  }

  private similarityOf(i: number, j: number): number {
    const [left, right] = [this.base[i]!, this.side[j]!]
    return left.kind === right.kind ? diceCoefficient(this.wordsOf(left), this.wordsOf(right)) : 0
  }

  private wordsOf(block: AlignableBlock): WordBag {
    const counted = this.words.get(block) ?? countWords(block.body)
    this.words.set(block, counted)
    return counted
  }

  /** Runs without matches that are not empty on either side. */
  private gaps(): Gap[] {
    const { inPlace, side } = this
    const found: Gap[] = []
    let [a0, b0] = [0, 0]
    for (let i = 0; i <= inPlace.length; i++) {
      const j = i < inPlace.length ? inPlace[i]! : side.length
      if (j < 0) continue
      if (i > a0 && j > b0) found.push({ a0, a1: i, b0, b1: j })
      ;[a0, b0] = [i + 1, j + 1]
    }
    return found
  }

  /** Matches the blocks of a gap, in order, so that the sum of their scores is greatest. */
  private pairSimilar({ a0, a1, b0, b1 }: Gap, scoreOf: (i: number, j: number) => number): void {
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
      if (similarity[at] === best[at] && similarity[at]! > 0) this.match(i++, j++)
      else if (best[at + width]! >= best[at + 1]!) i++
      else j++
    }
  }
}

interface Gap {
  readonly a0: number
  readonly a1: number
  readonly b0: number
  readonly b1: number
}

/** Numbers that are equal for blocks with equal bodies, and where a body repeats only below equal headings. */
function keysBySection(
  lists: readonly [readonly AlignableBlock[], readonly AlignableBlock[]],
  bodies: readonly [Int32Array, Int32Array],
): readonly [Int32Array, Int32Array] {
  const repeats = repeatedNumbers(bodies)
  if (repeats.size === 0) return bodies
  const numbers = new Map<string, number>()
  const keysOf = (version: 0 | 1) => {
    const parents = parentHeadings(lists[version])
    const keys = Int32Array.from(bodies[version])
    for (const [at, body] of keys.entries()) {
      if (!repeats.has(body)) continue
      const parent = parents[at]!
      // The title, which is above everything, tells nothing apart.
      const key = `${parent > 0 ? keys[parent]! : ''}:${body}`
      if (!numbers.has(key)) numbers.set(key, -1 - numbers.size)
      keys[at] = numbers.get(key)!
    }
    return keys
  }
  return [keysOf(0), keysOf(1)]
}

function repeatedNumbers(lists: readonly Int32Array[]): ReadonlySet<number> {
  const repeats = new Set<number>()
  for (const list of lists) {
    const seen = new Set<number>()
    for (const number of list) (seen.has(number) ? repeats : seen).add(number)
  }
  return repeats
}

/** What is above others in a text, and moves less: headings by their level, then blocks, then list items. */
function rankOf(block: AlignableBlock): number {
  const level = headingLevel(block)
  return level > 0 ? blockRank + 7 - level : block.kind.startsWith('item') ? 0 : blockRank
}

/** Whether common beginnings and ends are more than half of both: cheaper than to compare words. */
function haveCommonEnds(left: AlignableBlock, right: AlignableBlock): boolean {
  const [a, b] = [left.body, right.body]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return left.kind === right.kind && 2 * (start + end) > Math.max(a.length, b.length)
}
