/**
 * Optimistic concurrency: the head of a space or change request points to its current revision.
 *
 * A head moves only from the revision at which it was read (compare-and-set), so two writers who read the same revision
 * cannot both succeed. The caller reads again or fails; this module does not retry.
 */
import type { ChangeRequestId, OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'

export interface HeadMove {
  readonly from: RevisionId
  readonly to: RevisionId
  readonly at: Milliseconds
}

/** Moves the space's head; returns false, without a change, when it is no longer `from`. */
export async function moveSpaceHead(
  tx: Tx,
  organizationId: OrganizationId,
  spaceId: SpaceId,
  { from, to, at }: HeadMove,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('spaces')
    .set((is) => ({ revision_id: to, updated_at: at, head_number: is('head_number', '+', 1) }))
    .where('id', '=', spaceId)
    .where('organization_id', '=', organizationId)
    .where('revision_id', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Moves the change request's head; returns false, without a change, when it is no longer `from`. */
export async function moveChangeRequestHead(
  tx: Tx,
  organizationId: OrganizationId,
  changeRequestId: ChangeRequestId,
  { from, to, at }: HeadMove,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('change_requests')
    .set({ revision_id: to, updated_at: at })
    .where('id', '=', changeRequestId)
    .where('organization_id', '=', organizationId)
    .where('revision_id', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
