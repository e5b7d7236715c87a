/** Beginning a change request: a line of revisions of its own, on the space's current revision. */
import type { ChangeRequestId } from '../../core/ids.js'
import { newId } from '../../access/route/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Tx } from '../../store/db/database.js'
import { type SpaceRow, takeChangeRequestNumber } from '../spaces/store.js'
import { type ChangeRequestRow, insertChangeRequest } from './store.js'

export async function createChangeRequest(
  tx: Tx,
  space: SpaceRow,
  { actor, subject, agentTaskId, now }: { actor: Actor; subject?: string; agentTaskId?: string; now: number },
): Promise<ChangeRequestRow> {
  return insertChangeRequest(tx, {
    id: newId<ChangeRequestId>(),
    organization_id: space.organization_id,
    space_id: space.id,
    number: await takeChangeRequestNumber(tx, space.id),
    status: 'draft',
    subject: subject ?? '',
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
    // The first revision of a change request is the space's own: nothing is copied.
    revision_id: space.revision_id,
    revision_initial_id: space.revision_id,
    revision_merged_ancestor_id: space.revision_id,
    revision_merged_id: null,
    agent_task_id: agentTaskId ?? null,
    merged_by: null,
    merged_at: null,
    conflicts: null,
  })
}
