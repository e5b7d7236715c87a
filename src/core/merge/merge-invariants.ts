/**
 * What a plan of blocks is held to, whatever way it came about: nothing that all versions hold is lost by
 * settling for a side, and nothing stands more often than somebody wrote it. A run of segments that breaks
 * this becomes one conflict, which shows each side's run as that side has it.
 */
import type { Chunks } from './chunks.js'
import {
  type BlockPlan,
  type Range,
  type Rows,
  type Segment,
  countEach,
  joinSegments,
  textOf,
} from './plan.js'

/** A plan that still does not hold after conflicts have grown so often becomes one conflict: keeps it linear. */
const growths = 4

/**
 * Widens conflicts until every block that stands in all three versions stands in the result of either side, and no
 * line stands more often than in the larger side, or than with what both have added.
 */
export function holdTogether(rows: Rows, segments: readonly Segment[]): readonly Segment[] {
  const [base, ours, theirs] = rows.map(({ chunks }) => new Set(chunks.map(({ body }) => body)))
  const everywhere = [...base!].filter((body) => ours!.has(body) && theirs!.has(body))
  const counts = rows.map(({ chunks }) => countEach(chunks.flatMap(({ body }) => linesOf(body))))
  return widen(rows, segments, (current) => {
    const lost = findLost(rows, current, everywhere)
    const lines = current.map(linesIn)
    const often = findRepeated(counts, lines)
    if (lost.size + often.size === 0) return []
    return current.map((segment, index) => [
      ...segment.ranges.flatMap((range, version) =>
        bodiesOf(rows[version]!, range).filter((body) => lost.has(body)),
      ),
      ...(isUntouched(rows, segment) ? [] : lines[index]!.filter((line) => often.has(line))),
    ])
  })
}

function findLost(
  rows: Rows,
  segments: readonly Segment[],
  everywhere: readonly string[],
): ReadonlySet<string> {
  const held = new Set(segments.flatMap((segment) => heldBy(rows, segment)))
  return new Set(everywhere.filter((body) => !held.has(body)))
}

function findRepeated(
  counts: readonly ReadonlyMap<string, number>[],
  lines: readonly (readonly string[])[],
): ReadonlySet<string> {
  const often = new Set<string>()
  for (const [line, count] of countEach(lines.flat())) {
    const [base, ours, theirs] = counts.map((inVersion) => inVersion.get(line) ?? 0) as [
      number,
      number,
      number,
    ]
    // A line of none was put together from words of both.
    const isKnown = base + ours + theirs > 0
    if (isKnown && count > Math.max(ours, theirs, ours + theirs - base)) often.add(line)
  }
  return often
}

/** Joins the segments between the first and the last that share a reason, until none gives a reason. */
function widen(
  rows: Rows,
  segments: readonly Segment[],
  reasonsOf: (segments: readonly Segment[]) => readonly (readonly string[])[],
): readonly Segment[] {
  let current = segments
  for (let growth = 0; ; growth++) {
    const last = new Map<string, number>()
    const reasons = byGroup(current, reasonsOf(current))
    // A group shares one list, which is looked at once: at its end here, at its beginning below.
    for (const [index, list] of reasons.entries()) {
      if (list !== reasons[index + 1]) for (const reason of list) last.set(reason, index)
    }
    if (last.size === 0) return current
    if (growth === growths) return [joinSegments(rows, current)]
    const wider: Segment[] = []
    for (let from = 0; from < current.length;) {
      let to = from
      for (let at = from; at <= to; at++) {
        if (at > from && reasons[at] === reasons[at - 1]) continue
        for (const reason of reasons[at]!) to = Math.max(to, last.get(reason)!)
      }
      const run = current.slice(from, to + 1)
      wider.push(reasons[from]!.length > 0 ? joinSegments(rows, run) : current[from]!)
      from = to + 1
    }
    current = wider
  }
}

/** What was inserted at one place is joined as a whole: its order is nobody's, and differs when sides are swapped. */
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

/** Bodies of the blocks that stand there whichever side a conflict is settled for. */
function heldBy(rows: Rows, { ranges, outcome }: Segment): readonly string[] {
  const [, inOurs, inTheirs] = ranges
  const [, ours, theirs] = rows
  if ('dispute' in outcome) {
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

function isUntouched(rows: Rows, { ranges }: Segment): boolean {
  const [base, ours, theirs] = ranges.map((range, version) => textOf(rows[version]!, range))
  return base === ours && base === theirs
}

/** Lines that stand there whichever side a conflict is settled for. */
function linesIn({ outcome }: Segment): readonly string[] {
  if ('dispute' in outcome) {
    const right = countEach(linesOf(outcome.dispute.theirs ?? ''))
    return linesOf(outcome.dispute.ours ?? '').filter((line) => {
      const left = right.get(line) ?? 0
      right.set(line, left - 1)
      return left > 0
    })
  }
  if ('text' in outcome) return linesOf(outcome.text ?? '')
  return [...linesOf(outcome.head), ...linesOfPlan(outcome.inner), ...linesOf(outcome.tail)]
}

function linesOfPlan({ segments }: BlockPlan): readonly string[] {
  return segments.flatMap(linesIn)
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
