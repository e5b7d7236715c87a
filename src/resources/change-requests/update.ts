/**
 * Updating: what happened in the space since comes into the change request. Where both changed the
 * same thing the change request keeps its own side, and the conflict waits to be decided.
 */
import { ApiError } from '../../contract/errors.js'
import { commit } from '../content/commit.js'
import { inBranch } from './branch.js'
import { planAside, planMerge } from './optimistic-merge.js'
import type { MergeRequest, MergeOutcome } from './merge.js'
import { openConflicts, formatPendingConflicts } from './pending-conflicts.js'
import { requireChangeable } from './status.js'
import { updateChangeRequestRow } from './store.js'

/** Brings the space's content in. A strategy settles every conflict at once for one side. */
export function updateFromSpace({
  actor,
  now,
  strategy,
  ...merging
}: MergeRequest & { readonly strategy?: 'changes' | 'primary' | undefined }): Promise<MergeOutcome> {
  return planAside({
    ...merging,
    startOf({ space, changeRequest }) {
      requireChangeable(changeRequest)
      const waiting = openConflicts(changeRequest)
      if (waiting.length > 0) throw new ApiError('change_request_unresolved', { count: waiting.length })
      const base = changeRequest.revision_merged_ancestor_id
      if (base === space.revision_id) return undefined
      return { base, ours: changeRequest.revision_id, theirs: space.revision_id }
    },
    plan: async (place, sides) =>
      sides && planMerge(place, sides, strategy === 'primary' ? 'theirs' : 'ours'),
    sinkOf: (planned) => planned?.sink,
    async conclude(tx, { changeRequest }, planned) {
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
