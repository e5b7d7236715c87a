/**
 * Renders a block plan as text: conflicts are resolved in document order, and the blank space between two
 * neighbours is that of the versions in which they are neighbours.
 */
import { type Chunks, splitBlocks } from './chunks.js'
import {
  type MergedText,
  type ConflictPolicy,
  concatenate,
  resolveConflict,
  withoutConflicts,
  mergeTrivially,
  shiftConflict,
} from './merged-text.js'
import type { TextConflict } from './merged-text.js'
import { type BlockPlan, type Outcome, type Segment, textOf } from './block-plan.js'

interface RenderContext {
  readonly policy: ConflictPolicy
  readonly lineEnding: string
}

type ThreeVersions<Value> = readonly [base: Value, ours: Value, theirs: Value]
/** Index into `ThreeVersions`. */
type VersionIndex = 0 | 1 | 2

/** First or last chunk of a rendered segment, in each version. */
interface SegmentEdge {
  /** The chunk's index in each version; -1 where that version does not have the segment. */
  readonly at: ThreeVersions<number>
  /** Whether the rendered text is that version's, byte for byte. */
  readonly isVerbatim: ThreeVersions<boolean>
  /** Kinds of the chunks that may be rendered at this end. */
  readonly kinds: readonly string[]
}

/** Returns the text of the plan; a conflict is rendered by the policy. */
export function renderPlan(plan: BlockPlan, context: RenderContext): MergedText {
  const renderer = new PlanRenderer(plan, context)
  for (const segment of plan.segments) {
    const merged = renderOutcome(segment.outcome, context)
    if (merged) renderer.add(segment, merged)
  }
  return renderer.finish()
}

function renderOutcome(outcome: Outcome, context: RenderContext): MergedText | undefined {
  if ('conflict' in outcome) return resolveConflict(outcome.conflict, context.policy)
  if ('text' in outcome) return outcome.text === null ? undefined : withoutConflicts(outcome.text)
  return concatenate([
    withoutConflicts(outcome.head),
    renderPlan(outcome.inner, context),
    withoutConflicts(outcome.tail),
  ])
}

class PlanRenderer {
  private text = ''
  private readonly conflicts: TextConflict[] = []
  /** Undefined before the first segment. */
  private last: SegmentEdge | undefined

  constructor(
    private readonly plan: BlockPlan,
    private readonly context: RenderContext,
  ) {}

  add(segment: Segment, merged: MergedText): void {
    if (merged.text !== '') {
      const [first, last] = this.edgesOf(segment, merged.text)
      this.text += this.last ? this.gapBetween(this.last, first) : this.leadingGap(first)
      this.last = last
    }
    for (const conflict of merged.conflicts) this.conflicts.push(shiftConflict(conflict, this.text.length))
    this.text += merged.text
  }

  finish(): MergedText {
    const { inputs } = this.plan
    const ends = mapVersions((side) => inputs[side].end)
    this.text += this.outerGap(ends, (side) => (this.last?.at[side] ?? -1) === inputs[side].chunks.length - 1)
    return { text: this.text, conflicts: this.conflicts }
  }

  private edgesOf(
    { ranges, outcome }: Segment,
    text: string,
  ): readonly [first: SegmentEdge, last: SegmentEdge] {
    const { inputs } = this.plan
    const isVerbatim = mapVersions((side) => textOf(inputs[side], ranges[side]) === text)
    // A conflict resolved with custom text may be of any kind.
    const isCustom = 'conflict' in outcome && !isVerbatim.includes(true)
    const customKinds = isCustom ? splitBlocks(text).chunks.map(({ kind }) => kind) : []
    const end = (of: (range: Segment['ranges'][0]) => number, kind: string | undefined): SegmentEdge => {
      const at = mapVersions((side) => (ranges[side].from === ranges[side].to ? -1 : of(ranges[side])))
      const kinds = at.flatMap((index, side) => inputs[side]!.chunks[index]?.kind ?? [])
      return { at, isVerbatim, kinds: kind === undefined ? kinds : [...kinds, kind] }
    }
    return [end(({ from }) => from, customKinds[0]), end(({ to }) => to - 1, customKinds.at(-1))]
  }

  private leadingGap(first: SegmentEdge): string {
    const { inputs } = this.plan
    const starts = mapVersions((side) => inputs[side].chunks[0]?.before ?? inputs[side].end)
    return this.outerGap(starts, (side) => first.at[side] === 0)
  }

  /** The space before the first or after the last chunk: of the versions whose outermost chunk is rendered there, if any. */
  private outerGap(gaps: ThreeVersions<string>, isShown: (side: VersionIndex) => boolean): string {
    return (
      this.pickGap(mapVersions((side) => (isShown(side) ? gaps[side] : undefined))) ?? this.mergeGap(...gaps)
    )
  }

  private gapBetween(last: SegmentEdge, next: SegmentEdge): string {
    const gaps = mapVersions((side) => {
      const [after, at] = [last.at[side], next.at[side]]
      if (after < 0 || at !== after + 1) return undefined
      const gap = this.plan.inputs[side].chunks[at]!.before
      return hasBlankLine(gap) || canReuseGap(last, side, next) ? gap : undefined
    })
    return this.pickGap(gaps) ?? this.newGap(last, next)
  }

  /** The gap of the sides that have one. */
  private pickGap([base, ours, theirs]: ThreeVersions<string | undefined>): string | undefined {
    if (ours !== undefined && theirs !== undefined) return this.mergeGap(base, ours, theirs)
    return ours ?? theirs
  }

  private mergeGap(base: string | undefined, ours: string, theirs: string): string {
    return mergeTrivially(base, ours, theirs) ?? (this.context.policy.prefer === 'ours' ? ours : theirs)
  }

  /** Between chunks that were never neighbours: the gap after the first or before the second, if it separates them. */
  private newGap(last: SegmentEdge, next: SegmentEdge): string {
    const { inputs, blankLines } = this.plan
    const isItem = (kind: string) => kind.startsWith('item')
    const list = new Set([...last.kinds, ...next.kinds])
    const isOneList = list.size === 1 && [...list].every(isItem)
    // A nested list item needs no blank line, whatever precedes it in the outer item.
    const needsBlankLine = !isOneList && (blankLines || !next.kinds.every(isItem))
    const parts = ({ chunks }: Chunks, index: number) => {
      if (index <= 0 || index >= chunks.length) return false
      if (isOneList) return list.has(chunks[index]!.kind) && list.has(chunks[index - 1]!.kind)
      return hasBlankLine(chunks[index]!.before)
    }
    for (const side of [1, 2, 0] as const) {
      const [after, before] = [last.at[side], next.at[side]]
      if (after >= 0 && parts(inputs[side], after + 1)) return inputs[side].chunks[after + 1]!.before
      if (parts(inputs[side], before)) return inputs[side].chunks[before]!.before
    }
    const { lineEnding } = this.context
    return needsBlankLine ? lineEnding + lineEnding : lineEnding
  }
}

/**
 * Whether both ends are this version's chunks, or of the one kind that all versions have: without a blank
 * line an item ends before another item, and not before a table.
 */
function canReuseGap(last: SegmentEdge, side: VersionIndex, next: SegmentEdge): boolean {
  return [last, next].every(({ isVerbatim, kinds }) => isVerbatim[side] || new Set(kinds).size === 1)
}

/** Whether it contains two line endings. */
function hasBlankLine(gap: string): boolean {
  return gap.indexOf('\n') !== gap.lastIndexOf('\n')
}

function mapVersions<Value>(of: (side: VersionIndex) => Value): ThreeVersions<Value> {
  return [of(0), of(1), of(2)]
}
