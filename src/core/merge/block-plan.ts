/**
 * Merge plan of a block sequence: segments in order, each with its range in all three versions, so that neighbours
 * can be joined to a larger segment. It has conflicts, never their resolutions.
 */
import type { Chunks } from './chunks.js'
import { type TextVersions, mergeTrivially } from './merged-text.js'

export type ThreeWayChunks = readonly [base: Chunks, ours: Chunks, theirs: Chunks]

/** A range of chunks: `to` is the first behind it. */
export interface Range {
  readonly from: number
  readonly to: number
}

export type Outcome =
  /** Null: deleted. */
  | { readonly text: string | null }
  | { readonly conflict: TextVersions }
  | { readonly head: string; readonly inner: BlockPlan; readonly tail: string }

/**
 * A part of the merged sequence. The segments of a plan cover every version, each in its order, except blocks that were
 * put into their section last (`relocate-blocks.ts`): no segments are joined after that.
 */
export interface Segment {
  readonly ranges: readonly [base: Range, ours: Range, theirs: Range]
  readonly outcome: Outcome
}

export interface BlockPlan {
  readonly inputs: ThreeWayChunks
  readonly segments: readonly Segment[]
  /** Whether blocks that were never neighbours need a blank line between them; in list items they do not. */
  readonly blankLines: boolean
}

/**
 * Returns neighbours as one segment: the side that alone changed the run, or one conflict over the whole run. What one
 * side alone inserted stays a conflict where it is one.
 */
export function joinSegments(inputs: ThreeWayChunks, run: readonly Segment[]): Segment {
  const [first, last] = [run[0]!, run.at(-1)!]
  const rangeOf = (version: 0 | 1 | 2): Range => ({
    from: first.ranges[version].from,
    to: last.ranges[version].to,
  })
  const ranges = [rangeOf(0), rangeOf(1), rangeOf(2)] as const
  const [base, ours, theirs] = ranges.map((range, version) => textOf(inputs[version]!, range))
  const versions = { base: base!, ours: ours!, theirs: theirs! }
  const merged = mergeTrivially(versions.base, versions.ours, versions.theirs)
  const isConflict = versions.base === null && run.some(({ outcome }) => 'conflict' in outcome)
  return {
    ranges,
    outcome: merged === undefined || isConflict ? { conflict: versions } : { text: merged },
  }
}

/** The run of chunks with the space between them, as in its text; null for an empty range. */
export function textOf({ chunks }: Chunks, { from, to }: Range): string | null {
  if (from === to) return null
  let text = chunks[from]!.body
  for (let at = from + 1; at < to; at++) text += chunks[at]!.before + chunks[at]!.body
  return text
}

/** Returns in each version the segment of each chunk. */
export function segmentsByChunk(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
): readonly [base: Int32Array, ours: Int32Array, theirs: Int32Array] {
  const [base, ours, theirs] = inputs.map(({ chunks }) => new Int32Array(chunks.length))
  const found = [base!, ours!, theirs!] as const
  for (const [index, { ranges }] of segments.entries()) {
    for (const [version, { from, to }] of ranges.entries()) found[version]!.fill(index, from, to)
  }
  return found
}

/** The number of occurrences of each text. */
export function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
