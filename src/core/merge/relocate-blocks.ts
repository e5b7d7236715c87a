/**
 * Relocation of blocks in a three-way merge: a block that one side inserted or moved stays in the section that its
 * writer put it in, wherever the other side's headings go.
 *
 * Where the other side put a heading between the section and the block, or moved the section, the block goes behind the
 * one that precedes it in its section, or else to the end of the section. A new section goes as a whole. An item that
 * would leave its list stays where it is, and so does a section with blocks that the other side has elsewhere.
 */
import { groupBy } from '../group.js'
import { type Segment, segmentsByChunk } from './block-plan.js'
import { type HeadingPaths, type PlacedChunk, noHeading } from './heading-paths.js'
import type { Side } from './merged-text.js'
import { type OpenSection, enclosingSection, headingLevel } from './sections.js'

/** A block that is no heading is below all six levels. */
const blockLevel = 7

/** Where a section may have a block: from the segment behind its heading, up to but not including `to`. */
interface Region {
  readonly from: number
  readonly to: number
}

/** A segment that goes elsewhere. */
interface Move {
  readonly segment: number
  /** The segment of the heading that it goes below, -1 for none. */
  readonly heading: number
  /** The segment that it goes before. */
  readonly before: number
  /** 0 for what is no heading; of a section that goes as a whole, the level of its heading. */
  readonly level: number
}

/** Returns the indices of the segments in the order in which blocks are in their sections; linear. */
export function orderBySection(paths: HeadingPaths, segments: readonly Segment[]): readonly number[] {
  const moves = new Relocation(paths, segments).moves()
  if (moves.length === 0) return [...segments.keys()]
  const gone = new Set(moves.map(({ segment }) => segment))
  // Of sections that arrive at one place a subsection comes first: it would belong to the other one otherwise.
  const arrivals = groupBy(
    moves.toSorted((left, right) => blocksFirst(left.level) - blocksFirst(right.level)),
    ({ before }) => before,
  )
  const order: number[] = []
  for (let at = 0; at <= segments.length; at++) {
    for (const { segment } of arrivals.get(at) ?? []) order.push(segment)
    if (at < segments.length && !gone.has(at)) order.push(at)
  }
  return order
}

function blocksFirst(level: number): number {
  return level === 0 ? -blockLevel : -level
}

class Relocation {
  private readonly segmentOf: ReturnType<typeof segmentsByChunk>
  /** For each way to resolve the conflicts the chunks of each segment. */
  private readonly placed: readonly (readonly (readonly PlacedChunk[])[])[]
  /** Identity of a block → its segment, which has it whichever side is chosen, and its level there. */
  private readonly blocks = new Map<number, { readonly segment: number; readonly level: number }>()
  /** For each level the first segment, from each one on, with a heading of this level or above. */
  private readonly next = new Map<number, Int32Array>()
  private readonly found = new Map<number, Move>()
  private readonly misplaced: ReadonlySet<number>
  /** Where blocks go that come behind a segment in a version. */
  private readonly behind = new Map<string, number>()

  constructor(
    private readonly paths: HeadingPaths,
    private readonly segments: readonly Segment[],
  ) {
    this.segmentOf = segmentsByChunk(paths.inputs, segments)
    const hasConflicts = segments.some(({ outcome }) => 'conflict' in outcome)
    const choices: readonly Side[] = hasConflicts ? ['ours', 'theirs'] : ['ours']
    this.placed = choices.map((choice) => segments.map((segment) => paths.placedChunks(segment, choice)))
    for (const [segment, { ranges }] of segments.entries()) {
      if (ranges.some(({ from, to }) => to > from + 1)) continue
      const chunks = this.placed.map((placed) => placed[segment]![0])
      const [first] = chunks
      if (!first) continue
      const identity = paths.identityOf(first)
      const isFixed = chunks.every(
        (chunk) => chunk && chunk.level === first.level && paths.identityOf(chunk) === identity,
      )
      if (isFixed) this.blocks.set(identity, { segment, level: first.level })
    }
    this.misplaced = this.misplacedSegments()
  }

  moves(): readonly Move[] {
    if (this.misplaced.size > 0) for (const version of [1, 2] as const) this.relocate(version)
    // What would follow a heading that goes elsewhere itself stays.
    return [...this.found.values()].filter(({ heading }) => !this.found.has(heading))
  }

  /** The segments of one block that one side has, and that are below another heading than in that side. */
  private misplacedSegments(): ReadonlySet<number> {
    const misplaced = new Set<number>()
    for (const placed of this.placed) {
      let open: OpenSection<number> | undefined
      for (const [segment, chunks] of placed.entries()) {
        for (const chunk of chunks) {
          const above = enclosingSection(open, chunk.level)
          if (chunk.level > 0) open = { level: chunk.level, heading: this.paths.identityOf(chunk), above }
          const heading = above?.heading ?? noHeading
          if (this.isOfOneSide(segment) && this.paths.parentOf(chunk) !== heading) misplaced.add(segment)
        }
      }
    }
    return misplaced
  }

