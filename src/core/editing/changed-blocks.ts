/**
 * Block delta between two versions of a text: what an editor has to know after a save, without the whole document again.
 * Blocks that no splice touched keep their content and move; of a container that changed inside, only its children are
 * sent. So the delta is as large as the change, also when several people edited different places.
 */
import type { Span } from '../document/types.js'
import type { HashMemo } from './canonical.js'
import type { SourceBlock, SourceDocument, SourceFootnote } from './source-blocks.js'
import type { Splice } from './splice.js'

/**
 * Replaces `remove` blocks from `index` on by `blocks`, and moves all that follow in its row, and the ends of what is
 * around, by `shift`. A list of changes is applied in its order: `path` and `index` are positions after the changes before.
 */
export interface SourceChange {
  /** The positions of the containers around, from the outermost; empty for blocks of the page. */
  readonly path: readonly number[]
  readonly index: number
  readonly remove: number
  /** With the spans that they have in the new text. */
  readonly blocks: readonly SourceBlock[]
  readonly shift: number
}

/** What changed in a document; the footnotes are a row of blocks of the type `footnote`. */
export interface DocumentChange {
  readonly frontMatter?: Span
  readonly title?: NonNullable<SourceDocument['title']>
  readonly blocks: readonly SourceChange[]
  readonly footnotes: readonly SourceChange[]
}

/** Returns what changed between the document of a text and that of the text after `splices`. */
export function changedBlocks(
  before: SourceDocument,
  after: SourceDocument,
  splices: readonly Splice[],
): DocumentChange {
  const shifts = new Shifts(splices)
  const { frontMatter, title } = after
  return {
    ...(frontMatter && { frontMatter }),
    ...(title && { title }),
    blocks: changesOf(before.blocks, after.blocks, shifts),
    footnotes: changesOf(before.footnotes.map(asBlock), after.footnotes.map(asBlock), shifts),
  }
}

/** Gives blocks that an edit at most moved the hashes that they had in the document before it. */
export function carryHashes(
  before: SourceDocument,
  after: SourceDocument,
  splices: readonly Splice[],
  memo: HashMemo,
): void {
  for (const [i, j] of unchangedPairs(before.blocks, after.blocks, new Shifts(splices))) {
    const hash = memo.get(before.blocks[i]!)
    if (hash !== undefined) memo.set(after.blocks[j]!, hash)
  }
}

/** Returns the document after a change; blocks that only moved take their hashes along. */
export function applyChangedBlocks(
  document: SourceDocument,
  change: DocumentChange,
  memo: HashMemo = new WeakMap(),
): SourceDocument {
  const { frontMatter, title } = change
  const rows = new RowWriter(memo)
  return {
    ...(frontMatter && { frontMatter }),
    ...(title && { title }),
    blocks: rows.apply(document.blocks, change.blocks).blocks,
    footnotes: rows.apply(document.footnotes.map(asBlock), change.footnotes).blocks.map(asFootnote),
  }
}

function asBlock({ identifier, span, blocks }: SourceFootnote): SourceBlock {
  return { type: 'footnote', span, attributes: { identifier }, blocks }
}

function asFootnote({ attributes, span, blocks = [] }: SourceBlock): SourceFootnote {
  return { identifier: String(attributes['identifier']), span, blocks }
}

/* Comparison */

/** How far offsets move by splices. */
class Shifts {
  private index = 0
  private shift = 0

  constructor(private readonly splices: readonly Splice[]) {}

  /** The shift of what starts at an offset, behind all that is inserted there; offsets that ascend are read in one pass. */
  at(offset: number): number {
    const last = this.splices[this.index - 1]
    if (last !== undefined && last.end > offset) [this.index, this.shift] = [0, 0]
    for (let next = this.splices[this.index]; next && next.end <= offset; next = this.splices[++this.index])
      this.shift += next.text.length - (next.end - next.start)
    return this.shift
  }
}

function changesOf(
  before: readonly SourceBlock[],
  after: readonly SourceBlock[],
  shifts: Shifts,
): readonly SourceChange[] {
  const changes: SourceChange[] = []
  compareRows({ before, after, path: [], shift: 0, end: undefined }, shifts, changes)
  return changes
}

interface RowPair {
  readonly before: readonly SourceBlock[]
  readonly after: readonly SourceBlock[]
  readonly path: readonly number[]
  /** By how much the start of the container moves, and its end; a page has no end. */
  readonly shift: number
  readonly end: number | undefined
}

function compareRows(row: RowPair, shifts: Shifts, changes: SourceChange[]): void {
  const { before, after, path } = row
  const pairs = unchangedPairs(before, after, shifts)
  let { shift } = row
  let [i, j] = [0, 0]
  const change = (index: number, remove: number, blocks: readonly SourceBlock[], next: number): void => {
    if (remove > 0 || blocks.length > 0 || next !== shift)
      changes.push({ path, index, remove, blocks, shift: next - shift })
    shift = next
  }
  for (const [nextI, nextJ] of [...pairs, [before.length, after.length] as const]) {
    const [old, now] = [before[nextI], after[nextJ]]
    const next = old && now ? now.span.start - old.span.start : (row.end ?? shift)
    const { front, back } = pairedEnds(before.slice(i, nextI), after.slice(j, nextJ))
    const compareNext = (count: number): void => {
      for (let left = count; left > 0; left--, i++, j++) {
        const [one, other] = [before[i]!, after[j]!]
        const end = other.span.end - one.span.end
        if (isSameContainer(one, other)) {
          change(j, 0, [], other.span.start - one.span.start)
          const inner = { before: one.blocks!, after: other.blocks!, path: [...path, j], shift, end }
          compareRows(inner, shifts, changes)
          shift = end
        } else change(j, 1, [other], end)
      }
    }
    compareNext(front)
    const [oldEnd, newEnd] = [nextI - back, nextJ - back]
    if (i < oldEnd || j < newEnd) {
      const behind = back > 0 ? after[newEnd]!.span.start - before[oldEnd]!.span.start : next
      change(j, oldEnd - i, after.slice(j, newEnd), behind)
      ;[i, j] = [oldEnd, newEnd]
    }
    compareNext(back)
    if (old !== undefined || row.end !== undefined) change(nextJ, 0, [], next)
    ;[i, j] = [nextI + 1, nextJ + 1]
  }
}

