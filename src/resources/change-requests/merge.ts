/**
 * Merging: the changes of a change request since its last update are applied to the space. With conflicts nothing is
 * written. The space is "ours" in the merge; conflicts are returned with sides swapped, as an update names them, where
 * "ours" is the change request.
 */
import { enqueueNotification } from '../../access/events/notifications.js'
import { recordEvent } from '../../access/events/record.js'
import { type Conflict, swapSides } from '../../core/merge/conflict.js'
import { diffSnapshots } from '../../core/merge/diff-snapshots.js'
import { describeChanges } from '../../core/merge/describe-changes.js'
import type { RevisionId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../content/commit.js'
import { countComments } from '../spaces/store.js'
import { type MergeRequest, type MergeRows, commitOptimistically, planMerge } from './optimistic-merge.js'
import { openConflicts } from './pending-conflicts.js'
import { requireChangeable } from './status.js'
import { updateChangeRequestRow } from './store.js'

/** Also recorded in the audit log. */
interface MergeWarning {
  readonly message: string
}

export interface MergeOutcome {
  readonly revision: RevisionId
  readonly conflicts: readonly Conflict[]
  /** Conflicts that a strategy settled. */
  readonly settled?: readonly Conflict[]
  /** Unmet merge rules that the actor bypassed. */
  readonly warnings?: readonly MergeWarning[]
}

/** Checks the merge rules: returns warnings for rules that the actor bypasses, or throws. */
export type CheckMergeRules = (tx: Tx, rows: MergeRows, actor: Actor) => Promise<readonly MergeWarning[]>

export function mergeChangeRequest(
  request: MergeRequest<MergeOutcome>,
  checkRules: CheckMergeRules,
): Promise<MergeOutcome> {
  const { actor, now } = request
  return commitOptimistically(request, {
    read({ space, changeRequest }) {
      requireChangeable(changeRequest)
      return {
        pending: openConflicts(changeRequest),
        base: changeRequest.revision_merged_ancestor_id,
        ours: space.revision_id,
        theirs: changeRequest.revision_id,
      }
    },

    async plan(context, { pending, ...sides }) {
      if (pending.length > 0) return { conflicts: pending }
      const { conflicts, snapshot, ours, theirs, sink } = await planMerge(context, sides, 'theirs')
      if (conflicts.length > 0) return { conflicts: conflicts.map(swapSides) }
      const changes = await context.run(diffSnapshots(ours.revision.snapshot, snapshot), sink)
      return { snapshot, ours, theirs, sink, summary: describeChanges(changes) }
    },

    async write(tx, { space, changeRequest }, planned) {
      const warnings = await checkRules(tx, { space, changeRequest }, actor)
      if (planned.conflicts) return { revision: changeRequest.revision_id, conflicts: planned.conflicts }
      const { snapshot, ours, theirs, sink, summary } = planned
      const revision = await commit(tx, ours, {
        type: 'merge',
        snapshot,
        sink,
        userId: actor.userId,
        now,
        otherParents: [theirs.revision],
        mergedFrom: changeRequest.id,
        message: changeRequest.subject === '' ? summary : changeRequest.subject,
      })
      await updateChangeRequestRow(tx, changeRequest, {
        status: 'merged',
        revision_merged_id: revision.id,
        merged_by: actor.userId,
        merged_at: now,
        updated_at: now,
      })
      await recordEvent(tx, {
        organizationId: space.organization_id,
        stream: { spaceId: space.id },
        type: 'change_request_merged',
        userId: actor.userId,
        data: { changeRequestId: changeRequest.id, revisionId: revision.id },
        now,
      })
      await enqueueNotification(tx, {
        type: 'merge',
        organizationId: space.organization_id,
        spaceId: space.id,
        actorId: actor.userId,
        changeRequestId: changeRequest.id,
        at: now,
      })
      // Comments of a merged change request count on the space too.
      if (changeRequest.comments > 0) await countComments(tx, space, changeRequest.comments)
      return { revision: revision.id, conflicts: [], ...(warnings.length > 0 && { warnings }) }
    },
  })
}
