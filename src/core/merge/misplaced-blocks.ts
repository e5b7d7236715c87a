/**
 * Misplaced blocks of a three-way merge: those below a heading that their writer did not put them under.
 *
 * What is asked is as little as decides it: an insertion that cannot go elsewhere (`relocate-blocks.ts`) is there or not;
 * a heading that one side removed, below a new one of the other side, is there or not; two new headings above one text
 * are one conflict. Only what fits none of these becomes a conflict from the wrong heading to the block. A block inside a
 * conflict is where the chosen side has it.
 */
import { type Segment, segmentsByChunk } from './block-plan.js'
import { type HeadingPaths, type PlacedChunk, type WantedHeading, noHeading } from './heading-paths.js'
import type { Side } from './merged-text.js'
import { type OpenSection, enclosingSection } from './sections.js'

type SegmentPair = readonly [from: number, to: number]

export interface Misplacements {
  /** What is between the two segments, both included, becomes one conflict. */
  readonly pairs: readonly SegmentPair[]
  /** Segments that become conflicts by themselves. */
  readonly alone: readonly number[]
}

/** Returns the misplaced blocks of segments in this order, whichever side is chosen in their conflicts. */
export function findMisplaced(
  paths: HeadingPaths,
  segments: readonly Segment[],
  order: readonly number[],
): Misplacements {
  const hasConflicts = segments.some(({ outcome }) => 'conflict' in outcome)
  const choices: readonly Side[] = hasConflicts ? ['ours', 'theirs'] : ['ours']
  const found = choices.map((choice) => new MisplacedBlocks(paths, segments, choice).find(order))
  return { pairs: found.flatMap(({ pairs }) => pairs), alone: found.flatMap(({ alone }) => alone) }
}

interface HeadingAbove {
  readonly identity: number
  readonly segment: number
}

/** Finds the misplaced blocks of the merge when its conflicts are resolved for one side. */
class MisplacedBlocks {
  private readonly segmentOf: ReturnType<typeof segmentsByChunk>
  private readonly placed: readonly (readonly PlacedChunk[])[]
  private readonly isPlaced: ReadonlySet<number>
  private readonly remaining: readonly number[]
  private readonly groups: readonly (InsertionGroup | undefined)[]
  private readonly alone: number[] = []
  private readonly pairs: SegmentPair[] = []
  /** Those that follow from the order of insertions: it is arbitrary, so what it does to other blocks comes after them. */
  private readonly unordered: SegmentPair[] = []

  constructor(
    private readonly paths: HeadingPaths,
    private readonly segments: readonly Segment[],
    private readonly choice: Side,
  ) {
    this.segmentOf = segmentsByChunk(paths.inputs, segments)
    this.placed = segments.map((segment) => paths.placedChunks(segment, choice))
    this.isPlaced = new Set([noHeading, ...this.placed.flat().map((chunk) => paths.identityOf(chunk))])
    this.remaining = countRemaining(segments, this.placed)
    this.groups = groupInsertions(segments, this.placed)
  }

  find(order: readonly number[]): Misplacements {
    let open: OpenSection<HeadingAbove> | undefined
    for (const segment of order) {
      for (const chunk of this.placed[segment]!) {
        const { level } = chunk
        const above = enclosingSection(open, level)
        if (level > 0) open = { level, heading: { identity: this.paths.identityOf(chunk), segment }, above }
        this.check(chunk, segment, above?.heading ?? { identity: noHeading, segment: -1 })
      }
    }
    const pairs = this.unordered.length > 0 ? this.unordered : this.pairs
    // Both in one segment: it has the text of one side, though the other side changed the headings.
    const within = pairs.flatMap(([from, to]) => (from === to && !this.isConflict(from) ? [from] : []))
    return { alone: [...this.alone, ...within], pairs: pairs.filter(([from, to]) => from < to) }
  }

