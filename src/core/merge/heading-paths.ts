/**
 * Heading paths in a three-way merge: the heading that every block must stand below.
 *
 * The heading above a block is merged like any other value: where one side changed it, that is the result. A block that one
 * side wrote, moved or replaced has the heading of that side. A heading is known in all versions by the block of the
 * base that it is a version of, so renaming it changes no path.
 */
import { type Alignment, isSimilar } from './align-blocks.js'
import { type AlignedVersions, versionOf } from './align-versions.js'
import { type Segment, type ThreeWayChunks, textOf } from './block-plan.js'
import type { Side } from './merged-text.js'
import { headingLevel, parentHeadings } from './sections.js'

type ThreeVersions<Value> = readonly [base: Value, ours: Value, theirs: Value]

/** The identity of no heading. */
export const noHeading = -1

/**
 * Returns a function that finds the heading paths of a merge by its segments; undefined when no heading was added,
 * deleted or moved.
 */
export function createHeadingPaths(
  versions: AlignedVersions,
): ((segments: readonly Segment[]) => HeadingPaths) | undefined {
  if (hasSameHeadings(versions)) return undefined
  const [, ours, theirs] = versions.inputs.map(({ chunks }) => chunks)
  const parents = [versions.baseParents, parentHeadings(ours!), parentHeadings(theirs!)] as const
  return (segments) => new HeadingPaths(versions, parents, segments)
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

interface ChunkPlace {
  readonly version: 1 | 2
  readonly at: number
}

/** A chunk that the merge has when its conflicts are resolved for one side. */
export interface PlacedChunk extends ChunkPlace {
  /** The level of a heading, 0 for other blocks. */
  readonly level: number
}

/** The heading that a block must stand below, and a version in which it does. */
export interface WantedHeading {
  readonly identity: number
  readonly version: 1 | 2
  /** The index of the heading in that version; -1 for none. */
  readonly at: number
}

export class HeadingPaths {
  /** In each version the identity of each chunk: the block of the base that it is a version of, or a number of its own. */
  private readonly identities: ThreeVersions<Int32Array>
  /** Identity of a block that both sides inserted, or moved, to one position → its indices in the sides. */
  private readonly common = new Map<number, readonly [ours: number, theirs: number]>()
  private readonly baseLength: number

  constructor(
    private readonly versions: AlignedVersions,
    /** In each version the index of the heading above each chunk. */
    private readonly parents: ThreeVersions<Int32Array>,
    segments: readonly Segment[],
  ) {
    const [base, ours, theirs] = versions.inputs.map(({ chunks }) => chunks.length)
    this.baseLength = base!
    const inOurs = identitiesOf(versions.toOurs, ours!, base!)
    const inTheirs = identitiesOf(versions.toTheirs, theirs!, base! + ours!)
    this.identities = [Int32Array.from(versions.inputs[0].chunks.keys()), inOurs, inTheirs]
    for (const segment of segments) {
      const [inBase, left, right] = segment.ranges
      const length = left.to - left.from
      if (length === 0 || length !== right.to - right.from) continue
      const isInsertion = inBase.from === inBase.to
      if (!isInsertion && !this.isSameRun(segment)) continue
      for (let at = 0; at < length; at++) this.unite(left.from + at, right.from + at, isInsertion)
    }
  }

  /** Whether the sides have the same text in place of the base's, and not by one block alone. */
  private isSameRun({ ranges: [, ours, theirs], outcome }: Segment): boolean {
    if (!('text' in outcome)) return false
    const [, inOurs, inTheirs] = this.identities
    if (ours.to === ours.from + 1 && inOurs[ours.from] === inTheirs[theirs.from]) return false
    return textOf(this.inputs[1], ours) === textOf(this.inputs[2], theirs)
  }

  /** Gives chunks of the sides one identity: that of the block that they are a version of, or that of an insertion. */
  private unite(ours: number, theirs: number, isInsertion: boolean): void {
    const [, inOurs, inTheirs] = this.identities
    const isOne = inOurs[ours] === inTheirs[theirs]
    if (isOne && !isInsertion) return
    const identity = isOne ? inOurs[ours]! : this.baseLength + ours
    inOurs[ours] = inTheirs[theirs] = identity
    this.common.set(identity, [ours, theirs])
  }

  get inputs(): ThreeWayChunks {
    return this.versions.inputs
  }

  identityOf({ version, at }: ChunkPlace): number {
    return this.identities[version][at]!
  }

  /** Whether a side has the block that a chunk is a version of. */
  isInSide(chunk: ChunkPlace, version: 1 | 2): boolean {
    const identity = this.identityOf(chunk)
    if (chunk.version === version || this.common.has(identity)) return true
    const { toOurs, toTheirs } = this.versions
    return identity < this.baseLength && versionOf(version === 1 ? toOurs : toTheirs, identity) >= 0
  }

  /** The identity of the heading that is above a chunk in its version. */
  parentOf({ version, at }: ChunkPlace): number {
    return this.parentIn(version, at)
  }

  /** The identity of the heading that is above a block in a side, or in the other one where that side does not have it. */
  parentInSide(chunk: ChunkPlace, side: Side): number {
    const version = side === 'ours' ? 1 : 2
    const at = this.placesInSides(this.identityOf(chunk))[version - 1]!
    return at < 0 ? this.parentOf(chunk) : this.parentIn(version, at)
  }

  /** The index in the base of the heading above a block of it; -1 for none. */
  formerHeading(chunk: ChunkPlace): number {
    const block = this.identityOf(chunk)
    return block < this.baseLength ? this.parents[0][block]! : -1
  }

  /** The chunks of a segment in the merge when its conflict is resolved for one side. */
  placedChunks({ ranges, outcome }: Segment, choice: Side): PlacedChunk[] {
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
   * will do, so none is returned, where both deleted the headings above it, or moved one of them to different places.
   */
  wantedHeadings({ version, at }: ChunkPlace): readonly WantedHeading[] {
    const block = this.identities[version][at]!
    const own = this.headingIn(version, at)
    const [inOurs, inTheirs] = this.placesInSides(block)
    if (inOurs < 0 || inTheirs < 0) return [own]
    const [ours, theirs] = [this.headingIn(1, inOurs), this.headingIn(2, inTheirs)]
    if (ours.identity === theirs.identity || block >= this.baseLength) return [ours, theirs]
    const [isOurs, isTheirs] = [this.isReplaced(1, block, inOurs), this.isReplaced(2, block, inTheirs)]
    if (isOurs || isTheirs) return isOurs && isTheirs ? [ours, theirs] : [isOurs ? ours : theirs]
    const inBase = this.parentIn(0, block)
    if ([ours.identity, theirs.identity].some((heading) => this.isMovedApart(heading))) return []
    if (ours.identity === inBase) return [theirs]
    if (theirs.identity === inBase) return [ours]
    const { toOurs, toTheirs } = this.versions
    const isNew = [this.isNewHeading(ours, toOurs, block), this.isNewHeading(theirs, toTheirs, block)]
    return [ours, theirs].filter((_, side) => isNew[side])
  }

  private isMovedApart(heading: number): boolean {
    if (heading === noHeading || heading >= this.baseLength || this.common.has(heading)) return false
    const { toOurs, toTheirs } = this.versions
    return toOurs.moved[heading]! >= 0 && toTheirs.moved[heading]! >= 0
  }

  private isReplaced(version: 1 | 2, block: number, at: number): boolean {
    const [base, side] = [this.inputs[0].chunks[block]!, this.inputs[version].chunks[at]!]
    return !isSimilar(base, side)
  }

  /** Whether a heading came above the block, instead of one between the two that went. */
  private isNewHeading({ identity }: WantedHeading, { inPlace }: Alignment, block: number): boolean {
    if (identity === noHeading) return false
    return (
      identity > block ||
      inPlace[identity]! < 0 ||
      headingLevel(this.versions.inputs[0].chunks[identity]!) === 0
    )
  }

  private headingIn(version: 1 | 2, at: number): WantedHeading {
    return { identity: this.parentIn(version, at), version, at: this.parents[version][at]! }
  }

  private parentIn(version: 0 | 1 | 2, at: number): number {
    const parent = this.parents[version][at]!
    return parent < 0 ? noHeading : this.identities[version][parent]!
  }

  /** Indices in ours and theirs of a block that both have at one position; -1 in a side that has it elsewhere, or not. */
  private placesInSides(identity: number): readonly [ours: number, theirs: number] {
    const { toOurs, toTheirs } = this.versions
    const isOfBase = identity < this.baseLength
    return (
      this.common.get(identity) ??
      (isOfBase ? [toOurs.inPlace[identity]!, toTheirs.inPlace[identity]!] : [-1, -1])
    )
  }

  isInsertion({ version, at }: ChunkPlace): boolean {
    return this.identities[version][at]! >= this.baseLength
  }

  /** Whether one side alone has the block at this position. */
  isOfOneSide({ version, at }: ChunkPlace): boolean {
    return this.placesInSides(this.identities[version][at]!).includes(-1)
  }
}

function identitiesOf({ inPlace, moved }: Alignment, length: number, first: number): Int32Array {
  const identities = Int32Array.from({ length }, (_, at) => first + at)
  for (const places of [inPlace, moved]) {
    for (const [block, at] of places.entries()) if (at >= 0) identities[at] = block
  }
  return identities
}
