/**
 * Rebase of splices (operational transformation): an edit of a text, restated for the text after another edit.
 *
 * Two edits of one text merge as follows, whichever is rebased over the other:
 * - A character is left out when one of them removes it. Text goes where its splice starts; at one place insertions come
 *   before replacements, and at equal ones the text of the edit that came first.
 * - Text inserted into a range that the other deletes survives, with the break and the prefix (list marker, quote marks,
 *   indentation) of its line: it remains a line of its own, in its list, and joins no neighbour.
 * - Insertions and deletions of whole lines may be written with the break before or the break after. Where the two edits
 *   meet, the form is chosen in which they do not overlap.
 * - The same replacement in both is made once. Different replacements of one range, and text inserted into a range that
 *   the other replaces, are a conflict: it is reported, and both texts are in the result.
 *
 * Linear. Edits that do not meet only move.
 */
import type { Span } from '../document/types.js'
import { findLine, isBlankLine, lineStartsOf, prefixLength } from './lines.js'
import { type Splice, SpliceBuilder, joinSplices } from './splice.js'

/** Two splices that replace the same characters, in offsets of the text before both edits. */
export interface SpliceConflict {
  readonly ours: Splice
  readonly theirs: Splice
}

export interface RebasedSplices {
  /** In offsets of the text after the other edit. */
  readonly splices: readonly Splice[]
  readonly conflicts: readonly SpliceConflict[]
}

/**
 * Returns `splices` of `text`, restated for the text after `over`. `order` says whether they came after or before those:
 * the text of what came first is first where both insert at one place.
 */
export function rebaseSplices(
  text: string,
  splices: readonly Splice[],
  over: readonly Splice[],
  order: 'after' | 'before' = 'after',
): RebasedSplices {
  const [ours, theirs] = [joinSplices(splices), joinSplices(over)]
  const [first, second] = order === 'after' ? [theirs, ours] : [ours, theirs]
  separateLineEdits(text, first, second)
  const { spans, conflicts } = compareEdits(text, first, second)
  return {
    splices: restate(text, { ours, theirs, order }, spans),
    conflicts: conflicts.map(([a, b]) =>
      order === 'after' ? { ours: b, theirs: a } : { ours: a, theirs: b },
    ),
  }
}

/** Calls `visit` with the positions of each two splices that overlap or touch. */
function visitMeetings(
  a: readonly Splice[],
  b: readonly Splice[],
  visit: (i: number, j: number) => void,
): void {
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i]!.end < b[j]!.start) i++
    else if (b[j]!.end < a[i]!.start) j++
    else {
      visit(i, j)
      const isFirst = a[i]!.end <= b[j]!.end
      if (a[i]!.end >= b[j]!.end) j++
      if (isFirst) i++
    }
  }
}

const isDeletion = ({ text }: Splice): boolean => text === ''
const isInsertion = ({ start, end }: Splice): boolean => start === end

function isOverlap(one: Splice, other: Splice): boolean {
  return one.start < other.end && other.start < one.end
}

/* Whole lines */

/** Rewrites insertions and deletions of whole lines in place, so that they do not overlap where they need not. */
function separateLineEdits(text: string, a: Splice[], b: Splice[]): void {
  visitMeetings(a, b, (i, j) => {
    if (!isOverlap(a[i]!, b[j]!)) return
    const [one, other] = [new LineEdit(text, a, i), new LineEdit(text, b, j)]
    if (isInsertion(a[i]!)) one.moveOutOf(b[j]!)
    else if (isInsertion(b[j]!)) other.moveOutOf(a[i]!)
    else if (isDeletion(a[i]!) && isDeletion(b[j]!)) {
      one.moveRight()
      other.moveRight()
      // At the end of a text there is no break to move over.
      if (one.beginsWithBreak() !== other.beginsWithBreak()) {
        one.moveLeft()
        other.moveLeft()
      }
    }
  })
}

/** A splice of a list that is rewritten without changing what it does: `\nitem` before a break is `item\n` behind it. */
class LineEdit {
  constructor(
    private readonly text: string,
    private readonly list: Splice[],
    private readonly index: number,
  ) {}

  beginsWithBreak(): boolean {
    const { start, end } = this.list[this.index]!
    return start < end && breakAt(this.text, start) > 0
  }

  /** Moves an insertion to an edge of the other splice; leaves it where that cannot be. */
  moveOutOf({ start, end, text }: Splice): void {
    if (text !== '') return
    const before = this.list[this.index]!
    while (this.list[this.index]!.start > start && this.stepLeft());
    if (this.list[this.index]!.start <= start) return
    this.list[this.index] = before
    while (this.list[this.index]!.start < end && this.stepRight());
    if (this.list[this.index]!.start < end) this.list[this.index] = before
  }

  moveRight(): void {
    while (this.stepRight());
  }

