/**
 * A merged text as it grows: characters, and the places where two sides could not be reconciled.
 */
import type { Span } from '../document/types.js'

export type Side = 'ours' | 'theirs'

/** Three versions of a piece of text; null where a version does not have it. */
export interface Versions {
  readonly base: string | null
  readonly ours: string | null
  readonly theirs: string | null
}

/** A block, or a key of a mapping, that two sides changed. */
export interface TextConflict extends Versions {
  /** Where the shown version stands in the merged text; empty when that side deleted it. */
  readonly span: Span
}

export interface MergedText {
  readonly text: string
  readonly conflicts: readonly TextConflict[]
}

/** What a text shows where its two sides conflict. */
export interface Settlement {
  readonly prefer: Side
  /** A decision already made: the text to stand there, null for none, undefined when nobody decided. */
  readonly choose?: (versions: Versions) => string | null | undefined
}

/** The decided text, or else the preferred side's version and the conflict. */
export function dispute(versions: Versions, { prefer, choose }: Settlement): MergedText {
  const chosen = choose?.(versions)
  if (chosen !== undefined) return plain(chosen ?? '')
  const text = versions[prefer] ?? ''
  return { text, conflicts: [{ ...versions, span: { start: 0, end: text.length } }] }
}

/** A text without conflicts. */
export function plain(text: string): MergedText {
  return { text, conflicts: [] }
}

/** The texts one after another, their conflicts moved to where they now stand. */
export function concatenate(parts: readonly MergedText[]): MergedText {
  let text = ''
  const conflicts: TextConflict[] = []
  for (const part of parts) {
    for (const conflict of part.conflicts) conflicts.push(shift(conflict, text.length))
    text += part.text
  }
  return { text, conflicts }
}

/** The conflict of a text that now stands `by` characters further on. */
export function shift(conflict: TextConflict, by: number): TextConflict {
  return { ...conflict, span: { start: conflict.span.start + by, end: conflict.span.end + by } }
}

/** The rule at every level: equal sides agree, an unchanged side yields; undefined when both changed. */
export function settle<Value>(base: Value, ours: Value, theirs: Value): Value | undefined {
  if (ours === theirs || theirs === base) return ours
  return ours === base ? theirs : undefined
}
