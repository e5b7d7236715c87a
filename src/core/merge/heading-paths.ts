/**
 * Heading paths in a three-way merge: every block stands below the heading that its writer put it under.
 *
 * The heading above a block is merged like any other value: where one side changed it, that is the result. A block that one
 * side wrote, moved or replaced has the heading of that side. A heading is known in all versions by the block of the
 * base that it is a version of, so renaming it changes no path.
 */
import { type Alignment, isSimilar } from './align-blocks.js'
import type { AlignedVersions } from './align-versions.js'
import { type Segment, segmentsByChunk, textOf } from './block-plan.js'
import type { Side } from './merged-text.js'
import { type OpenSection, enclosingSection, headingLevel, parentHeadings } from './sections.js'

type ThreeVersions<Value> = readonly [base: Value, ours: Value, theirs: Value]

/** Two segments: what is between them, both included, has blocks below a wrong heading. */
export type Misplacement = readonly [from: number, to: number]

/** No heading. */
const none = -1

/** Returns a function that finds the misplaced blocks of segments; undefined when no heading was added, deleted or moved. */
export function createPathCheck(
  versions: AlignedVersions,
  segments: readonly Segment[],
): ((current: readonly Segment[]) => readonly Misplacement[]) | undefined {
  if (hasSameHeadings(versions)) return undefined
  const paths = new HeadingPaths(versions, segments)
  return (current) => {
    const hasConflicts = current.some(({ outcome }) => 'conflict' in outcome)
    const found = paths.misplaced(current, 'ours')
    return hasConflicts ? [...found, ...paths.misplaced(current, 'theirs')] : found
  }
}

function hasSameHeadings({ inputs, toOurs, toTheirs }: AlignedVersions): boolean {
  const [base, ours, theirs] = inputs.map(({ chunks }) => chunks)
  const counts = [base!, ours!, theirs!].map(
    (chunks) => chunks.filter((chunk) => headingLevel(chunk) > 0).length,
  )
  if (counts[0] !== counts[1] || counts[0] !== counts[2]) return false
  const hasSameLevel = (level: number, block: number, { inPlace }: Alignment, side: typeof base) =>
    inPlace[block]! >= 0 && headingLevel(side![inPlace[block]!]!) === level
  return base!.every((chunk, block) => {
    const level = headingLevel(chunk)
    return (
      level === 0 ||
      (hasSameLevel(level, block, toOurs, ours) && hasSameLevel(level, block, toTheirs, theirs))
    )
  })
}

/** A chunk that the merge has when its conflicts are resolved for one side. */
interface PlacedChunk {
  readonly version: 1 | 2
  readonly at: number
  readonly level: number
}

/** The heading that a block must stand below, and a version in which it does. */
interface WantedHeading {
  readonly identity: number
  readonly version: 1 | 2
  /** The index of the heading in that version; -1 for none. */
  readonly at: number
}

class HeadingPaths {
  /** In each version the identity of each chunk: the block of the base that it is a version of, or a number of its own. */
  private readonly identities: ThreeVersions<Int32Array>
  /** In each version the index of the heading above each chunk. */
  private readonly parents: ThreeVersions<Int32Array>
  /** Identity of an insertion that the sides have in common → its index in theirs. */
  private readonly commonInsertions = new Map<number, number>()
  private readonly baseLength: number

  constructor(
    private readonly versions: AlignedVersions,
    segments: readonly Segment[],
  ) {
    const [base, ours, theirs] = versions.inputs.map(({ chunks }) => chunks)
    this.baseLength = base!.length
    this.parents = [parentHeadings(base!), parentHeadings(ours!), parentHeadings(theirs!)]
    const inOurs = identitiesOf(versions.toOurs, ours!.length, base!.length)
    const inTheirs = identitiesOf(versions.toTheirs, theirs!.length, base!.length + ours!.length)
    for (const { ranges } of segments) {
      const [inBase, left, right] = ranges
      if (inBase.from < inBase.to || left.from === left.to || right.from === right.to) continue
      inTheirs[right.from] = inOurs[left.from]!
      this.commonInsertions.set(inOurs[left.from]!, right.from)
    }
    this.identities = [Int32Array.from(base!.keys()), inOurs, inTheirs]
  }

  /** Returns the misplaced blocks of the merge when its conflicts are resolved for one side. */
  misplaced(segments: readonly Segment[], choice: Side): Misplacement[] {
    const found: Misplacement[] = []
    /** Those that follow from the order of insertions: it is arbitrary, so what it does to other blocks comes after them. */
    const unordered: Misplacement[] = []
    const segmentOf = segmentsByChunk(this.versions.inputs, segments)
    const placed = segments.map((segment) => this.placedChunks(segment, choice))
    const isPlaced = new Set([none, ...placed.flat().map(({ version, at }) => this.identities[version][at]!)])
    const remaining = countRemaining(segments, placed)
    const groups = groupInsertions(segments, placed)
    let open: OpenSection<{ readonly identity: number; readonly segment: number }> | undefined
    for (const [segment, chunks] of placed.entries()) {
      for (const { version, at, level } of chunks) {
        const above = enclosingSection(open, level)
        const heading = above?.heading ?? { identity: none, segment: 0 }
        if (level > 0) open = { level, heading: { identity: this.identities[version][at]!, segment }, above }
        const group = above && groups[heading.segment]
        if (group && group !== groups[segment] && group.ours >= 0 && group.theirs >= 0) {
          unordered.push(inOrder(group.ours, group.theirs))
          continue
        }
        const wanted = this.wantedHeadings(version, at)
        const [first, second] = wanted
          .map((one) => (one.at < 0 ? 0 : segmentOf[one.version][one.at]!))
          .toSorted((left, right) => left - right)
        const isOneHeading = wanted[0]?.identity === wanted.at(-1)?.identity
        if (second !== undefined && !isOneHeading && remaining[first!] === remaining[second]) {
          // Both headings are right above it: one conflict of both, or of the later with an insertion of both sides.
          found.push(this.isInsertion(version, at) ? [second, segment] : [first!, second])
          continue
        }
        const isOwn =
          'conflict' in segments[segment]!.outcome && heading.identity === this.parentOf(version, at)
        if (isOwn || wanted.length === 0 || wanted.some(({ identity }) => identity === heading.identity))
          continue
        if (wanted.every(({ identity }) => isPlaced.has(identity))) {
          // The block itself makes a conflict where one side wrote it; else the headings of both sides do.
          const start = (this.isOfOneSide(version, at) ? Math.max : Math.min)(heading.segment, first!)
          ;(group && group === groups[segment] ? unordered : found).push([start, segment])
        } else if (this.isOfOneSide(version, at) && remaining[segment] === remaining[first! + 1]) {
          // The other side deleted the section, with everything that this block would have stayed with.
          found.push([first!, segment])
        }
      }
    }
    return (unordered.length > 0 ? unordered : found).filter(([from, to]) => from < to)
  }

