/**
 * Three versions of a row of blocks laid side by side: what stands in the merged row, and what is disputed.
 *
 * The plan asks nobody and settles nothing: it is the same whichever conflicts were answered already, so that
 * an answer finds its question again (`joined.ts` writes the plan out and asks). Two nets close it: a block
 * that all three versions hold stands in whatever is chosen, and no line is kept by both sides' moves twice;
 * where that fails, the conflict grows until each of its sides is a run that somebody wrote.
 */
import { alignChunks } from './align.js'
import { type Chunk, openChunk } from './chunks.js'
import { type Side, settle } from './dispute.js'
import { mergeLeaf } from './merge-leaf-block.js'
import { holdTogether } from './merge-invariants.js'
import {
  type BlockPlan,
  type Outcome,
  type Range,
  type Rows,
  type Segment,
  countEach,
  joinSegments,
} from './plan.js'
import { internTexts, matchSequences } from './lcs.js'

/** Deeper nesting, and longer containers, are merged as one piece: by lines. */
const depthLimit = 16
const openLimit = 200_000

interface Surroundings {
  readonly prefer: Side
  readonly depth: number
  readonly blankLines: boolean
}

/** Returns how three rows of blocks merge; a block that both moved stands where the preferred side has it. */
export function planBlocks(rows: Rows, { prefer, depth, blankLines }: Surroundings): BlockPlan {
  const [b, o, t] = rows.map(({ chunks }) => chunks) as [readonly Chunk[], readonly Chunk[], readonly Chunk[]]
  const toOurs = alignChunks(b, o)
  const toTheirs = alignChunks(b, t)
  const row = new Row()
  for (let i = 0; i <= b.length; i++) {
    addInsertions(
      o,
      insertedEnd(toOurs, i, row.ours, o.length),
      t,
      insertedEnd(toTheirs, i, row.theirs, t.length),
      row,
    )
    if (i === b.length) break
    const [inOurs, inTheirs] = [toOurs[i]!, toTheirs[i]!]
    row.add(
      [1, inOurs < 0 ? 0 : 1, inTheirs < 0 ? 0 : 1],
      mergeBlock(b[i]!, o[inOurs], t[inTheirs], { prefer, depth }),
    )
  }
  return { rows, segments: settleMoves(rows, row.segments, prefer), blankLines }
}

/** The two nets; where they would ask something else for the other side, all is one conflict: both ask the same. */
function settleMoves(rows: Rows, segments: readonly Segment[], prefer: Side): readonly Segment[] {
  const once = standOnce(rows, segments, prefer)
  const held = holdTogether(rows, once)
  if (once.every((segment, at) => segment === segments[at])) return held
  const otherwise = holdTogether(rows, standOnce(rows, segments, prefer === 'ours' ? 'theirs' : 'ours'))
  const asks = (plan: readonly Segment[]) =>
    JSON.stringify(plan.flatMap(({ ranges, outcome }) => ('dispute' in outcome ? [ranges] : [])))
  return asks(held) === asks(otherwise) ? held : [joinSegments(rows, segments)]
}

/** Segments one after another. */
class Row {
  readonly segments: Segment[] = []
  base = 0
  ours = 0
  theirs = 0

  /** Adds a segment of so many chunks of each version. */
  add([b, o, t]: readonly [number, number, number], outcome: Outcome): void {
    const range = (from: number, length: number): Range => ({ from, to: from + length })
    this.segments.push({ ranges: [range(this.base, b), range(this.ours, o), range(this.theirs, t)], outcome })
    this.base += b
    this.ours += o
    this.theirs += t
  }
}

/** End of the side's chunks that were inserted before base chunk `i`, `from` being the first that is not placed. */
function insertedEnd(partner: Int32Array, i: number, from: number, sideLength: number): number {
  if (i > 0 && partner[i - 1]! < 0) return from
  let next = i
  while (next < partner.length && partner[next]! < 0) next++
  return next < partner.length ? partner[next]! : sideLength
}

