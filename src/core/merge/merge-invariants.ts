/**
 * Invariants of a three-way block merge: choosing a side in a conflict loses no block that neither side deleted, no block
 * stands below a heading that its writer did not put it under, and nothing is there twice.
 *
 * First blocks go to their sections (`relocate-blocks.ts`). Then a run of segments that breaks an invariant becomes one
 * conflict, whose sides are the runs of each side, and an insertion that stands wrong becomes one by itself.
 */
import { type AlignedVersions, blocksMovedByBoth } from './align-versions.js'
import { type Origins, findOrigins } from './block-origins.js'
import {
  type BlockPlan,
  type ThreeWayChunks,
  type Segment,
  countEach,
  joinSegments,
  segmentsByChunk,
  textOf,
} from './block-plan.js'
import { createHeadingPaths } from './heading-paths.js'
import { findMisplaced } from './misplaced-blocks.js'
import { orderBySection } from './relocate-blocks.js'

/** A plan that still breaks an invariant after this many widenings becomes one conflict: keeps it linear. */
const maxGrowths = 4

/** Why segments are joined: a line or an origin that they have in common, or the indices of two of them. */
type Reason = string | number

/**
 * Returns the segments, with conflicts widened until every block that neither side deleted is in the result whichever
 * side is chosen, every block is below its heading, no moved block is there twice, and no line occurs more often than in
 * the side that has it most, or than both additions together explain.
 *
 * All orders in which the same segments may come have the same conflicts: what breaks an invariant in one of them is
 * widened in all. The result is in the first order.
 */
export function enforceInvariants(
  versions: AlignedVersions,
  orders: readonly (readonly Segment[])[],
): readonly Segment[] {
  const { inputs } = versions
  const pathsOf = createHeadingPaths(versions)
  const findTwice = createMoveCheck(versions)
  const origins = new Map<boolean, Origins>()
  const [first] = widen(inputs, orders, (current) => {
    const hasConflicts = current.some(({ outcome }) => 'conflict' in outcome)
    const known = origins.get(hasConflicts) ?? findOrigins(versions, hasConflicts)
    origins.set(hasConflicts, known)
    const lost = findLostOrigins(inputs, current, known)
    // An untouched segment has its lines as often in the result as in every version: only the others are counted.
    const touched = current.map((segment) => !isUntouched(inputs, segment))
    const lines = current.map((segment, at) => (touched[at] ? guaranteedLines(segment) : []))
    const duplicated = findDuplicatedLines(
      inputs,
      current.filter((_, at) => touched[at]),
      lines.flat(),
    )
    const paths = pathsOf?.(current)
    const misplaced = paths && findMisplaced(paths, current, orderBySection(paths, current))
    const pairs = [...(misplaced?.pairs ?? []), ...(findTwice?.(current) ?? []), ...findRivals(current)]
    const alone = new Set(misplaced?.alone.map((at) => keyOf(current[at]!)))
    if (lost.size + duplicated.size + pairs.length + alone.size === 0) return noFindings
    const reasons = lines.map((list): Reason[] => list.filter((line) => duplicated.has(line)))
    for (const [index, { ranges }] of current.entries()) {
      for (const version of [0, 1, 2] as const) {
        known.forEach(version, ranges[version], (origin) => lost.has(origin) && reasons[index]!.push(origin))
      }
    }
    for (const [from, to] of pairs) {
      const pair = `\0${from} ${to}`
      reasons[from]!.push(pair)
      reasons[to]!.push(pair)
    }
    return { reasons, alone }
  })
  return pathsOf ? orderBySection(pathsOf(first!), first!).map((at) => first![at]!) : first!
}

/** Returns a function that finds the pairs of segments with one block that the sides moved apart; undefined when there is none. */
function createMoveCheck(
  versions: AlignedVersions,
): ((segments: readonly Segment[]) => (readonly [number, number])[]) | undefined {
  const { inputs, toOurs, toTheirs } = versions
  const blocks = blocksMovedByBoth(versions)
  if (blocks.length === 0) return undefined
  return (segments) => {
    const [, inOurs, inTheirs] = segmentsByChunk(inputs, segments)
    const isThere = ({ ranges, outcome }: Segment, own: 1 | 2, other: 1 | 2) =>
      'text' in outcome &&
      outcome.text !== null &&
      (ranges[other].from === ranges[other].to || textOf(inputs[own], ranges[own]) === outcome.text)
    return blocks
      .map((block) => [inOurs[toOurs.moved[block]!]!, inTheirs[toTheirs.moved[block]!]!] as const)
      .filter(
        ([left, right]) =>
          left !== right && isThere(segments[left]!, 1, 2) && isThere(segments[right]!, 2, 1),
      )
  }
}

