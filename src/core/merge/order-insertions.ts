/**
 * Insertions of both sides at one position, in one order.
 *
 * Equal ones are one. Between them come, of ours and then of theirs: items of the list above, blocks of the section, items
 * of the list below, and new sections. So an item stays in its list, and a block under its heading. Of new sections a
 * subsection comes first, as it would belong to the other side's section otherwise.
 */
import type { Chunk } from './chunks.js'
import { internTexts, matchSequences } from './lcs.js'
import { headingLevel } from './sections.js'

/** Chunks of a side from `from`, up to but not including `to`. */
export interface ChunkRun {
  readonly chunks: readonly Chunk[]
  /** Of each chunk what it has in common with one of the other side: its text, or the block of the base that both moved. */
  readonly keys: readonly string[]
  readonly from: number
  readonly to: number
}

/** The number of chunks of each side that come next: one of either, or one that both have. */
type Step = readonly [ours: 0 | 1, theirs: 0 | 1]

/** Yields the merged order of two runs of inserted chunks. */
export function* orderInsertions(ours: ChunkRun, theirs: ChunkRun): Generator<Step> {
  let [o, t] = [ours.from, theirs.from]
  for (const [at, match] of matchRuns(ours, theirs).entries()) {
    if (match < 0) continue
    const [nextOurs, nextTheirs] = [ours.from + at, theirs.from + match]
    yield* orderDistinct({ ...ours, from: o, to: nextOurs }, { ...theirs, from: t, to: nextTheirs })
    yield [1, 1]
    ;[o, t] = [nextOurs + 1, nextTheirs + 1]
  }
  yield* orderDistinct({ ...ours, from: o }, { ...theirs, from: t })
}

/** Like `matchSequences`, but symmetric: among several longest matches it picks the same one when the two are swapped. */
function matchRuns(ours: ChunkRun, theirs: ChunkRun): Int32Array {
  const [left, right] = [ours, theirs].map(({ keys, from, to }) => keys.slice(from, to)) as [
    string[],
    string[],
  ]
  const [a, b] = internTexts(left, right)
  if (left.length === 0 || right.length === 0 || left.join('\0') <= right.join('\0')) {
    return matchSequences(a!, b!)
  }
  const partner = new Int32Array(left.length).fill(-1)
  for (const [index, match] of matchSequences(b!, a!).entries()) if (match >= 0) partner[match] = index
  return partner
}

function* orderDistinct(ours: ChunkRun, theirs: ChunkRun): Generator<Step> {
  const [oursParts, theirsParts] = [partsOf(ours), partsOf(theirs)]
  for (const [part, oursPart] of oursParts.entries()) {
    const theirsPart = theirsParts[part]!
    const steps: readonly Step[] = [
      ...Array.from(oursPart, () => [1, 0] as const),
      ...Array.from(theirsPart, () => [0, 1] as const),
    ]
    yield* mustSwap(oursPart, theirsPart) ? steps.toReversed() : steps
  }
}

/** Items of the list above, blocks of the section, items of the list below, and new sections. */
function partsOf({ chunks, from, to }: ChunkRun): readonly (readonly Chunk[])[] {
  const continues = (at: number, neighbour: number) => {
    const { kind } = chunks[at]!
    return kind.startsWith('item') && kind === chunks[neighbour]?.kind
  }
  let sections = from
  while (sections < to && headingLevel(chunks[sections]!) === 0) sections++
  let middle = from
  while (middle < sections && continues(middle, from - 1)) middle++
  let below = sections
  if (sections === to) while (below > middle && continues(below - 1, to)) below--
  return [
    chunks.slice(from, middle),
    chunks.slice(middle, below),
    chunks.slice(below, sections),
    chunks.slice(sections, to),
  ]
}

/** Whether theirs would be inside a section of ours, and ours would not be inside of one of theirs. */
function mustSwap(ours: readonly Chunk[], theirs: readonly Chunk[]): boolean {
  return isCaughtBy(theirs, ours) && !isCaughtBy(ours, theirs)
}

function isCaughtBy(sections: readonly Chunk[], before: readonly Chunk[]): boolean {
  const levels = before.map(headingLevel).filter((level) => level > 0)
  const first = sections.map(headingLevel).find((level) => level > 0)
  return first !== undefined && levels.some((level) => level < first)
}
