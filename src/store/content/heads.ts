/**
 * Optimistic concurrency: the head of a space or change request points to its current revision.
 *
 * A head moves only from the revision at which it was read (compare-and-set), so two writers who read the same revision
 * cannot both succeed. The caller reads again or fails; this module does not retry.
 */
import type { ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import type { Db, Tx } from '../db/database.js'
import { prepared } from '../db/prepared.js'
import type { Milliseconds } from '../db/columns.js'

export interface HeadMove {
  readonly from: RevisionId
  readonly to: RevisionId
  readonly at: Milliseconds
}

/** The person whose next save amends a head, and when its first save was written. */
export interface Amendable {
  readonly by: UserId
  readonly since: Milliseconds
  /** The session or token of the last save. */
  readonly credential: string | null
}

/** Moves the space's head; returns false, without a change, when it is no longer `from`. */
export async function moveSpaceHead(
  tx: Tx,
  organizationId: OrganizationId,
  spaceId: SpaceId,
  { from, to, at }: HeadMove,
): Promise<boolean> {
  return (await updateSpaceHead(tx, { organizationId, spaceId, from, to, at })).count === 1
}

const updateSpaceHead = prepared<
  HeadMove & { readonly organizationId: OrganizationId; readonly spaceId: SpaceId }
>()((db, { organizationId, spaceId, from, to, at }) =>
  db
    .updateTable('spaces')
    .set((is) => ({ revision_id: to, updated_at: at, head_number: is('head_number', '+', 1) }))
    .where('id', '=', spaceId)
    .where('organization_id', '=', organizationId)
    .where('revision_id', '=', from),
)

export interface BranchMove extends HeadMove {
  /** Whose next save amends the new head. */
  readonly amendable: Amendable | null
  /** True when the new head amends the former one: then that must still be amendable. */
  readonly amends: boolean
}

/** Moves the change request's head; returns false, without a change, when it is no longer `from`. */
export async function moveChangeRequestHead(
  tx: Tx,
  organizationId: OrganizationId,
  changeRequestId: ChangeRequestId,
  { from, to, at, amendable, amends }: BranchMove,
): Promise<boolean> {
  const values: BranchHeadValues = {
    organizationId,
    changeRequestId,
    from,
    to,
    at,
    by: amendable?.by ?? null,
    since: amendable?.since ?? null,
    credential: amendable?.credential ?? null,
  }
  return (await (amends ? amendBranchHead : updateBranchHead)(tx, values)).count === 1
}

interface BranchHeadValues extends HeadMove {
  readonly organizationId: OrganizationId
  readonly changeRequestId: ChangeRequestId
  readonly by: UserId | null
  readonly since: Milliseconds | null
  readonly credential: string | null
}

const updateBranchHead = prepared<BranchHeadValues>()(branchHeadUpdate)
const amendBranchHead = prepared<BranchHeadValues>()((db, values) =>
  branchHeadUpdate(db, values).where('amendable_by', '=', values.by),
)

function branchHeadUpdate(
  db: Db,
  { organizationId, changeRequestId, from, to, at, by, since, credential }: BranchHeadValues,
) {
  return db
    .updateTable('change_requests')
    .set({
      revision_id: to,
      updated_at: at,
      amendable_by: by,
      amendable_since: since,
      amendable_credential: credential,
    })
    .where('id', '=', changeRequestId)
    .where('organization_id', '=', organizationId)
    .where('revision_id', '=', from)
}