  private placedChunks({ ranges, outcome }: Segment, choice: Side): PlacedChunk[] {
    if ('text' in outcome && outcome.text === null) return []
    const version = 'conflict' in outcome ? (choice === 'ours' ? 1 : 2) : this.versionShown(ranges, outcome)
    const { chunks } = this.versions.inputs[version]
    const { from, to } = ranges[version]
    const text = 'text' in outcome && to === from + 1 ? outcome.text! : undefined
    return Array.from({ length: to - from }, (_, index) => {
      const chunk = chunks[from + index]!
      return { version, at: from + index, level: headingLevel({ ...chunk, body: text ?? chunk.body }) }
    })
  }

  /** The side whose chunks the text is; ours where it was merged from both. */
  private versionShown(ranges: Segment['ranges'], outcome: Segment['outcome']): 1 | 2 {
    const { inputs } = this.versions
    if ('text' in outcome) {
      if (textOf(inputs[1], ranges[1]) === outcome.text) return 1
      if (textOf(inputs[2], ranges[2]) === outcome.text) return 2
    }
    return ranges[1].from < ranges[1].to ? 1 : 2
  }

  /**
   * The heading above a block, as merged from the versions: two where both sides put the block below a new one, and any
   * will do, so none is returned, where both deleted the headings above it.
   */
  private wantedHeadings(version: 1 | 2, at: number): readonly WantedHeading[] {
    const block = this.identities[version][at]!
    const own = this.headingIn(version, at)
    const [inOurs, inTheirs] = this.placesInSides(block)
    if (inOurs < 0 || inTheirs < 0) return [own]
    const [ours, theirs] = [this.headingIn(1, inOurs), this.headingIn(2, inTheirs)]
    if (ours.identity === theirs.identity || this.isInsertion(version, at)) return [ours, theirs]
    const isReplaced = !isSimilar(
      this.versions.inputs[0].chunks[block]!,
      this.versions.inputs[version].chunks[at]!,
    )
    if (isReplaced) return [own]
    const inBase = this.parentOf(0, block)
    if (ours.identity === inBase) return [theirs]
    if (theirs.identity === inBase) return [ours]
    const { toOurs, toTheirs } = this.versions
    const isNew = [this.isNewHeading(ours, toOurs, block), this.isNewHeading(theirs, toTheirs, block)]
    return [ours, theirs].filter((_, side) => isNew[side])
  }

  /** Whether a heading came above the block, instead of one between the two that went. */
  private isNewHeading({ identity }: WantedHeading, { inPlace }: Alignment, block: number): boolean {
    if (identity === none) return false
    return (
      identity > block ||
      inPlace[identity]! < 0 ||
      headingLevel(this.versions.inputs[0].chunks[identity]!) === 0
    )
  }

  private headingIn(version: 1 | 2, at: number): WantedHeading {
    return { identity: this.parentOf(version, at), version, at: this.parents[version][at]! }
  }

  private parentOf(version: 0 | 1 | 2, at: number): number {
    const parent = this.parents[version][at]!
    return parent < 0 ? none : this.identities[version][parent]!
  }

  /** Indices in ours and theirs of a block that neither moved; -1 in a side that did, or does not have it. */
  private placesInSides(identity: number): readonly [ours: number, theirs: number] {
    const { toOurs, toTheirs } = this.versions
    if (identity < this.baseLength) return [toOurs.inPlace[identity]!, toTheirs.inPlace[identity]!]
    const inTheirs = this.commonInsertions.get(identity)
    return inTheirs === undefined ? [-1, -1] : [identity - this.baseLength, inTheirs]
  }

  private isInsertion(version: 1 | 2, at: number): boolean {
    return this.identities[version][at]! >= this.baseLength
  }

  private isOfOneSide(version: 1 | 2, at: number): boolean {
    return this.placesInSides(this.identities[version][at]!).includes(-1)
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

function inOrder(left: number, right: number): Misplacement {
  return left < right ? [left, right] : [right, left]
}

function identitiesOf({ inPlace, moved }: Alignment, length: number, first: number): Int32Array {
  const identities = Int32Array.from({ length }, (_, at) => first + at)
  for (const places of [inPlace, moved]) {
    for (const [block, at] of places.entries()) if (at >= 0) identities[at] = block
  }
  return identities
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