/** How many blocks are compared one by one at the ends of what changed: all of equally many, else containers. */
function pairedEnds(
  before: readonly SourceBlock[],
  after: readonly SourceBlock[],
): { readonly front: number; readonly back: number } {
  const shortest = Math.min(before.length, after.length)
  if (before.length === after.length) return { front: shortest, back: 0 }
  let front = 0
  while (front < shortest && isSameContainer(before[front]!, after[front]!)) front++
  let back = 0
  while (back < shortest - front && isSameContainer(before.at(-1 - back)!, after.at(-1 - back)!)) back++
  return { front, back }
}

/** The positions of blocks that are in both rows, moved at most, in order. */
function unchangedPairs(
  before: readonly SourceBlock[],
  after: readonly SourceBlock[],
  shifts: Shifts,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let j = 0
  for (const [i, old] of before.entries()) {
    const shift = shifts.at(old.span.start)
    const start = old.span.start + shift
    while (j < after.length && after[j]!.span.start < start) j++
    // Empty cells start where the one before them ends.
    for (let at = j; after[at]?.span.start === start; at++) {
      if (!isMoved(old, after[at]!, shift)) continue
      pairs.push([i, at])
      j = at + 1
      break
    }
  }
  return pairs
}

function isSameContainer(before: SourceBlock, after: SourceBlock): boolean {
  if (!before.blocks || !after.blocks) return false
  return isMoved({ ...before, span: 0, blocks: 0 }, { ...after, span: 0, blocks: 0 }, 0)
}

/** Whether two values are equal, with spans that are `shift` further in the second. Most of a page is compared by it. */
function isMoved(before: unknown, after: unknown, shift: number): boolean {
  if (typeof before !== 'object' || before === null) return before === after
  if (typeof after !== 'object' || after === null) return false
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || before.length !== after.length) return false
    for (let at = 0; at < before.length; at++) if (!isMoved(before[at], after[at], shift)) return false
    return true
  }
  const [one, other] = [before, after] as [
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, unknown>>,
  ]
  let members = 0
  // Values of JSON, without inherited members.
  for (const name in one) {
    members++
    const isEqual =
      name === 'span' && typeof one[name] === 'object'
        ? isMovedSpan(one[name], other[name], shift)
        : isMoved(one[name], other[name], shift)
    if (!isEqual) return false
  }
  for (const _ in other) members--
  return members === 0
}

function isMovedSpan(before: unknown, after: unknown, shift: number): boolean {
  const [one, other] = [before, after] as [Span, Span | undefined]
  return other !== undefined && one.start + shift === other.start && one.end + shift === other.end
}

/* Application */

class RowWriter {
  constructor(private readonly memo: HashMemo) {}

  /** Applies changes to a row whose start has moved by `shift`; `depth` is the length of its path. */
  apply(
    blocks: readonly SourceBlock[],
    changes: readonly SourceChange[],
    shift = 0,
    depth = 0,
  ): { readonly blocks: SourceBlock[]; readonly shift: number } {
    const done: SourceBlock[] = []
    let next = 0
    const moveUpTo = (index: number): void => {
      while (done.length < index && next < blocks.length) done.push(this.moveSpans(blocks[next++]!, shift))
    }
    for (let at = 0; at < changes.length;) {
      const { path, index, remove, blocks: added, shift: more } = changes[at]!
      const position = path[depth]
      if (position === undefined) {
        moveUpTo(index)
        done.push(...added)
        next += remove
        shift += more
        at++
        continue
      }
      moveUpTo(position)
      const first = at
      while (at < changes.length && changes[at]!.path[depth] === position) at++
      const { span, blocks: inner = [], ...container } = blocks[next++]!
      const changed = this.apply(inner, changes.slice(first, at), shift, depth + 1)
      const moved = { start: span.start + shift, end: span.end + changed.shift }
      done.push({ ...container, span: moved, blocks: changed.blocks })
      shift = changed.shift
    }
    moveUpTo(Infinity)
    return { blocks: done, shift }
  }

  private moveSpans(block: SourceBlock, shift: number): SourceBlock {
    if (shift === 0) return block
    const span = { start: block.span.start + shift, end: block.span.end + shift }
    const moved = block.blocks
      ? { ...block, span, blocks: block.blocks.map((inner) => this.moveSpans(inner, shift)) }
      : { ...block, span }
    // The form that is hashed has no spans.
    const hash = this.memo.get(block)
    if (hash !== undefined) this.memo.set(moved, hash)
    return moved
  }
}
