/**
 * Merge conflicts as plain data, which can be stored, displayed and resolved later.
 *
 * A conflict's id is derived from its subject and its three versions, so that the same merge run again has the same
 * ids, and a stored choice finds its conflict.
 */
import { digest, sortMembers } from '../digest.js'
import type { Span } from '../document/types.js'
import type { FileId, PageId } from '../ids.js'
import type { Json } from '../merkle/types.js'
import type { FileRecord, NameEntry, PageRecord } from '../pages/types.js'
import type { Side, TextVersions } from './merged-text.js'

export type ConflictId = string

export type Conflict =
  | BlockConflict
  /** Both sides gave a member of a page (title, parent, position, path, url…) different values. */
  | ValueConflict<'member', { readonly page: PageId; readonly member: string }, Json>
  /** One side deleted a page that the other changed or needs for its subpages: the page stays. */
  | ValueConflict<'page', { readonly page: PageId }, PageRecord>
  | ValueConflict<'file', { readonly file: FileId }, FileRecord>
  /** A text that is no page: one side deleted it, the other changed it. The text stays. */
  | ValueConflict<'text', { readonly path: string }, NameEntry>

/** A block of a page's text, or of a text that is no page, that both sides changed. */
export interface BlockConflict extends TextVersions {
  readonly kind: 'block'
  readonly id: ConflictId
  /** Absent for a text that is no page. */
  readonly page?: PageId
  /** File of the text in the merged tree. */
  readonly path: string
  /** Span of the preferred version in the merged text; empty when that side deleted the block. */
  readonly span: Span
}

type ValueConflict<Kind extends string, Subject, Value> = {
  readonly kind: Kind
  readonly id: ConflictId
  /** Null where a version does not have it. */
  readonly base: Value | null
  readonly ours: Value | null
  readonly theirs: Value | null
} & Subject

/** The resolution of a conflict: one side, or for blocks and titles a custom text. */
export type Choice = { readonly take: Side } | { readonly text: string }

export type Choices = ReadonlyMap<ConflictId, Choice>

/** Returns the conflict as the merge with swapped sides has it; its id is the same. */
export function swapSides(conflict: Conflict): Conflict {
  return { ...conflict, ours: conflict.theirs, theirs: conflict.ours } as Conflict
}

/**
 * Returns the id of the conflict over these versions; `ordinal` distinguishes equal ones of one subject. It does not
 * depend on which side is ours: an update and the merge that follows have one conflict, not two.
 */
export function conflictId(
  kind: Conflict['kind'],
  subject: string,
  { base, ours, theirs }: { readonly base: unknown; readonly ours: unknown; readonly theirs: unknown },
  ordinal = 0,
): ConflictId {
  const sides = [ours, theirs].map((side) => JSON.stringify(side, sortMembers) ?? '').toSorted()
  return digest(JSON.stringify([kind, subject, base, sides, ordinal], sortMembers))
}
