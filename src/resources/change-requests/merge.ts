/**
 * Merging: the change request's changes since it last took in the space go on top of the space.
 * With conflicts nothing at all is written; both sides stay as they are. What is merged is laid over the space, so
 * here the space is ours; who asks is told the sides as an update tells them, where ours is the change request.
 */
import { recordEvent } from '../../access/events/record.js'
import { type Conflict, swapSides } from '../../core/merge/conflict.js'
import { diffSnapshots } from '../../core/merge/diff-snapshots.js'
import { describeChanges } from '../../core/merge/describe-changes.js'
import type { RevisionId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../content/commit.js'
import { countComments } from '../spaces/store.js'
import { type OptimisticOperation, type MergeRows, planAside, planMerge } from './optimistic-merge.js'
import { openConflicts } from './pending-conflicts.js'
import { requireChangeable } from './status.js'
import { updateChangeRequestRow } from './store.js'

/** Stands in the audit log, too. */
interface MergeWarning {
  readonly message: string
}

export interface MergeOutcome {
  readonly revision: RevisionId
  readonly conflicts: readonly Conflict[]
  /** What a strategy has settled. */
  readonly settled?: readonly Conflict[]
  /** What the rules missed, for who may merge past them. */
  readonly warnings?: readonly MergeWarning[]
}

/** Looks whether the change request may be merged by its rules: returns what somebody merges past, or throws. */
export type CheckMergeRules = (tx: Tx, rows: MergeRows, actor: Actor) => Promise<readonly MergeWarning[]>

/** What both directions of merging work with. */
export interface MergeRequest<Reply = MergeOutcome> extends Pick<
  OptimisticOperation<unknown, unknown, Reply>,
  'services' | 'rows' | 'commit'
> {
  readonly actor: Actor
  readonly now: number
}

export function mergeChangeRequest(
  { actor, now, ...merging }: MergeRequest,
  examine: CheckMergeRules,
): Promise<MergeOutcome> {
  return planAside({
    ...merging,
    startOf({ space, changeRequest }) {
      requireChangeable(changeRequest)
      if (openConflicts(changeRequest).length > 0) return undefined
      return {
        base: changeRequest.revision_merged_ancestor_id,
        ours: space.revision_id,
        theirs: changeRequest.revision_id,
      }
    },
    async plan(place, sides) {
      if (sides === undefined) return undefined
      const planned = await planMerge(place, sides, 'theirs')
      const { ours, snapshot, sink } = planned
      const changes = await place.drive(diffSnapshots(ours.revision.snapshot, snapshot), sink)
      return { ...planned, note: describeChanges(changes) }
    },
    sinkOf: (planned) => (planned?.conflicts.length === 0 ? planned.sink : undefined),
    async conclude(tx, { space, changeRequest }, planned) {
      const warnings = await examine(tx, { space, changeRequest }, actor)
      const unmerged = { revision: changeRequest.revision_id }
      if (planned === undefined) return { ...unmerged, conflicts: openConflicts(changeRequest) }
      const { conflicts, snapshot, sink, ours, theirs, note } = planned
      if (conflicts.length > 0) return { ...unmerged, conflicts: conflicts.map(swapSides) }
      const revision = await commit(tx, ours, {
        type: 'merge',
        snapshot,
        sink,
        userId: actor.userId,
        now,
        otherParents: [theirs.revision],
        mergedFrom: changeRequest.id,
        message: changeRequest.subject === '' ? note : changeRequest.subject,
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
      // From now on they are on the space too.
      if (changeRequest.comments > 0) await countComments(tx, space, changeRequest.comments)
      return { revision: revision.id, conflicts: [], ...(warnings.length > 0 && { warnings }) }
    },
  })
}
