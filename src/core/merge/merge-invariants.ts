/**
 * Invariants of a three-way block merge: choosing a side in a conflict loses no block that all versions have, and no
 * line is duplicated. A run of segments that breaks this becomes one conflict, whose sides are the runs of each side.
 */
import type { Chunks } from './chunks.js'
import {
  type BlockPlan,
  type Range,
  type ThreeWayChunks,
  type Segment,
  countEach,
  joinSegments,
  textOf,
} from './block-plan.js'

/** A plan that still breaks an invariant after this many widenings becomes one conflict: keeps it linear. */
const maxGrowths = 4

/**
 * Returns the segments, with conflicts widened until every block of all three versions is in the result whichever side
 * is chosen, and no line occurs more often than in the side that has it most, or than both additions together explain.
 */
export function enforceInvariants(inputs: ThreeWayChunks, segments: readonly Segment[]): readonly Segment[] {
  const [base, ours, theirs] = inputs.map(({ chunks }) => new Set(chunks.map(({ body }) => body)))
  const inAllVersions = [...base!].filter((body) => ours!.has(body) && theirs!.has(body))
  const counts = inputs.map(({ chunks }) => countEach(chunks.flatMap(({ body }) => linesOf(body))))
  return widen(inputs, segments, (current) => {
    const lost = findLostBlocks(inputs, current, inAllVersions)
    const lines = current.map(guaranteedLines)
    const duplicated = findDuplicatedLines(counts, lines)
    if (lost.size + duplicated.size === 0) return []
    return current.map((segment, index) => [
      ...segment.ranges.flatMap((range, version) =>
        bodiesOf(inputs[version]!, range).filter((body) => lost.has(body)),
      ),
      ...(isUntouched(inputs, segment) ? [] : lines[index]!.filter((line) => duplicated.has(line))),
    ])
  })
}

function findLostBlocks(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
  inAllVersions: readonly string[],
): ReadonlySet<string> {
  const guaranteed = new Set(segments.flatMap((segment) => guaranteedBodies(inputs, segment)))
  return new Set(inAllVersions.filter((body) => !guaranteed.has(body)))
}

function findDuplicatedLines(
  counts: readonly ReadonlyMap<string, number>[],
  lines: readonly (readonly string[])[],
): ReadonlySet<string> {
  const duplicated = new Set<string>()
  for (const [line, count] of countEach(lines.flat())) {
    const [base, ours, theirs] = counts.map((inVersion) => inVersion.get(line) ?? 0) as [
      number,
      number,
      number,
    ]
    // A line that no version has was merged from words of both.
    const isWritten = base + ours + theirs > 0
    if (isWritten && count > Math.max(ours, theirs, ours + theirs - base)) duplicated.add(line)
  }
  return duplicated
}

/** Joins the segments between the first and the last that share a reason, until no segment has a reason. */
function widen(
  inputs: ThreeWayChunks,
  segments: readonly Segment[],
  reasonsOf: (segments: readonly Segment[]) => readonly (readonly string[])[],
): readonly Segment[] {
  let current = segments
  for (let growth = 0; ; growth++) {
    const last = new Map<string, number>()
    const reasons = byGroup(current, reasonsOf(current))
    // A group shares one list, which is read once: at its end in this loop, at its beginning below.
    for (const [index, list] of reasons.entries()) {
      if (list !== reasons[index + 1]) for (const reason of list) last.set(reason, index)
    }
    if (last.size === 0) return current
    if (growth === maxGrowths) return [joinSegments(inputs, current)]
    const wider: Segment[] = []
    for (let from = 0; from < current.length;) {
      let to = from
      for (let at = from; at <= to; at++) {
        if (at > from && reasons[at] === reasons[at - 1]) continue
        for (const reason of reasons[at]!) to = Math.max(to, last.get(reason)!)
      }
      const run = current.slice(from, to + 1)
      wider.push(reasons[from]!.length > 0 ? joinSegments(inputs, run) : current[from]!)
      from = to + 1
    }
    current = wider
  }
}

/** Insertions at one position are joined as a whole: no version has their order, and it differs when sides are swapped. */
function byGroup(
  segments: readonly Segment[],
  reasons: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const grouped: (readonly string[])[] = []
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

/** Bodies of the blocks that are in the result whichever side is chosen. */
function guaranteedBodies(inputs: ThreeWayChunks, { ranges, outcome }: Segment): readonly string[] {
  const [, inOurs, inTheirs] = ranges
  const [, ours, theirs] = inputs
  if ('conflict' in outcome) {
    const right = new Set(bodiesOf(theirs, inTheirs))
    return bodiesOf(ours, inOurs).filter((body) => right.has(body))
  }
  if ('inner' in outcome || outcome.text === null) return []
  if (textOf(ours, inOurs) === outcome.text) return bodiesOf(ours, inOurs)
  return textOf(theirs, inTheirs) === outcome.text ? bodiesOf(theirs, inTheirs) : [outcome.text]
}

function bodiesOf({ chunks }: Chunks, { from, to }: Range): readonly string[] {
  return chunks.slice(from, to).map(({ body }) => body)
}

function isUntouched(inputs: ThreeWayChunks, { ranges }: Segment): boolean {
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
