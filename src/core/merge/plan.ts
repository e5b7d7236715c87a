/**
 * The plan of a merged row of blocks: pieces in order, each with its place in all three versions, so that
 * neighbours can be put together to one larger piece. It holds questions, never answers.
 */
import type { Chunks } from './chunks.js'
import { type Versions, settle } from './dispute.js'

export type Rows = readonly [base: Chunks, ours: Chunks, theirs: Chunks]

/** A range of chunks: `to` is the first behind it. */
export interface Range {
  readonly from: number
  readonly to: number
}

export type Outcome =
  /** Null: deleted. */
  | { readonly text: string | null }
  | { readonly dispute: Versions }
  | { readonly head: string; readonly inner: BlockPlan; readonly tail: string }

/** A piece of the merged row. The segments of a plan cover every version, in order. */
export interface Segment {
  readonly ranges: readonly [base: Range, ours: Range, theirs: Range]
  readonly outcome: Outcome
}

export interface BlockPlan {
  readonly rows: Rows
  readonly segments: readonly Segment[]
  /** Whether blocks that were never neighbours need a blank line between them; in list items they do not. */
  readonly blankLines: boolean
}

/** Returns neighbours as one segment: the side that alone changed the run, or one conflict of all of it. */
export function joinSegments(rows: Rows, run: readonly Segment[]): Segment {
  const [first, last] = [run[0]!, run.at(-1)!]
  const ranges = first.ranges.map(({ from }, version) => ({ from, to: last.ranges[version]!.to }))
  const [base, ours, theirs] = ranges.map((range, version) => textOf(rows[version]!, range))
  const versions = { base: base!, ours: ours!, theirs: theirs! }
  const settled = settle(versions.base, versions.ours, versions.theirs)
  return {
    ranges: ranges as unknown as Segment['ranges'],
    outcome: settled === undefined ? { dispute: versions } : { text: settled },
  }
}

/** The run of chunks as it stands in its text; null when there is none. */
export function textOf({ chunks }: Chunks, { from, to }: Range): string | null {
  if (from === to) return null
  let text = chunks[from]!.body
  for (let at = from + 1; at < to; at++) text += chunks[at]!.before + chunks[at]!.body
  return text
}

/** How often each text occurs. */
export function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
