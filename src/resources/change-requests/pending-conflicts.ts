/**
 * Pending conflicts of an update: stored with the change request together with the three merged revisions,
 * so that they can be resolved later, one by one, also after further edits.
 */
import type { RevisionId } from '../../core/ids.js'
import type { Choice, Conflict, ConflictId } from '../../core/merge/conflict.js'
import type { ChangeRequestRow } from './store.js'

export interface PendingConflicts {
  readonly base: RevisionId
  readonly ours: RevisionId
  readonly theirs: RevisionId
  /** Choices made so far; the merge is repeated with them. */
  readonly choices: readonly (readonly [ConflictId, Choice])[]
  readonly conflicts: readonly Conflict[]
}

export function parsePendingConflicts({ conflicts }: ChangeRequestRow): PendingConflicts | undefined {
  return conflicts === null ? undefined : (JSON.parse(conflicts) as PendingConflicts)
}

/** Returns the conflicts that are not resolved yet. */
export function openConflicts(row: ChangeRequestRow): readonly Conflict[] {
  return parsePendingConflicts(row)?.conflicts ?? []
}

/** Returns the value of the column `conflicts`: null when none is left. */
export function formatPendingConflicts(pending: PendingConflicts): string | null {
  return pending.conflicts.length === 0 ? null : JSON.stringify(pending)
}
