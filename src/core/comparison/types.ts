/**
 * A compared document: one document with the blocks of two versions in reading order, and marks that say which of them
 * were added, removed, edited or moved. Without what is marked as removed it has the words of the later version; without
 * what is marked as added those of the earlier one.
 */
import type { Block, Code, Document, TableCell } from '../document/types.js'
import type { DiffPart, TokenRun } from '../merge/diff-words.js'

export type Side = 'before' | 'after'

/** `id` is that of the change in the list; absent inside a block that is marked as a whole. */
export type ComparisonMark =
  | { readonly change: 'added' | 'removed' | 'edited'; readonly id?: string }
  /** A block at its new place, and again at its old one; `place` is the nearest heading at the other place. */
  | { readonly change: 'moved' | 'moved-away'; readonly id: string; readonly place?: string }
  /** Both versions of something that has no parts to compare: a picture, a formula, a typed cell. */
  | { readonly change: 'replaced'; readonly id?: string; readonly before: Block | TableCell }

export interface DocumentChange {
  /** Of the element with this `data-change` in the rendered comparison. */
  readonly id: string
  readonly type: 'added' | 'removed' | 'edited' | 'moved'
  /** The type of the block. */
  readonly block: string
  /** Keys of the block in the two documents. */
  readonly key: { readonly before?: string; readonly after?: string }
  /** The text in reading order; empty where only settings differ. */
  readonly words: readonly DiffPart[]
}

/** The lines of a code block in reading order, and the block whose lines are marked as removed. */
export interface ComparedCode {
  readonly before: Code
  readonly lines: readonly TokenRun<string>[]
}

export interface ComparedDocument {
  readonly document: Document
  /** Of blocks, parts of blocks, cells and inlines, by identity. */
  readonly marks: ReadonlyMap<object, ComparisonMark>
  readonly codes: ReadonlyMap<Code, ComparedCode>
  /** Keys of blocks of the document that are in the later version. */
  readonly keys: ReadonlyMap<object, string>
  readonly changes: readonly DocumentChange[]
  /** True when changes are missing in the list, though not in the document. */
  readonly hasMore: boolean
}