  private check(chunk: PlacedChunk, segment: number, heading: HeadingAbove): void {
    const { paths, remaining } = this
    const group = this.groups[heading.segment]
    if (group && group !== this.groups[segment] && group.ours >= 0 && group.theirs >= 0) {
      this.unordered.push(inOrder(group.ours, group.theirs))
      return
    }
    if (this.isConflict(segment)) return
    const wanted = paths.wantedHeadings(chunk)
    const [first, second] = wanted.map((one) => this.segmentOfHeading(one)).toSorted((a, b) => a - b)
    const isOneHeading = wanted[0]?.identity === wanted.at(-1)?.identity
    if (second !== undefined && !isOneHeading && remaining[first!] === remaining[second]) {
      // Both headings are right above it: one conflict of both, or of the later with an insertion of both sides.
      this.pairs.push(paths.isInsertion(chunk) ? [second, segment] : [first!, second])
      return
    }
    const isBelow = wanted.length === 0 || wanted.some(({ identity }) => identity === heading.identity)
    if (isBelow || this.isAsked(chunk, heading)) return
    if (wanted.every(({ identity }) => this.isPlaced.has(identity))) {
      if (group && group === this.groups[segment]) {
        this.unordered.push([Math.max(heading.segment, first!), segment])
      } else this.separate(chunk, segment, [Math.max(heading.segment, 0), first!])
    } else if (paths.isOfOneSide(chunk) && remaining[segment] === remaining[first! + 1]) {
      // The other side deleted the section, with everything that this block would have stayed with.
      this.pairs.push([first!, segment])
    }
  }

  private isConflict(segment: number): boolean {
    const found = this.segments[segment]
    return found !== undefined && 'conflict' in found.outcome
  }

  private segmentOfHeading({ version, at }: WantedHeading): number {
    return at < 0 ? 0 : this.segmentOf[version][at]!
  }

  /** The segment of the heading that a block was below in the base; -1 for none. */
  private formerSegment(chunk: PlacedChunk): number {
    const former = this.paths.formerHeading(chunk)
    return former < 0 ? -1 : this.segmentOf[0][former]!
  }

  /** Whether a conflict over the heading above a block, or over a removed one between the two, asks about it already. */
  private isAsked(chunk: PlacedChunk, { identity, segment }: HeadingAbove): boolean {
    if (this.isConflict(segment) && identity === this.paths.parentInSide(chunk, this.choice)) return true
    const former = this.formerSegment(chunk)
    return segment < former && this.isConflict(former)
  }

  /** Asks about a block below another heading than the wanted one, though the merge has both. */
  private separate(chunk: PlacedChunk, segment: number, [above, wanted]: SegmentPair): void {
    if (!this.paths.isOfOneSide(chunk)) {
      const former = this.formerSegment(chunk)
      if (above < former && former < segment && this.isRemoved(former)) this.alone.push(former)
      else this.pairs.push([Math.min(above, wanted), segment])
    } else if (this.paths.isInsertion(chunk) && isInsertionOfOneSide(this.segments[segment]!)) {
      this.alone.push(segment)
    } else this.pairs.push([Math.max(above, wanted), segment])
  }

  /** Whether one side alone removed what the segment had. */
  private isRemoved(segment: number): boolean {
    const [, ours, theirs] = this.segments[segment]!.ranges
    return this.placed[segment]!.length === 0 && (ours.from < ours.to || theirs.from < theirs.to)
  }
}

/** Insertions at one position, with the first new section of each side, -1 where a side has none. */
interface InsertionGroup {
  ours: number
  theirs: number
}

/** Returns the group of each segment that is an insertion. */
function groupInsertions(
  segments: readonly Segment[],
  placed: readonly (readonly PlacedChunk[])[],
): readonly (InsertionGroup | undefined)[] {
  let group: InsertionGroup | undefined
  return segments.map(({ ranges: [base, ours, theirs] }, index) => {
    if (base.from < base.to) return (group = undefined)
    group ??= { ours: -1, theirs: -1 }
    if (placed[index]!.some(({ level }) => level > 0)) {
      if (theirs.from === theirs.to && group.ours < 0) group.ours = index
      if (ours.from === ours.to && group.theirs < 0) group.theirs = index
    }
    return group
  })
}

function isInsertionOfOneSide({ ranges: [base, ours, theirs] }: Segment): boolean {
  return base.from === base.to && (ours.from === ours.to || theirs.from === theirs.to)
}

function inOrder(left: number, right: number): SegmentPair {
  return left < right ? [left, right] : [right, left]
}

/** For each segment, and the end, the number of segments before it that have blocks of the base in the merge. */
function countRemaining(segments: readonly Segment[], placed: readonly (readonly PlacedChunk[])[]): number[] {
  const remaining = [0]
  for (const [index, { ranges }] of segments.entries()) {
    const isRemaining = ranges[0].from < ranges[0].to && placed[index]!.length > 0
    remaining.push(remaining[index]! + (isRemaining ? 1 : 0))
  }
  return remaining
}