  moveLeft(): void {
    while (this.stepLeft());
  }

  private stepRight(): boolean {
    const { start, end, text } = this.list[this.index]!
    const length = breakAt(this.text, end)
    const next = this.list[this.index + 1]
    if (length === 0 || (next && next.start < end + length)) return false
    const lineBreak = this.text.slice(end, end + length)
    const moved = { start: start + length, end: end + length }
    if (start < end) {
      if (text !== '' || breakAt(this.text, start) !== length) return false
      this.list[this.index] = { ...moved, text }
    } else {
      if (!text.startsWith(lineBreak)) return false
      this.list[this.index] = { ...moved, text: text.slice(length) + lineBreak }
    }
    return true
  }

  private stepLeft(): boolean {
    const { start, end, text } = this.list[this.index]!
    const length = breakBefore(this.text, start)
    const last = this.list[this.index - 1]
    if (length === 0 || (last && last.end > start - length)) return false
    const lineBreak = this.text.slice(start - length, start)
    const moved = { start: start - length, end: end - length }
    if (start < end) {
      if (text !== '' || end - length < start || breakBefore(this.text, end) !== length) return false
      this.list[this.index] = { ...moved, text }
    } else {
      if (!text.endsWith(lineBreak)) return false
      this.list[this.index] = { ...moved, text: lineBreak + text.slice(0, -length) }
    }
    return true
  }
}

/** The length of the line break that starts at an offset; 0 when none does. */
function breakAt(text: string, offset: number): number {
  if (text[offset] === '\n') return text[offset - 1] === '\r' ? 0 : 1
  return text[offset] === '\r' && text[offset + 1] === '\n' ? 2 : 0
}

/** The length of the line break that ends at an offset; 0 when none does. */
function breakBefore(text: string, offset: number): number {
  if (offset === 0 || text[offset - 1] !== '\n') return 0
  return text[offset - 2] === '\r' ? 2 : 1
}

/* What both edits do to the same characters */

interface Comparison {
  /** Characters that a deletion leaves for the sake of text in it, in order. */
  readonly spans: readonly Span[]
  readonly conflicts: readonly (readonly [Splice, Splice])[]
}

function compareEdits(text: string, a: readonly Splice[], b: readonly Splice[]): Comparison {
  const lines = new DeletedLines(text)
  const conflicts: (readonly [Splice, Splice])[] = []
  visitMeetings(a, b, (i, j) => {
    const [one, other] = [a[i]!, b[j]!]
    if (isDeletion(one)) lines.restoreAround(other, one)
    else if (isDeletion(other)) lines.restoreAround(one, other)
    else if (isOverlap(one, other) && !isSame(one, other)) conflicts.push([one, other])
  })
  return { spans: lines.spans(), conflicts }
}

function isSame(one: Splice, other: Splice): boolean {
  return one.start === other.start && one.end === other.end && one.text === other.text
}

/** How far the lines of a deletion are read, and the line with the marker of the item that the last one is in. */
interface ItemScan {
  next: number
  item: number
  isAfterBlank: boolean
}

/** The parts of deleted lines that remain around text that was written in them. */
class DeletedLines {
  private readonly found: Span[] = []
  private starts: readonly number[] | undefined
  private readonly scans = new Map<Splice, ItemScan>()
  private lastLine = -1
  private lastPrefix = 0

  constructor(private readonly text: string) {}

  spans(): readonly Span[] {
    return this.found.toSorted((a, b) => a.start - b.start || a.end - b.end)
  }

  restoreAround(written: Splice, deletion: Splice): void {
    if (written.text.trim() === '' || !this.isWithin(written, deletion)) return
    this.starts ??= lineStartsOf(this.text)
    const { text, starts } = this
    const line = findLine(starts, written.start)
    const first = this.firstLineOf(line, deletion, starts)
    const start = starts[first]!
    const isNew = line !== this.lastLine
    if (isNew) this.lastPrefix = prefixLength(text, start)
    this.lastLine = line
    this.add(Math.max(start, deletion.start), Math.min(start + this.lastPrefix, written.start))
    if (!isNew) return
    const beginsLine = deletion.start === 0 || breakBefore(text, deletion.start) > 0
    if (start > deletion.start && !beginsLine) {
      let before = first - 1
      while (starts[before]! > deletion.start && isBlankLine(text, starts, before)) before--
      this.add(Math.max(contentEnd(text, starts, before), deletion.start), start)
    }
    const endsLine = deletion.end === text.length || breakAt(text, deletion.end) > 0
    if ((endsLine && !beginsLine) || (starts[line + 1] ?? Infinity) > deletion.end) return
    let next = line + 1
    while ((starts[next + 1] ?? Infinity) <= deletion.end && isBlankLine(text, starts, next)) next++
    this.add(contentEnd(text, starts, line), Math.min(starts[next]!, deletion.end))
  }