/** Returns pairs of conflicts over insertions of both sides at one position: which of them comes first is arbitrary. */
function findRivals(segments: readonly Segment[]): (readonly [number, number])[] {
  const rivals: (readonly [number, number])[] = []
  let [inOurs, inTheirs] = [-1, -1]
  for (const [at, segment] of segments.entries()) {
    if (!isInsertion(segment)) {
      ;[inOurs, inTheirs] = [-1, -1]
      continue
    }
    const [, ours, theirs] = segment.ranges
    if (!('conflict' in segment.outcome) || (ours.from < ours.to && theirs.from < theirs.to)) continue
    if (ours.from < ours.to) inOurs = at
    else inTheirs = at
    if (inOurs >= 0 && inTheirs >= 0) rivals.push([Math.min(inOurs, inTheirs), at])
  }
  return rivals
}

/** Returns the origins that are not in the result whichever side is chosen. */
function findLostOrigins(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
  origins: Origins,
): ReadonlySet<number> {
  const lost = new Set(origins.inBoth)
  const keep = (origin: number) => lost.delete(origin)
  for (const { ranges, outcome } of segments) {
    if ('conflict' in outcome) {
      const inOurs = new Set<number>()
      origins.forEach(1, ranges[1], (origin) => inOurs.add(origin))
      origins.forEach(2, ranges[2], (origin) => inOurs.has(origin) && keep(origin))
      continue
    }
    if ('text' in outcome && outcome.text === null) continue
    const isText = (version: 1 | 2) =>
      'text' in outcome && textOf(inputs[version], ranges[version]) === outcome.text
    const [isOurs, isTheirs] = [isText(1), isText(2)]
    if (isOurs || !isTheirs) origins.forEach(1, ranges[1], keep)
    if (isTheirs || !isOurs) origins.forEach(2, ranges[2], keep)
  }
  return lost
}

/** Returns those of the lines of these segments that occur more often than the versions of the segments explain. */
function findDuplicatedLines(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
  lines: readonly string[],
): ReadonlySet<string> {
  const found = countEach(lines)
  const duplicated = new Set<string>()
  if (found.size === 0) return duplicated
  const counts = inputs.map(({ chunks }, version) =>
    countEach(
      segments.flatMap(({ ranges }) =>
        chunks.slice(ranges[version]!.from, ranges[version]!.to).flatMap(({ body }) => linesOf(body)),
      ),
    ),
  )
  let all: ReadonlySet<string> | undefined
  for (const [line, count] of found) {
    const [base, ours, theirs] = counts.map((inVersion) => inVersion.get(line) ?? 0) as [
      number,
      number,
      number,
    ]
    if (count <= Math.max(ours, theirs, ours + theirs - base)) continue
    if (base + ours + theirs === 0) {
      // A line that no version has was merged from words of both.
      all ??= new Set(inputs.flatMap(({ chunks }) => chunks.flatMap(({ body }) => linesOf(body))))
      if (!all.has(line)) continue
    }
    duplicated.add(line)
  }
  return duplicated
}

/** What breaks the invariants. */
interface Findings {
  /** Of each segment why it is joined with others. */
  readonly reasons: readonly (readonly Reason[])[]
  /** The insertions that become conflicts by themselves, by their keys. */
  readonly alone: ReadonlySet<string>
}

const noFindings: Findings = { reasons: [], alone: new Set() }

/** A key of a segment that it has in all orders: its first chunk. */
function keyOf({ ranges }: Segment): string {
  const version = ranges.findIndex(({ from, to }) => from < to)
  return `${version} ${ranges[version]!.from}`
}

