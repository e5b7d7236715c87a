/**
 * How many comments are open, on the change request where they were made and on the space: the one way in which
 * either count changes, so that both are what a recount gives.
 */
import type { Tx } from '../../store/db/database.js'
import { countComments as countInChangeRequest } from '../change-requests/store.js'
import { countComments as countInSpace } from '../spaces/store.js'
import type { CommentRow } from './store.js'

/** Counts a comment as open, or no longer. */
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
