/**
 * A plan of blocks written out: the questions are asked in the order in which they stand, and what stood
 * between two neighbours stands between them again.
 */
import type { Chunks } from './chunks.js'
import { type MergedText, type Settlement, concatenate, dispute, plain, settle, shift } from './dispute.js'
import type { TextConflict } from './dispute.js'
import type { BlockPlan, Outcome, Segment } from './plan.js'

interface Around {
  readonly settlement: Settlement
  readonly lineEnding: string
}

type Three<Value> = readonly [base: Value, ours: Value, theirs: Value]

/** Returns the text of the plan; a conflict shows what is settled. */
export function writePlan(plan: BlockPlan, around: Around): MergedText {
  const joined = new Joined(plan, around)
  for (const { ranges, outcome } of plan.segments) {
    const merged = writeOutcome(outcome, around)
    if (merged) joined.add(ranges, merged)
  }
  return joined.finish()
}

function writeOutcome(outcome: Outcome, around: Around): MergedText | undefined {
  if ('dispute' in outcome) return dispute(outcome.dispute, around.settlement)
  if ('text' in outcome) return outcome.text === null ? undefined : plain(outcome.text)
  return concatenate([plain(outcome.head), writePlan(outcome.inner, around), plain(outcome.tail)])
}

class Joined {
  private text = ''
  private readonly conflicts: TextConflict[] = []
  /** The last chunk put down, in each version; -1 where that version does not have it, and before the first. */
  private last: Three<number> = [-1, -1, -1]
  private empty = true

  constructor(
    private readonly plan: BlockPlan,
    private readonly around: Around,
  ) {}

  add(ranges: Segment['ranges'], merged: MergedText): void {
    if (merged.text !== '') {
      const place = (at: (range: Segment['ranges'][0]) => number) =>
        ranges.map((range) => (range.from === range.to ? -1 : at(range))) as unknown as Three<number>
      this.text += this.between(place(({ from }) => from))
      this.last = place(({ to }) => to - 1)
      this.empty = false
    }
    for (const conflict of merged.conflicts) this.conflicts.push(shift(conflict, this.text.length))
    this.text += merged.text
  }

  finish(): MergedText {
    const place = this.plan.rows.map(({ chunks }) => chunks.length) as unknown as Three<number>
    this.text += this.between(place, true)
    return { text: this.text, conflicts: this.conflicts }
  }

  private between(place: Three<number>, atEnd = false): string {
    const gaps = this.plan.rows.map((version, side) => {
      const last = this.last[side]!
      const known = this.empty || last >= 0
      return known && place[side] === last + 1 ? gapBefore(version, place[side]!) : undefined
    })
    const [inBase, inOurs, inTheirs] = gaps as [string | undefined, string | undefined, string | undefined]
    if (inOurs !== undefined && inTheirs !== undefined) return this.settleGap(inBase, inOurs, inTheirs)
    return inOurs ?? inTheirs ?? this.newGap(place, atEnd)
  }

  private settleGap(base: string | undefined, ours: string, theirs: string): string {
    return settle(base, ours, theirs) ?? (this.around.settlement.prefer === 'ours' ? ours : theirs)
  }

  /** Between chunks that were never neighbours: as after the first or before the second, if that parts them. */
  private newGap(place: Three<number>, atEnd: boolean): string {
    const { rows, blankLines } = this.plan
    const [base, ours, theirs] = rows
    if (atEnd) return this.settleGap(base.end, ours.end, theirs.end)
    if (this.empty) {
      return this.settleGap(...(rows.map((version) => gapBefore(version, 0)) as [string, string, string]))
    }
    const items = this.joinsItems(place)
    for (const side of [1, 2, 0]) {
      const version = rows[side]!
      const [after, before] = [this.last[side]!, place[side]!]
      if (after >= 0 && this.parts(version, after + 1, items)) return version.chunks[after + 1]!.before
      if (before > 0 && this.parts(version, before, items)) return version.chunks[before]!.before
    }
    const { lineEnding } = this.around
    return blankLines && !items ? lineEnding + lineEnding : lineEnding
  }

  /** Whether the last chunk and the one to come are items of one list, in each version that has them: any may be shown. */
  private joinsItems(place: Three<number>): boolean {
    const kinds = [this.last, place].flatMap((places) =>
      places.flatMap((at, side) => (at < 0 ? [] : [this.plan.rows[side]!.chunks[at]?.kind ?? ''])),
    )
    return kinds.every((kind) => kind.startsWith('item') && kind === kinds[0])
  }

  /** Whether what stands before this chunk may stand between the last one and the one to come. */
  private parts({ chunks }: Chunks, index: number, items: boolean): boolean {
    const chunk = chunks[index]
    if (!chunk || index === 0) return false
    if (items) return chunk.kind.startsWith('item') && chunks[index - 1]!.kind === chunk.kind
    return chunk.before.split('\n').length > (this.plan.blankLines || chunk.kind === 'paragraph' ? 2 : 1)
  }
}

function gapBefore({ chunks, end }: Chunks, index: number): string {
  return chunks[index]?.before ?? end
}
