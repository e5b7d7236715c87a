/**
 * Splices: an edit of a text as a list of replaced ranges, in UTF-16 offsets of the text before the edit.
 *
 * A list is ordered and its ranges do not overlap; they may touch, and are then applied in their order. Every function
 * returns the shortest form, in which no two splices touch and none is empty. All of them are linear.
 */

import type { Span } from '../document/types.js'

/** Replaces the half-open range from `start` to `end` by `text`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Why a splice cannot be applied; `index` is its position in the list. */
export interface SpliceFault {
  readonly index: number
  readonly message: string
}

/** Returns the first fault of splices from outside; undefined when they can be applied to the text. */
export function findSpliceFault(text: string, splices: readonly Splice[]): SpliceFault | undefined {
  let last = 0
  for (const [index, splice] of splices.entries()) {
    const message = faultOf(text, splice, last)
    if (message !== undefined) return { index, message }
    last = splice.end
  }
  return undefined
}

function faultOf(text: string, { start, end, text: replacement }: Splice, last: number): string | undefined {
  const isRange = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end
  if (!isRange || end > text.length)
    return `start and end must be a range of offsets from 0 to ${text.length}, the length of the text`
  if (start < last) return `start must be at least ${last}: splices are ordered and do not overlap`
  if (isInsidePair(text, start) || isInsidePair(text, end)) return 'start and end must not split a character'
  return /\p{Surrogate}/u.test(replacement) ? 'text must not contain half of a character' : undefined
}

/** Returns whether an offset is between the halves of a surrogate pair. */
function isInsidePair(text: string, offset: number): boolean {
  return text.codePointAt(offset - 1)! > 0xffff && offset > 0
}

/** Returns the text after the edit; throws a RangeError for splices with a fault in their ranges. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end, text: replacement } of splices) {
    if (start < done || end < start || end > text.length)
      throw new RangeError(`no splice of the text: ${start}`)
    parts.push(text.slice(done, start), replacement)
    done = end
  }
  parts.push(text.slice(done))
  return parts.join('')
}

/** Returns the same edit in its shortest form: touching splices are one, and empty ones are dropped. */
export function joinSplices(splices: readonly Splice[]): Splice[] {
  const builder = new SpliceBuilder()
  for (const splice of splices) builder.apply(splice)
  return builder.splices()
}

/** Returns the edit that undoes the splices of `text`. */
export function invertSplices(text: string, splices: readonly Splice[]): Splice[] {
  const builder = new SpliceBuilder()
  let done = 0
  for (const { start, end, text: replacement } of splices) {
    builder.retain(start - done)
    builder.remove(replacement.length)
    builder.insert(text.slice(start, end))
    done = end
  }
  return builder.splices()
}

/** Returns one edit with the effect of both; the offsets of `second` are those of the text after `first`. */
export function composeSplices(first: readonly Splice[], second: readonly Splice[]): Splice[] {
  const builder = new SpliceBuilder()
  const between = new EditedText(first, builder)
  let done = 0
  for (const { start, end, text } of second) {
    between.retain(start - done)
    between.remove(end - start)
    builder.insert(text)
    done = end
  }
  between.retainRest()
  return builder.splices()
}

/** Returns one edit with the effect of all, each in offsets of the text after the one before. */
export function composeAll(edits: readonly (readonly Splice[])[]): readonly Splice[] {
  let left = edits
  // In pairs: one after the other, the first splices would be copied for each edit.
  while (left.length > 1) {
    const pairs: (readonly Splice[])[] = []
    for (let at = 0; at < left.length; at += 2) {
      const second = left[at + 1]
      pairs.push(second === undefined ? left[at]! : composeSplices(left[at]!, second))
    }
    left = pairs
  }
  return left[0] ?? []
}

/** Returns where a span is after the edit: with what is inserted inside of it, without what is inserted at its ends. */
export function moveSpan(splices: readonly Splice[], { start, end }: Span): Span {
  return { start: moveOffset(splices, start, 'after'), end: moveOffset(splices, end, 'before') }
}

/** Returns where an offset is after the edit, after or before a text that is inserted there. */
function moveOffset(splices: readonly Splice[], offset: number, side: 'after' | 'before'): number {
  let shift = 0
  for (const { start, end, text } of splices) {
    if (start > offset || (start === offset && (side === 'before' || end > offset))) break
    if (end > offset) return start + shift + (side === 'after' ? text.length : 0)
    shift += text.length - (end - start)
  }
  return offset + shift
}

/** Builds splices in their shortest form, from the start of the text to its end. */
export class SpliceBuilder {
  private readonly done: Splice[] = []
  private start = 0
  private end = 0
  private texts: string[] = []

  /** How far the text is read. */
  get offset(): number {
    return this.end
  }

  /** Leaves the next `length` characters of the text as they are. */
  retain(length: number): void {
    if (length === 0) return
    this.close()
    this.end += length
    this.start = this.end
  }

  remove(length: number): void {
    this.end += length
  }

  insert(text: string): void {
    if (text !== '') this.texts.push(text)
  }

  /** Adds a splice that starts no earlier than the last one ended. */
  apply({ start, end, text }: Splice): void {
    this.retain(start - this.end)
    this.remove(end - start)
    this.insert(text)
  }

  splices(): Splice[] {
    this.close()
    return this.done
  }

  private close(): void {
    const { start, end, texts } = this
    if (end > start || texts.length > 0) this.done.push({ start, end, text: texts.join('') })
    this.start = end
    this.texts = []
  }
}

/** The text after an edit, read from its start to its end, each part being passed on as what it does to the original. */
class EditedText {
  private next = 0
  /** How far the original is read, and what is left of the replacement that is being read. */
  private offset = 0
  private replacement = ''

  constructor(
    private readonly splices: readonly Splice[],
    private readonly builder: SpliceBuilder,
  ) {}

  retain(length: number): void {
    this.read(
      length,
      (count) => this.builder.retain(count),
      (text) => this.builder.insert(text),
    )
  }

  remove(length: number): void {
    this.read(
      length,
      (count) => this.builder.remove(count),
      () => {},
    )
  }

  retainRest(): void {
    this.builder.insert(this.replacement)
    for (const { start, end, text } of this.splices.slice(this.next)) {
      this.builder.retain(start - this.offset)
      this.builder.remove(end - start)
      this.builder.insert(text)
      this.offset = end
    }
  }

  private read(length: number, onOriginal: (count: number) => void, onText: (text: string) => void): void {
    for (let left = length; left > 0;) {
      if (this.replacement !== '') {
        const part = this.replacement.slice(0, left)
        this.replacement = this.replacement.slice(part.length)
        onText(part)
        left -= part.length
        continue
      }
      const splice = this.splices[this.next]
      const count = Math.min(left, splice === undefined ? left : splice.start - this.offset)
      onOriginal(count)
      this.offset += count
      left -= count
      if (splice === undefined || this.offset < splice.start) continue
      this.builder.remove(splice.end - splice.start)
      this.offset = splice.end
      this.replacement = splice.text
      this.next++
    }
  }
}