function addInsertions(
  ours: readonly Chunk[],
  oursEnd: number,
  theirs: readonly Chunk[],
  theirsEnd: number,
  row: Row,
): void {
  const first = row.theirs
  const partner = matchTwins(
    ours.slice(row.ours, oursEnd).map((chunk) => chunk.body),
    theirs.slice(first, theirsEnd).map((chunk) => chunk.body),
  )
  const takeTheirs = (end: number) => {
    while (row.theirs < end) row.add([0, 0, 1], { text: theirs[row.theirs]!.body })
  }
  for (const twin of partner) {
    if (twin >= 0) takeTheirs(first + twin)
    row.add([0, 1, twin < 0 ? 0 : 1], { text: ours[row.ours]!.body })
  }
  takeTheirs(theirsEnd)
}

/** Like `matchSequences`, but among several longest answers the same one when the two are swapped. */
function matchTwins(ours: readonly string[], theirs: readonly string[]): Int32Array {
  const [left, right] = internTexts(ours, theirs)
  if (ours.length === 0 || theirs.length === 0 || ours.join('\0') <= theirs.join('\0')) {
    return matchSequences(left!, right!)
  }
  const partner = new Int32Array(ours.length).fill(-1)
  for (const [index, twin] of matchSequences(right!, left!).entries()) if (twin >= 0) partner[twin] = index
  return partner
}

function mergeBlock(
  base: Chunk,
  ours: Chunk | undefined,
  theirs: Chunk | undefined,
  around: Pick<Surroundings, 'prefer' | 'depth'>,
): Outcome {
  const versions = { base: base.body, ours: ours?.body ?? null, theirs: theirs?.body ?? null }
  const settled = settle(versions.base, versions.ours, versions.theirs)
  if (settled !== undefined) return { text: settled }
  const sameKind = ours?.kind === base.kind && theirs?.kind === base.kind
  return (ours && theirs && sameKind && mergeInside(base, ours, theirs, around)) || { dispute: versions }
}

function mergeInside(
  base: Chunk,
  ours: Chunk,
  theirs: Chunk,
  { prefer, depth }: Pick<Surroundings, 'prefer' | 'depth'>,
): Outcome | undefined {
  const longest = Math.max(base.body.length, ours.body.length, theirs.body.length)
  const opens = depth < depthLimit && longest <= openLimit
  const [b, o, t] = opens ? [base, ours, theirs].map(openChunk) : []
  if (b && o && t) {
    const head = mergeLeaf(b.head, o.head, t.head, true)
    const tail = mergeLeaf(b.tail, o.tail, t.tail, true)
    if (head === undefined || tail === undefined) return undefined
    const blankLines = base.kind.startsWith('container')
    return {
      head,
      inner: planBlocks([b.inner, o.inner, t.inner], { prefer, depth: depth + 1, blankLines }),
      tail,
    }
  }
  const prose = base.kind !== 'code' && base.kind !== 'math'
  const text = mergeLeaf(base.body, ours.body, theirs.body, prose)
  return text === undefined ? undefined : { text }
}

/** A block that both sides moved, to different places, stands where the preferred side has it. */
function standOnce(rows: Rows, segments: readonly Segment[], prefer: Side): readonly Segment[] {
  const [inBase, inOurs, inTheirs] = rows.map(({ chunks }) => countEach(chunks.map(({ body }) => body)))
  const placed = countEach(
    segments.flatMap(({ outcome }) => ('text' in outcome && outcome.text !== null ? [outcome.text] : [])),
  )
  const other = prefer === 'ours' ? 2 : 1
  return segments.map((segment) => {
    const { ranges, outcome } = segment
    if (!('text' in outcome) || outcome.text === null) return segment
    const onlyOther = ranges.every(({ from, to }, version) => (version === other ? to > from : to === from))
    const before = inBase!.get(outcome.text)
    if (!onlyOther || before === undefined) return segment
    const [left, right] = [inOurs!.get(outcome.text) ?? 0, inTheirs!.get(outcome.text) ?? 0]
    const stands = placed.get(outcome.text)!
    if (stands <= Math.max(left, right, left + right - before)) return segment
    placed.set(outcome.text, stands - 1)
    return { ranges, outcome: { text: null } }
  })
}