  /** The line with the marker of the list item that a line of the deletion is in, if that is deleted too; else the line. */
  private firstLineOf(line: number, deletion: Splice, starts: readonly number[]): number {
    const { text } = this
    let scan = this.scans.get(deletion)
    if (scan === undefined) {
      const first = findLine(starts, deletion.start)
      scan = { next: starts[first]! < deletion.start ? first + 1 : first, item: -1, isAfterBlank: false }
      this.scans.set(deletion, scan)
    }
    for (; scan.next <= line; scan.next++) {
      const start = starts[scan.next]!
      const prefix = text.slice(start, start + prefixLength(text, start))
      if (isBlankLine(text, starts, scan.next)) scan.isAfterBlank = true
      else if (/[-*+.)]/.test(prefix)) Object.assign(scan, { item: scan.next, isAfterBlank: false })
      // Text without indentation is behind the item, unless it continues its paragraph.
      else if (scan.isAfterBlank && !/[ \t]$/.test(prefix)) scan.item = -1
    }
    return scan.next === line + 1 && scan.item >= 0 ? scan.item : line
  }

  /** Whether the text is in a deleted line: at an edge, unless it is a line beside the deleted ones. */
  private isWithin({ start, end, text: written }: Splice, deletion: Splice): boolean {
    if (start > deletion.start && start < deletion.end) return true
    if (start < end) return start === deletion.start && start < deletion.end
    if (deletion.start === deletion.end) return false
    if (start === deletion.start)
      return (start === 0 || breakBefore(this.text, start) > 0) && !written.endsWith('\n')
    const isAtLineEnd = start === this.text.length || breakAt(this.text, start) > 0
    return start === deletion.end && isAtLineEnd && !/^[ \t]*\r?\n/.test(written)
  }

  private add(start: number, end: number): void {
    if (end > start) this.found.push({ start, end })
  }
}

function contentEnd(text: string, starts: readonly number[], line: number): number {
  const next = starts[line + 1]
  return next === undefined ? text.length : next - breakBefore(text, next)
}

/* The result */

interface Edits {
  readonly ours: readonly Splice[]
  readonly theirs: readonly Splice[]
  readonly order: 'after' | 'before'
}

/** Walks both edits along the text before them, and writes our part for the text after theirs. */
function restate(text: string, { ours, theirs, order }: Edits, restored: readonly Span[]): Splice[] {
  const builder = new SpliceBuilder()
  const [own, other] = [new EditCursor(ours), new EditCursor(theirs)]
  const sides = order === 'after' ? [other, own] : [own, other]
  const write = (side: EditCursor, splice: Splice | undefined): void => {
    if (splice === undefined) return
    if (side === own) builder.insert(splice.text)
    else builder.retain(splice.text.length)
  }
  let passed = 0
  for (let at = 0; ;) {
    for (const side of sides)
      for (let one = side.insertionAt(at); one; one = side.insertionAt(at)) write(side, one)
    const starts = sides.map((side) => side.replacementAt(at))
    const isOnce = starts[0] && starts[1] && isSame(starts[0], starts[1])
    if (isOnce) write(other, starts[0])
    else for (const [index, side] of sides.entries()) write(side, starts[index])
    if (at === text.length) return builder.splices()
    while (passed < restored.length && restored[passed]!.end <= at) passed++
    const span = restored[passed]
    const isRestored = span !== undefined && span.start <= at
    const next = Math.min(
      own.nextEdge(at),
      other.nextEdge(at),
      span === undefined ? text.length : isRestored ? span.end : span.start,
      text.length,
    )
    const [isOurs, isTheirs] = [own.removes(at), other.removes(at)]
    const isLeft = (!isOurs && !isTheirs) || (isRestored && isOurs !== isTheirs)
    if (isTheirs) builder.insert(isLeft ? text.slice(at, next) : '')
    else if (isLeft) builder.retain(next - at)
    else builder.remove(next - at)
    at = next
  }
}

/** Reads a list of splices along the offsets of the text before them. */
class EditCursor {
  private index = 0
  private range: Splice | undefined

  constructor(private readonly splices: readonly Splice[]) {}

  insertionAt(at: number): Splice | undefined {
    const splice = this.splices[this.index]
    if (splice?.start !== at || !isInsertion(splice)) return undefined
    this.index++
    return splice
  }

  /** The replacement that starts at an offset; its range is then removed. */
  replacementAt(at: number): Splice | undefined {
    const splice = this.splices[this.index]
    if (splice?.start !== at) return undefined
    this.index++
    this.range = splice
    return splice
  }

  removes(at: number): boolean {
    return this.range !== undefined && at < this.range.end
  }

  nextEdge(at: number): number {
    const next = this.splices[this.index]?.start ?? Infinity
    return this.range !== undefined && at < this.range.end ? Math.min(next, this.range.end) : next
  }
}
