/** Creates a change request: a branch of its own, on the space's current revision. */
import type { ChangeRequestId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Tx } from '../../store/db/database.js'
import { type SpaceRow, takeChangeRequestNumber } from '../spaces/store.js'
import { notifyOfDescription } from './notify.js'
import { type ChangeRequestRow, findChangeRequest, insertChangeRequest } from './store.js'

export async function createChangeRequest(
  tx: Tx,
  space: SpaceRow,
  {
    actor,
    subject = '',
    description = '',
    agentTaskId,
    now,
  }: {
    readonly actor: Actor
    readonly subject?: string
    readonly description?: string | undefined
    readonly agentTaskId?: string
    readonly now: number
  },
): Promise<ChangeRequestRow> {
  const number = await takeChangeRequestNumber(tx, space)
  // Created later than the previous number even when the clock goes back: lists of several spaces sort by this time.
  const before = await findChangeRequest(tx, space, String(number - 1))
  const createdAt = Math.max(now, (before?.created_at ?? 0) + 1)
  const row = await insertChangeRequest(tx, {
    id: newId<ChangeRequestId>(),
    organization_id: space.organization_id,
    space_id: space.id,
    number,
    status: 'draft',
    subject,
    description,
    created_by: actor.userId,
    created_at: createdAt,
    updated_at: createdAt,
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
  await notifyOfDescription(tx, row, { before: '', after: description }, { userId: actor.userId, now })
  return row
}
