/**
 * A plan of blocks written out: the questions are asked in the order in which they stand, and what stood
 * between two neighbours stands between them again.
 */
import { type Chunks, splitBlocks } from './chunks.js'
import { type MergedText, type Settlement, concatenate, dispute, plain, settle, shift } from './dispute.js'
import type { TextConflict } from './dispute.js'
import { type BlockPlan, type Outcome, type Segment, textOf } from './plan.js'

interface Around {
  readonly settlement: Settlement
  readonly lineEnding: string
}

type Three<Value> = readonly [base: Value, ours: Value, theirs: Value]
/** Where it stands in a `Three`. */
type Version = 0 | 1 | 2

/** An end of a piece that is shown: what stands there in each version. */
interface End {
  /** The chunk of each version; -1 where that version does not have the piece. */
  readonly at: Three<number>
  /** Whether the piece is shown as that version has it. */
  readonly isOf: Three<boolean>
  /** Kinds of the chunks that may be shown there. */
  readonly kinds: readonly string[]
}

/** Returns the text of the plan; a conflict shows what is settled. */
export function writePlan(plan: BlockPlan, around: Around): MergedText {
  const joined = new Joined(plan, around)
  for (const segment of plan.segments) {
    const merged = writeOutcome(segment.outcome, around)
    if (merged) joined.add(segment, merged)
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
  /** Undefined before the first piece. */
  private last: End | undefined

  constructor(
    private readonly plan: BlockPlan,
    private readonly around: Around,
  ) {}

  add(segment: Segment, merged: MergedText): void {
    if (merged.text !== '') {
      const [first, last] = this.endsOf(segment, merged.text)
      this.text += this.last ? this.between(this.last, first) : this.beforeFirst(first)
      this.last = last
    }
    for (const conflict of merged.conflicts) this.conflicts.push(shift(conflict, this.text.length))
    this.text += merged.text
  }

  finish(): MergedText {
    const { rows } = this.plan
    const ends = three((side) => rows[side].end)
    this.text += this.edge(ends, (side) => (this.last?.at[side] ?? -1) === rows[side].chunks.length - 1)
    return { text: this.text, conflicts: this.conflicts }
  }

  private endsOf({ ranges, outcome }: Segment, shown: string): readonly [first: End, last: End] {
    const { rows } = this.plan
    const isOf = three((side) => textOf(rows[side], ranges[side]) === shown)
    // An answer of somebody's own words may be of any kind.
    const isOwn = 'dispute' in outcome && !isOf.includes(true)
    const own = isOwn ? splitBlocks(shown).chunks.map(({ kind }) => kind) : []
    const end = (of: (range: Segment['ranges'][0]) => number, kind: string | undefined): End => {
      const at = three((side) => (ranges[side].from === ranges[side].to ? -1 : of(ranges[side])))
      const kinds = at.flatMap((index, side) => rows[side]!.chunks[index]?.kind ?? [])
      return { at, isOf, kinds: kind === undefined ? kinds : [...kinds, kind] }
    }
    return [end(({ from }) => from, own[0]), end(({ to }) => to - 1, own.at(-1))]
  }

  private beforeFirst(first: End): string {
    const { rows } = this.plan
    const starts = three((side) => rows[side].chunks[0]?.before ?? rows[side].end)
    return this.edge(starts, (side) => first.at[side] === 0)
  }

  /** What stands before all or behind all: as in the versions whose outermost chunk is shown there, if any is. */
  private edge(gaps: Three<string>, isShown: (side: Version) => boolean): string {
    return this.oneOf(three((side) => (isShown(side) ? gaps[side] : undefined))) ?? this.settleGap(...gaps)
  }

  private between(last: End, next: End): string {
    const gaps = three((side) => {
      const [after, at] = [last.at[side], next.at[side]]
      if (after < 0 || at !== after + 1) return undefined
      const gap = this.plan.rows[side].chunks[at]!.before
      return holdsBlankLine(gap) || showsAlike(last, side, next) ? gap : undefined
    })
    return this.oneOf(gaps) ?? this.newGap(last, next)
  }

  /** What the sides that tell have there. */
  private oneOf([base, ours, theirs]: Three<string | undefined>): string | undefined {
    if (ours !== undefined && theirs !== undefined) return this.settleGap(base, ours, theirs)
    return ours ?? theirs
  }

  private settleGap(base: string | undefined, ours: string, theirs: string): string {
    return settle(base, ours, theirs) ?? (this.around.settlement.prefer === 'ours' ? ours : theirs)
  }

  /** Between chunks that were never neighbours: as after the first or before the second, if that parts them. */
  private newGap(last: End, next: End): string {
    const { rows, blankLines } = this.plan
    const isItem = (kind: string) => kind.startsWith('item')
    const list = new Set([...last.kinds, ...next.kinds])
    const ofOneList = list.size === 1 && [...list].every(isItem)
    // Whatever stands before it in an item, an item within needs no blank line.
    const needsBlankLine = !ofOneList && (blankLines || !next.kinds.every(isItem))
    const parts = ({ chunks }: Chunks, index: number) => {
      if (index <= 0 || index >= chunks.length) return false
      if (ofOneList) return list.has(chunks[index]!.kind) && list.has(chunks[index - 1]!.kind)
      return holdsBlankLine(chunks[index]!.before)
    }
    for (const side of [1, 2, 0] as const) {
      const [after, before] = [last.at[side], next.at[side]]
      if (after >= 0 && parts(rows[side], after + 1)) return rows[side].chunks[after + 1]!.before
      if (parts(rows[side], before)) return rows[side].chunks[before]!.before
    }
    const { lineEnding } = this.around
    return needsBlankLine ? lineEnding + lineEnding : lineEnding
  }
}

/**
 * Whether what is shown at both ends is what this version has there, or of the one kind that all have: without a blank
 * line an item ends before another item, and not before a table.
 */
function showsAlike(last: End, side: Version, next: End): boolean {
  return [last, next].every(({ isOf, kinds }) => isOf[side] || new Set(kinds).size === 1)
}

/** Whether two lines end in it. */
function holdsBlankLine(gap: string): boolean {
  return gap.indexOf('\n') !== gap.lastIndexOf('\n')
}

function three<Value>(of: (side: Version) => Value): Three<Value> {
  return [of(0), of(1), of(2)]
}
