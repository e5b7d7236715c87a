/**
 * Three-way merge (diff3) of block sequences: the merged segments and their conflicts.
 *
 * The plan resolves no conflict and does not depend on which are resolved already, so a choice finds its conflict again
 * (`render-plan.ts` applies the choices). Two invariants close it: a block of all three versions survives any choice,
 * and moves on both sides duplicate no line; where that fails, the conflict grows until each side is a run of one version.
 */
import { alignBlocks } from './align-blocks.js'
import { type Chunk, splitContainer } from './chunks.js'
import { type Side, mergeTrivially } from './merged-text.js'
import { mergeLeaf } from './merge-leaf-block.js'
import { enforceInvariants } from './merge-invariants.js'
import {
  type BlockPlan,
  type Outcome,
  type Range,
  type ThreeWayChunks,
  type Segment,
  countEach,
  joinSegments,
} from './block-plan.js'
import { internTexts, matchSequences } from './lcs.js'

/** Deeper nesting and longer containers are merged by lines, as a whole. */
const depthLimit = 16
const splitLimit = 200_000

interface PlanOptions {
  readonly prefer: Side
  readonly depth: number
  readonly blankLines: boolean
}

/** Returns the merge of three block sequences; a block that both sides moved is placed where the preferred side has it. */
export function planBlocks(inputs: ThreeWayChunks, { prefer, depth, blankLines }: PlanOptions): BlockPlan {
  const [b, o, t] = inputs.map(({ chunks }) => chunks) as [
    readonly Chunk[],
    readonly Chunk[],
    readonly Chunk[],
  ]
  const toOurs = alignBlocks(b, o)
  const toTheirs = alignBlocks(b, t)
  const list = new SegmentList()
  for (let i = 0; i <= b.length; i++) {
    addInsertions(
      o,
      insertedEnd(toOurs, i, list.ours, o.length),
      t,
      insertedEnd(toTheirs, i, list.theirs, t.length),
      list,
    )
    if (i === b.length) break
    const [inOurs, inTheirs] = [toOurs[i]!, toTheirs[i]!]
    list.add(
      [1, inOurs < 0 ? 0 : 1, inTheirs < 0 ? 0 : 1],
      mergeBlock(b[i]!, o[inOurs], t[inTheirs], { prefer, depth }),
    )
  }
  return { inputs, segments: resolveMoves(inputs, list.segments, prefer), blankLines }
}

/** Applies the invariants; where the conflicts would depend on the preferred side, everything becomes one conflict. */
function resolveMoves(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
  prefer: Side,
): readonly Segment[] {
  const deduplicated = dropDuplicateMoves(inputs, segments, prefer)
  const widened = enforceInvariants(inputs, deduplicated)
  if (deduplicated.every((segment, at) => segment === segments[at])) return widened
  const otherwise = enforceInvariants(
    inputs,
    dropDuplicateMoves(inputs, segments, prefer === 'ours' ? 'theirs' : 'ours'),
  )
  const conflictRanges = (plan: readonly Segment[]) =>
    JSON.stringify(plan.flatMap(({ ranges, outcome }) => ('conflict' in outcome ? [ranges] : [])))
  return conflictRanges(widened) === conflictRanges(otherwise) ? widened : [joinSegments(inputs, segments)]
}

/** Collects segments in order. */
class SegmentList {
  readonly segments: Segment[] = []
  base = 0
  ours = 0
  theirs = 0

  /** Adds a segment with these numbers of chunks of each version. */
  add([b, o, t]: readonly [number, number, number], outcome: Outcome): void {
    const range = (from: number, length: number): Range => ({ from, to: from + length })
    this.segments.push({ ranges: [range(this.base, b), range(this.ours, o), range(this.theirs, t)], outcome })
    this.base += b
    this.ours += o
    this.theirs += t
  }
}

/** End of the side's chunks that were inserted before base chunk `i`; `from` is the first that is not in a segment yet. */
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
  list: SegmentList,
): void {
  const first = list.theirs
  const partner = matchInsertions(
    ours.slice(list.ours, oursEnd).map((chunk) => chunk.body),
    theirs.slice(first, theirsEnd).map((chunk) => chunk.body),
  )
  const takeTheirs = (end: number) => {
    while (list.theirs < end) list.add([0, 0, 1], { text: theirs[list.theirs]!.body })
  }
  for (const match of partner) {
    if (match >= 0) takeTheirs(first + match)
    list.add([0, 1, match < 0 ? 0 : 1], { text: ours[list.ours]!.body })
  }
  takeTheirs(theirsEnd)
}

/** Like `matchSequences`, but symmetric: among several longest matches it picks the same one when the two are swapped. */
function matchInsertions(ours: readonly string[], theirs: readonly string[]): Int32Array {
  const [left, right] = internTexts(ours, theirs)
  if (ours.length === 0 || theirs.length === 0 || ours.join('\0') <= theirs.join('\0')) {
    return matchSequences(left!, right!)
  }
  const partner = new Int32Array(ours.length).fill(-1)
  for (const [index, match] of matchSequences(right!, left!).entries()) if (match >= 0) partner[match] = index
  return partner
}

function mergeBlock(
  base: Chunk,
  ours: Chunk | undefined,
  theirs: Chunk | undefined,
  options: Pick<PlanOptions, 'prefer' | 'depth'>,
): Outcome {
  const versions = { base: base.body, ours: ours?.body ?? null, theirs: theirs?.body ?? null }
  const merged = mergeTrivially(versions.base, versions.ours, versions.theirs)
  if (merged !== undefined) return { text: merged }
  const sameKind = ours?.kind === base.kind && theirs?.kind === base.kind
  return (ours && theirs && sameKind && mergeInside(base, ours, theirs, options)) || { conflict: versions }
}

function mergeInside(
  base: Chunk,
  ours: Chunk,
  theirs: Chunk,
  { prefer, depth }: Pick<PlanOptions, 'prefer' | 'depth'>,
): Outcome | undefined {
  const longest = Math.max(base.body.length, ours.body.length, theirs.body.length)
  const isSplittable = depth < depthLimit && longest <= splitLimit
  const [b, o, t] = isSplittable ? [base, ours, theirs].map(splitContainer) : []
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

/** A block that both sides moved to different positions stays only where the preferred side has it. */
function dropDuplicateMoves(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
  prefer: Side,
): readonly Segment[] {
  const [inBase, inOurs, inTheirs] = inputs.map(({ chunks }) => countEach(chunks.map(({ body }) => body)))
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
    const occurrences = placed.get(outcome.text)!
    if (occurrences <= Math.max(left, right, left + right - before)) return segment
    placed.set(outcome.text, occurrences - 1)
    return { ranges, outcome: { text: null } }
  })
}
