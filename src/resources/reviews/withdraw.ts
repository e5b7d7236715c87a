/** Withdraws a review: it counts no more for merge rules, and earlier ones of the same reviewer do not come back. */
import type { Tx } from '../../store/db/database.js'
import { requireChangeable } from '../change-requests/status.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import { type ReviewRow, findReview, withdrawReviewRow } from './store.js'

/** Returns the review as it is then; throws 409 when the change request is closed. */
export async function withdrawReview(
  tx: Tx,
  changeRequest: ChangeRequestRow,
  review: ReviewRow,
  now: number,
): Promise<ReviewRow> {
  requireChangeable(changeRequest)
  await withdrawReviewRow(tx, review, now)
  return (await findReview(tx, changeRequest, review.id))!
}
