/**
 * Conflicts that an update left behind: kept beside the change request with the three revisions that
 * met, so that they can be decided later, one by one, also after somebody wrote on.
 */
import type { RevisionId } from '../../core/ids.js'
import type { Choice, Conflict, ConflictId } from '../../core/merge/conflict.js'
import type { ChangeRequestRow } from './store.js'

export interface Pending {
  readonly base: RevisionId
  readonly ours: RevisionId
  readonly theirs: RevisionId
  /** What was decided already; the same merge is made again with these. */
  readonly choices: readonly (readonly [ConflictId, Choice])[]
  readonly conflicts: readonly Conflict[]
}

export function readPending({ conflicts }: ChangeRequestRow): Pending | undefined {
  return conflicts === null ? undefined : (JSON.parse(conflicts) as Pending)
}

/** The conflicts that wait for a decision. */
export function openConflicts(row: ChangeRequestRow): readonly Conflict[] {
  return readPending(row)?.conflicts ?? []
}

/** The text of the column: null as soon as nothing waits. */
export function writePending(pending: Pending): string | null {
  return pending.conflicts.length === 0 ? null : JSON.stringify(pending)
}