/** Returns an insertion as a conflict: it is there or not. */
function askAlone(inputs: ThreeWayChunks, { ranges }: Segment): Segment {
  const [base, ours, theirs] = ranges.map((range, version) => textOf(inputs[version]!, range))
  return { ranges, outcome: { conflict: { base: base!, ours: ours!, theirs: theirs! } } }
}

/** Joins the segments between the first and the last that share a reason in any of their orders, until none has a reason. */
function widen(
  inputs: ThreeWayChunks,
  orders: readonly (readonly Segment[])[],
  examine: (segments: readonly Segment[]) => Findings,
): readonly (readonly Segment[])[] {
  let current = orders
  for (let growth = 0; ; growth++) {
    const findings = current.map(examine)
    const alone = new Set(findings.flatMap((one) => [...one.alone]))
    if (alone.size > 0) {
      current = current.map((segments) =>
        segments.map((segment) => (alone.has(keyOf(segment)) ? askAlone(inputs, segment) : segment)),
      )
    }
    const found = findings.map(({ reasons }, at) => byGroup(current[at]!, reasons))
    const last = new Map<Reason, number>()
    // A group shares one list, which is read once: at its end in this loop, at its beginning below.
    for (const reasons of found) {
      for (const [index, list] of reasons.entries()) {
        if (list === reasons[index + 1]) continue
        for (const reason of list) last.set(reason, Math.max(index, last.get(reason) ?? 0))
      }
    }
    if (last.size === 0 && alone.size === 0) return current
    if (growth === maxGrowths) return current.map((segments) => [joinSegments(inputs, segments)])
    const wider: Segment[][] = current.map(() => [])
    for (let from = 0; from < current[0]!.length;) {
      let to = from
      for (let at = from; at <= to; at++) {
        for (const reasons of found) {
          if (at > from && reasons[at] === reasons[at - 1]) continue
          for (const reason of reasons[at] ?? []) to = Math.max(to, last.get(reason)!)
        }
      }
      const isJoined = found.some((reasons) => (reasons[from]?.length ?? 0) > 0)
      for (const [index, segments] of current.entries()) {
        wider[index]!.push(isJoined ? joinSegments(inputs, segments.slice(from, to + 1)) : segments[from]!)
      }
      from = to + 1
    }
    current = wider
  }
}

/** Insertions at one position are joined as a whole: no version has their order, and it differs when sides are swapped. */
function byGroup(
  segments: readonly Segment[],
  reasons: readonly (readonly Reason[])[],
): readonly (readonly Reason[])[] {
  const grouped: (readonly Reason[])[] = []
  for (let from = 0; from < reasons.length;) {
    let to = from + 1
    if (isInsertion(segments[from]!)) while (to < segments.length && isInsertion(segments[to]!)) to++
    const all = reasons.slice(from, to).flat()
    for (; from < to; from++) grouped.push(all)
  }
  return grouped
}

function isInsertion({ ranges: [{ from, to }] }: Segment): boolean {
  return from === to
}

function isUntouched(inputs: ThreeWayChunks, { ranges }: Segment): boolean {
  const [inBase, inOurs, inTheirs] = ranges
  if (
    inBase.to - inBase.from !== inOurs.to - inOurs.from ||
    inOurs.to - inOurs.from !== inTheirs.to - inTheirs.from
  ) {
    return false
  }
  const [base, ours, theirs] = ranges.map((range, version) => textOf(inputs[version]!, range))
  return base === ours && base === theirs
}

/** Lines that are in the result whichever side is chosen. */
function guaranteedLines({ outcome }: Segment): readonly string[] {
  if ('conflict' in outcome) {
    const right = countEach(linesOf(outcome.conflict.theirs ?? ''))
    return linesOf(outcome.conflict.ours ?? '').filter((line) => {
      const left = right.get(line) ?? 0
      right.set(line, left - 1)
      return left > 0
    })
  }
  if ('text' in outcome) return linesOf(outcome.text ?? '')
  return [...linesOf(outcome.head), ...guaranteedPlanLines(outcome.inner), ...linesOf(outcome.tail)]
}

function guaranteedPlanLines({ segments }: BlockPlan): readonly string[] {
  return segments.flatMap(guaranteedLines)
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
