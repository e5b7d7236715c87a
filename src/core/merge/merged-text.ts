/**
 * Merged text with its conflicts: the characters, and the spans where two sides could not be reconciled.
 */
import type { Span } from '../document/types.js'

export type Side = 'ours' | 'theirs'

/** Three versions of a part of a text; null where a version does not have it. */
export interface TextVersions {
  readonly base: string | null
  readonly ours: string | null
  readonly theirs: string | null
}

/** A block, or a key of a mapping, that two sides changed. */
export interface TextConflict extends TextVersions {
  /** Span of the preferred version in the merged text; empty when that side deleted it. */
  readonly span: Span
}

export interface MergedText {
  readonly text: string
  readonly conflicts: readonly TextConflict[]
}

/** What the merged text has where its two sides conflict. */
export interface ConflictPolicy {
  readonly prefer: Side
  /** Returns a choice already made: the text to insert, null for none, undefined while undecided. */
  readonly choose?: (versions: TextVersions) => string | null | undefined
}

/** Returns the chosen text, or else the preferred side's version with its conflict. */
export function resolveConflict(versions: TextVersions, { prefer, choose }: ConflictPolicy): MergedText {
  const decided = choose?.(versions)
  if (decided !== undefined) return withoutConflicts(decided ?? '')
  const text = versions[prefer] ?? ''
  return { text, conflicts: [{ ...versions, span: { start: 0, end: text.length } }] }
}

/** Returns a text without conflicts. */
export function withoutConflicts(text: string): MergedText {
  return { text, conflicts: [] }
}

/** Returns the texts joined in order, the spans of their conflicts shifted accordingly. */
export function concatenate(parts: readonly MergedText[]): MergedText {
  let text = ''
  const conflicts: TextConflict[] = []
  for (const part of parts) {
    for (const conflict of part.conflicts) conflicts.push(shiftConflict(conflict, text.length))
    text += part.text
  }
  return { text, conflicts }
}

/** Returns the conflict with its span moved `by` characters. */
export function shiftConflict(conflict: TextConflict, by: number): TextConflict {
  return { ...conflict, span: { start: conflict.span.start + by, end: conflict.span.end + by } }
}

/** The three-way rule of every level: equal sides agree, an unchanged side yields; undefined when both changed. */
export function mergeTrivially<Value>(base: Value, ours: Value, theirs: Value): Value | undefined {
  if (ours === theirs || theirs === base) return ours
  return ours === base ? theirs : undefined
}
