/**
 * Counters of open comments on change request and space: the only writer of either, so that both always equal
 * a recount.
 */
import type { Tx } from '../../store/db/database.js'
import { countComments as countInChangeRequest } from '../change-requests/store.js'
import { countComments as countInSpace } from '../spaces/store.js'
import type { CommentRow } from './store.js'

/** Adds `by` to the counter of the change request, and to that of the space unless the change request is unmerged. */
export async function countOpen(
  tx: Tx,
  { organization_id, space_id, change_request_id }: CommentRow,
  by: 1 | -1,
): Promise<void> {
  const isOnSpace =
    change_request_id === null ||
    (await countInChangeRequest(tx, { organization_id, id: change_request_id }, by)) === 'merged'
  if (isOnSpace) await countInSpace(tx, { organization_id, id: space_id }, by)
}