  private isOfOneSide(segment: number): boolean {
    const { ranges, outcome } = this.segments[segment]!
    const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    return length === 1 && ranges[0].from === ranges[0].to && 'text' in outcome && outcome.text !== null
  }

  private relocate(version: 1 | 2): void {
    const { chunks } = this.paths.inputs[version]
    /** Heading → the last segment of its section, among those before the current chunk, that is in its region. */
    const last = new Map<number, number>()
    for (const [at, chunk] of chunks.entries()) {
      const own = this.segmentOf[version][at]!
      if (this.found.has(own)) continue
      const level = headingLevel(chunk)
      const place = { version, at, level } as const
      const heading = this.paths.parentOf(place)
      const segment = this.segmentAt(version, at)
      const region = this.regionOf(heading, level)
      if (!region) continue
      if (!this.misplaced.has(segment)) {
        if (level === 0 && region.from <= segment && segment < region.to) last.set(heading, segment)
      } else if (segment === own) {
        if (level > 0) this.relocateSection(place, region)
        else this.relocateBlock(place, region, last.get(heading) ?? region.from - 1)
      }
    }
  }

  /** Where the section of a heading has blocks of a level; undefined where that depends on the choice of a side. */
  private regionOf(heading: number, level: number): Region | undefined {
    const found = heading === noHeading ? { segment: -1, level: 0 } : this.blocks.get(heading)
    if (!found || found.level >= (level || blockLevel)) return undefined
    const from = found.segment + 1
    return { from, to: this.nextHeading(from, (level || blockLevel) - 1) }
  }

  private relocateBlock({ version, at, level }: PlacedChunk, { from, to }: Region, anchor: number): void {
    const key = `${version} ${anchor}`
    let before = this.behind.get(key) ?? anchor + 1
    while (before < to && !this.isInSide(before, version)) before++
    this.behind.set(key, before)
    const segment = this.segmentOf[version][at]!
    if (this.staysInList(version, at, anchor, before))
      this.found.set(segment, { segment, heading: from - 1, before, level })
  }

  /** Whether a side has blocks of the segment, there or elsewhere. */
  private isInSide(segment: number, version: 1 | 2): boolean {
    const { from, to } = this.segments[segment]!.ranges[version]
    return (
      from < to ||
      this.placed.some((placed) => placed[segment]!.some((chunk) => this.paths.isInSide(chunk, version)))
    )
  }

  /** The segment that has a block of a side, where it was moved to. */
  private segmentAt(version: 1 | 2, at: number): number {
    const identity = this.paths.identityOf({ version, at })
    return this.blocks.get(identity)?.segment ?? this.segmentOf[version][at]!
  }

  /** Whether an item of a list has its neighbour in the list beside it. */
  private staysInList(version: 1 | 2, at: number, anchor: number, before: number): boolean {
    const { chunks } = this.paths.inputs[version]
    const isSameList = (other: number) => {
      const { kind } = chunks[at]!
      return kind.startsWith('item') && chunks[other]?.kind === kind
    }
    const own = this.segmentOf[version]
    const segmentAt = (index: number) => this.segmentAt(version, index)
    if (isSameList(at - 1)) return anchor === segmentAt(at - 1) || this.found.has(own[at - 1]!)
    return !isSameList(at + 1) || before === segmentAt(at + 1) || this.isOfOneSide(own[at + 1]!)
  }

  /** Relocates a heading with its section, if one side alone has all of it. */
  private relocateSection({ version, at, level }: PlacedChunk, region: Region): void {
    const { chunks } = this.paths.inputs[version]
    const section: number[] = [this.segmentOf[version][at]!]
    for (let next = at + 1; next < chunks.length; next++) {
      const inner = headingLevel(chunks[next]!)
      if (inner > 0 && inner <= level) break
      const segment = this.segmentOf[version][next]!
      const isGone = this.placed.every((placed) => placed[segment]!.length === 0)
      if (isGone) continue
      if (!this.isOfOneSide(segment)) return
      section.push(segment)
    }
    const previous = at > 0 ? this.segmentAt(version, at - 1) : region.from - 1
    const isInRegion = region.from <= previous && previous < region.to && !this.misplaced.has(previous)
    const before = isInRegion ? Math.min(this.nextHeading(previous + 1, level), region.to) : region.to
    for (const segment of section)
      this.found.set(segment, { segment, heading: region.from - 1, before, level })
  }

  /** The first segment from this one on with a heading of this level or above, whichever side is chosen; the end without. */
  private nextHeading(from: number, level: number): number {
    let next = this.next.get(level)
    if (!next) {
      next = new Int32Array(this.segments.length + 1).fill(this.segments.length)
      for (let at = this.segments.length - 1; at >= 0; at--) {
        const isHeading = this.placed.some((placed) =>
          placed[at]!.some((chunk) => chunk.level > 0 && chunk.level <= level),
        )
        next[at] = isHeading ? at : next[at + 1]!
      }
      this.next.set(level, next)
    }
    return next[from]!
  }
}
