/**
 * Changed blocks: what an editor has to know after a save, without the whole document again. Blocks before the change have
 * the spans that they had, and blocks behind it are moved; of a container that changed inside, only its children are sent.
 */
import type { SourceBlock } from './source-blocks.js'

/**
 * Replaces `remove` blocks from `index` on by `blocks`, and moves all that follow, and the ends of what is around, by
 * `shift`.
 */
export interface SourceChange {
  /** The positions of the containers around, from the outermost; empty for blocks of the page. */
  readonly path: readonly number[]
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
  const path: number[] = []
  for (let [olds, news] = [before, after]; ;) {
    const { index, remove, add } = commonEnds(olds, news, shift)
    const [one, other] = [olds[index], news[index]]
    if (remove !== 1 || add !== 1 || !isSameContainer(one!, other!, shift))
      return { path, index, remove, blocks: news.slice(index, index + add), shift }
    path.push(index)
    ;[olds, news] = [one!.blocks!, other!.blocks!]
  }
}

/** The first block that differs, and how many do on either side. */
function commonEnds(
  before: readonly SourceBlock[],
  after: readonly SourceBlock[],
  shift: number,
): { readonly index: number; readonly remove: number; readonly add: number } {
  const shortest = Math.min(before.length, after.length)
  let index = 0
  while (index < shortest && isMoved(before[index]!, after[index]!, 0)) index++
  let end = 0
  while (end < shortest - index && isMoved(before.at(-1 - end)!, after.at(-1 - end)!, shift)) end++
  return { index, remove: before.length - index - end, add: after.length - index - end }
}

function isSameContainer(before: SourceBlock, after: SourceBlock, shift: number): boolean {
  if (!before.blocks || !after.blocks || before.span.start !== after.span.start) return false
  if (before.span.end + shift !== after.span.end) return false
  return isMoved({ ...before, span: 0, blocks: 0 }, { ...after, span: 0, blocks: 0 }, 0)
}

/** Returns the blocks after a change. */
export function applySourceChange(blocks: readonly SourceBlock[], change: SourceChange): SourceBlock[] {
  const { index, remove, blocks: added, shift } = change
  const [outer, ...path] = change.path
  const moved = (from: number) => blocks.slice(from).map((block) => moveSpans(block, shift))
  if (outer === undefined) return [...blocks.slice(0, index), ...added, ...moved(index + remove)]
  const { span, blocks: inner = [], ...container } = blocks[outer]!
  const changed = applySourceChange(inner, { ...change, path })
  return [
    ...blocks.slice(0, outer),
    { ...container, span: { start: span.start, end: span.end + shift }, blocks: changed },
    ...moved(outer + 1),
  ]
}

/** Whether two values are equal, with spans that are `shift` further in the second. */
function isMoved(before: unknown, after: unknown, shift: number): boolean {
  if (typeof before !== 'object' || before === null) return before === after
  if (typeof after !== 'object' || after === null) return false
  const [names, others] = [Object.keys(before), Object.keys(after)]
  if (names.length !== others.length) return false
  const [one, other] = [before, after] as [
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, unknown>>,
  ]
  return names.every((name) =>
    name === 'span' && typeof one[name] === 'object'
      ? isMovedSpan(one[name], other[name], shift)
      : isMoved(one[name], other[name], shift),
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
