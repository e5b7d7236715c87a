/**
 * Changed blocks: what an editor has to know after a save, without the whole document again. Blocks before the change have
 * the spans that they had, and blocks behind it are moved.
 */
import type { SourceBlock } from './source-blocks.js'

/** Replaces `remove` blocks from `index` on by `blocks`, and moves the spans of all that follow by `shift`. */
export interface SourceChange {
  readonly index: number
  readonly remove: number
  readonly blocks: readonly SourceBlock[]
  readonly shift: number
}

/** Returns what changed between the blocks of a text and those of its next version, `shift` characters longer. */
export function changedBlocks(
  before: readonly SourceBlock[],
  after: readonly SourceBlock[],
  shift: number,
): SourceChange {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && isMoved(before[start]!, after[start]!, 0)) start++
  let end = 0
  while (
    end < shortest - start &&
    isMoved(before[before.length - 1 - end]!, after[after.length - 1 - end]!, shift)
  )
    end++
  return {
    index: start,
    remove: before.length - start - end,
    blocks: after.slice(start, after.length - end),
    shift,
  }
}

/** Returns the blocks after a change. */
export function applySourceChange(blocks: readonly SourceBlock[], change: SourceChange): SourceBlock[] {
  const behind = blocks.slice(change.index + change.remove)
  return [
    ...blocks.slice(0, change.index),
    ...change.blocks,
    ...behind.map((block) => moveSpans(block, change.shift)),
  ]
}

/** Whether two values are equal, with spans that are `shift` further in the second. */
function isMoved(before: unknown, after: unknown, shift: number): boolean {
  if (typeof before !== 'object' || before === null) return before === after
  if (typeof after !== 'object' || after === null) return false
  const [names, others] = [Object.keys(before), Object.keys(after)]
  if (names.length !== others.length) return false
  const [one, other] = [before, after] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  return names.every((name) =>
    name === 'span' ? isMovedSpan(one[name], other[name], shift) : isMoved(one[name], other[name], shift),
  )
}

function isMovedSpan(before: unknown, after: unknown, shift: number): boolean {
  const [one, other] = [before, after] as [SourceBlock['span'], SourceBlock['span'] | undefined]
  return other !== undefined && one.start + shift === other.start && one.end + shift === other.end
}

function moveSpans(block: SourceBlock, shift: number): SourceBlock {
  if (shift === 0) return block
  const span = { start: block.span.start + shift, end: block.span.end + shift }
  return block.blocks
    ? { ...block, span, blocks: block.blocks.map((inner) => moveSpans(inner, shift)) }
    : { ...block, span }
}
