/**
 * Three-way merge (diff3) of block sequences: the merged segments and their conflicts.
 *
 * The plan resolves no conflict and does not depend on which are resolved already, so a choice finds its conflict again
 * (`render-plan.ts` applies the choices). The invariants of `merge-invariants.ts` close it: where the segments break one,
 * a conflict grows until each of its sides is a run of one version.
 */
import type { Alignment } from './align-blocks.js'
import { type AlignedVersions, alignVersions, blocksMovedByBoth } from './align-versions.js'
import { type Chunk, splitContainer } from './chunks.js'
import { type Side, mergeTrivially } from './merged-text.js'
import { mergeLeaf } from './merge-leaf-block.js'
import { enforceInvariants } from './merge-invariants.js'
import { orderInsertions } from './order-insertions.js'
import {
  type BlockPlan,
  type Outcome,
  type Range,
  type ThreeWayChunks,
  type Segment,
  segmentsByChunk,
} from './block-plan.js'
import { headingLevel } from './sections.js'

/** Deeper nesting and longer containers are merged by lines, as a whole. */
const depthLimit = 16
const splitLimit = 200_000

interface PlanOptions {
  readonly prefer: Side
  readonly depth: number
  readonly blankLines: boolean
}

/** Returns the merge of three block sequences; a block that both sides moved is placed where the preferred side has it. */
export function planBlocks(versions: ThreeWayChunks, { prefer, depth, blankLines }: PlanOptions): BlockPlan {
  const aligned = alignVersions(versions)
  const segments = new BlockPlanner(aligned, { prefer, depth }).plan()
  return { inputs: aligned.inputs, segments, blankLines }
}

type BlockOptions = Pick<PlanOptions, 'prefer' | 'depth'>

class BlockPlanner {
  /** Merged blocks of the base, in place and moved: each is merged once, though several plans may be made. */
  private readonly inPlace: Outcome[] = []
  private readonly moved = new Map<number, Outcome>()

  constructor(
    private readonly versions: AlignedVersions,
    private readonly options: BlockOptions,
  ) {}

  /** Returns the segments; which of them are conflicts depends neither on the preferred side nor on which is ours. */
  plan(): readonly Segment[] {
    const ours = this.segments('ours')
    const orders = hasOneOrder(ours) ? [ours] : [ours, this.segments('theirs')]
    if (blocksMovedByBoth(this.versions).length === 0) return enforceInvariants(this.versions, orders)
    const { prefer } = this.options
    const choices = orders.flatMap((segments) =>
      [prefer, otherSide(prefer)].map((side) => this.placeOnce(segments, side)),
    )
    return enforceInvariants(this.versions, choices)
  }

  /** The segments before invariants are enforced; of additions at one position those of side `first` come first. */
  private segments(first: Side): readonly Segment[] {
    const { inputs, toOurs, toTheirs } = this.versions
    const [base, ours, theirs] = inputs
    const bothMoved = blocksMovedByBoth(this.versions)
    const movedFrom = new Map(bothMoved.map((block) => [toOurs.moved[block]!, block]))
    const keys = [
      insertionKeys(ours.chunks, toOurs, bothMoved),
      insertionKeys(theirs.chunks, toTheirs, bothMoved),
    ]
    const list = new SegmentList()
    for (let i = 0; i <= base.chunks.length; i++) {
      const ends = [
        insertedEnd(toOurs, i, list.ours, ours.chunks),
        insertedEnd(toTheirs, i, list.theirs, theirs.chunks),
      ]
      if (ends[0]! > list.ours || ends[1]! > list.theirs) {
        const runs = [
          { ...ours, keys: keys[0]!, from: list.ours, to: ends[0]! },
          { ...theirs, keys: keys[1]!, from: list.theirs, to: ends[1]! },
        ] as const
        const steps = first === 'ours' ? orderInsertions(...runs) : orderInsertions(runs[1], runs[0])
        for (const [one, other] of steps) {
          const [o, t] = first === 'ours' ? [one, other] : [other, one]
          const [inOurs, inTheirs] = [o ? list.ours : -1, t ? list.theirs : -1]
          const block = o && t ? movedFrom.get(inOurs) : undefined
          const text = o ? ours.chunks[inOurs]!.body : theirs.chunks[inTheirs]!.body
          list.add([0, o, t], block === undefined ? { text } : this.mergeMoved(block))
        }
      }
      if (i === base.chunks.length) break
      const [inOurs, inTheirs] = [toOurs.inPlace[i]!, toTheirs.inPlace[i]!]
      this.inPlace[i] ??= this.merge(i, inOurs, inTheirs)
      list.add([1, inOurs < 0 ? 0 : 1, inTheirs < 0 ? 0 : 1], this.inPlace[i]!)
    }
    return list.segments
  }

