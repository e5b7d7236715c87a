/**
 * Updating: changes of the space since the last update are merged into the change request. Where both changed the same,
 * the change request keeps its own side, and the conflict stays pending until it is resolved.
 */
import { ApiError } from '../../contract/errors.js'
import { commit } from '../content/commit.js'
import { inBranch } from './branch.js'
import { type MergeRequest, commitOptimistically, planMerge } from './optimistic-merge.js'
import type { MergeOutcome } from './merge.js'
import { openConflicts, formatPendingConflicts } from './pending-conflicts.js'
import { requireChangeable } from './status.js'
import { updateChangeRequestRow } from './store.js'

/** Updates the change request; a strategy settles all conflicts for one side. */
export function updateFromSpace(
  request: MergeRequest<MergeOutcome>,
  strategy: 'changes' | 'primary' | undefined,
): Promise<MergeOutcome> {
  const { actor, now } = request
  return commitOptimistically(request, {
    read({ space, changeRequest }) {
      requireChangeable(changeRequest)
      const pending = openConflicts(changeRequest)
      if (pending.length > 0) throw new ApiError('change_request_unresolved', { count: pending.length })
      return {
        base: changeRequest.revision_merged_ancestor_id,
        ours: changeRequest.revision_id,
        theirs: space.revision_id,
      }
    },

    async plan(context, sides) {
      if (sides.base === sides.theirs) return undefined
      return planMerge(context, sides, strategy === 'primary' ? 'theirs' : 'ours')
    },

    async write(tx, { changeRequest }, planned) {
      if (planned === undefined) return { revision: changeRequest.revision_id, conflicts: [] }
      const { base, ours, theirs, snapshot, sink } = planned
      const [conflicts, settled] = strategy === undefined ? [planned.conflicts, []] : [[], planned.conflicts]
      const revision = await commit(tx, inBranch(ours, changeRequest), {
        type: 'update',
        snapshot,
        sink,
        userId: actor.userId,
        now,
        otherParents: [theirs.revision],
      })
      await updateChangeRequestRow(tx, changeRequest, {
        revision_merged_ancestor_id: theirs.revision.id,
        conflicts: formatPendingConflicts({
          base: base.revision.id,
          ours: ours.revision.id,
          theirs: theirs.revision.id,
          choices: [],
          conflicts,
        }),
      })
      return { revision: revision.id, conflicts, settled }
    },
  })
}
