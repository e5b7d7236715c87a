/**
 * Merging: the change request's changes since it last took in the space go on top of the space.
 * With conflicts nothing at all is written; both sides stay as they are.
 */
import type { Conflict } from '../../core/merge/conflict.js'
import { mergeSnapshots } from '../../core/merge/snapshot.js'
import type { RevisionId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../spaces/content/commit.js'
import { getContent, runWith } from '../spaces/content/content.js'
import { describe } from '../spaces/content/describe.js'
import type { SpaceRow } from '../spaces/store.js'
import { openConflicts } from './pending.js'
import { requireChangeable } from './status.js'
import { type ChangeRequestRow, updateChangeRequestRow } from './store.js'

export interface MergeOutcome {
  readonly revision: RevisionId
  readonly conflicts: readonly Conflict[]
}

export async function mergeChangeRequest(
  tx: Tx,
  space: SpaceRow,
  changeRequest: ChangeRequestRow,
  { actor, now, services }: { actor: Actor; now: number; services: Services },
): Promise<MergeOutcome> {
  requireChangeable(changeRequest)
  const waiting = openConflicts(changeRequest)
  if (waiting.length > 0) return { revision: changeRequest.revision_id, conflicts: waiting }

  const place = { db: tx, services, organizationId: space.organization_id, spaceId: space.id }
  const base = await getContent(place, changeRequest.revision_merged_ancestor_id)
  const ours = await getContent(place, space.revision_id)
  const theirs = await getContent(place, changeRequest.revision_id)
  const sink = createSink(space.organization_id, services.objects)
  const step = mergeSnapshots(base.revision.snapshot, ours.revision.snapshot, theirs.revision.snapshot, {
    sink,
    describe,
  })
  const merged = await runWith(place, sink, step)
  if (merged.conflicts.length > 0) return { revision: changeRequest.revision_id, conflicts: merged.conflicts }

  const revision = await commit(tx, ours, {
    type: 'merge',
    snapshot: merged.snapshot,
    sink,
    userId: actor.userId,
    now,
    otherParents: [theirs.revision.id],
    mergedFrom: changeRequest.id,
    message: changeRequest.subject === '' ? 'No subject' : changeRequest.subject,
  })
  await updateChangeRequestRow(tx, changeRequest.id, {
    status: 'merged',
    revision_merged_id: revision.id,
    merged_by: actor.userId,
    merged_at: now,
    updated_at: now,
  })
  return { revision: revision.id, conflicts: [] }
}