  private merge(block: number, inOurs: number, inTheirs: number): Outcome {
    const [base, ours, theirs] = this.versions.inputs
    return mergeBlock(base.chunks[block]!, ours.chunks[inOurs], theirs.chunks[inTheirs], this.options)
  }

  /** The merge of a block that both sides moved. */
  private mergeMoved(block: number): Outcome {
    const { toOurs, toTheirs } = this.versions
    const merged = this.moved.get(block) ?? this.merge(block, toOurs.moved[block]!, toTheirs.moved[block]!)
    this.moved.set(block, merged)
    return merged
  }

  /** Leaves a block that the sides moved apart where the preferred side has it, with the changes of both. */
  private placeOnce(segments: readonly Segment[], prefer: Side): readonly Segment[] {
    const placed = [...segments]
    for (const { block, ...at } of blocksMovedApart(this.versions, segments)) {
      const outcome = this.mergeMoved(block)
      // Two different rewordings are joined to one conflict by the invariants.
      if ('conflict' in outcome) continue
      const other = otherSide(prefer)
      placed[at[prefer]] = { ...segments[at[prefer]]!, outcome }
      placed[at[other]] = { ...segments[at[other]]!, outcome: { text: null } }
    }
    return placed
  }
}

/** Whether each run of insertions is of one side, or of blocks that both have. */
function hasOneOrder(segments: readonly Segment[]): boolean {
  let [hasOurs, hasTheirs] = [false, false]
  for (const { ranges } of segments) {
    const [inBase, inOurs, inTheirs] = ranges.map(({ from, to }) => from < to)
    if (inBase) hasOurs = hasTheirs = false
    else if (inOurs !== inTheirs) {
      hasOurs ||= inOurs!
      hasTheirs ||= inTheirs!
    }
    if (hasOurs && hasTheirs) return false
  }
  return true
}

function otherSide(side: Side): Side {
  return side === 'ours' ? 'theirs' : 'ours'
}

/** Of each chunk of a side its text, or the block that it was moved from where the other side moved the same one. */
function insertionKeys(
  side: readonly Chunk[],
  { moved }: Alignment,
  bothMoved: readonly number[],
): readonly string[] {
  const keys = side.map(({ body }) => body)
  for (const block of bothMoved) keys[moved[block]!] = `\0${block}`
  return keys
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

/**
 * End of the side's chunks that were inserted before base chunk `i`; `from` is the first that is not in a segment yet.
 * Among chunks that the side deleted, what it inserted comes first, and new sections last: not between a heading and
 * what the other side may have added below.
 */
function insertedEnd({ inPlace }: Alignment, i: number, from: number, side: readonly Chunk[]): number {
  if (i === inPlace.length) return side.length
  if (inPlace[i]! >= 0) return inPlace[i]!
  if (i > 0 && inPlace[i - 1]! < 0) return from
  let next = i
  while (next < inPlace.length && inPlace[next]! < 0) next++
  const end = next < inPlace.length ? inPlace[next]! : side.length
  let at = from
  while (at < end && headingLevel(side[at]!) === 0) at++
  return at
}

function mergeBlock(
  base: Chunk,
  ours: Chunk | undefined,
  theirs: Chunk | undefined,
  options: BlockOptions,
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
  { prefer, depth }: BlockOptions,
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

/** A block that the sides moved to different positions, with the segments that have it. */
interface MovedApart {
  readonly block: number
  readonly ours: number
  readonly theirs: number
}

function blocksMovedApart(versions: AlignedVersions, segments: readonly Segment[]): MovedApart[] {
  const { inputs, toOurs, toTheirs } = versions
  const blocks = blocksMovedByBoth(versions)
  if (blocks.length === 0) return []
  const [, inOurs, inTheirs] = segmentsByChunk(inputs, segments)
  return blocks
    .map((block) => ({
      block,
      ours: inOurs[toOurs.moved[block]!]!,
      theirs: inTheirs[toTheirs.moved[block]!]!,
    }))
    .filter(({ ours, theirs }) => [ours, theirs].every((at) => isOfOneSide(segments[at]!)))
}

function isOfOneSide({ ranges }: Segment): boolean {
  return ranges.reduce((length, { from, to }) => length + to - from, 0) === 1
}
