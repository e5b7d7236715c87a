/** Reviewing a change request: what is said is said of one content, answers whoever asked, and may be a comment too. */
import { ApiError } from '../../contract/errors.js'
import type { reviewStatuses } from '../../contract/reviews.js'
import type { Tx } from '../../store/db/database.js'
import { requireChangeable } from '../change-requests/status.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import { type Words, postComment } from '../comments/change.js'
import type { Beholder } from '../comments/rules.js'
import { aimAtAll } from '../comments/targets.js'
import type { ContentHere } from '../content/content.js'
import { type ReviewRow, deleteRequested, findAsked, insertReview } from './store.js'

export interface Opinion {
  readonly status: (typeof reviewStatuses)[number]
  readonly comment?: Words
  /** What was looked at. */
  readonly revision?: string
}

interface Reviewed {
  readonly changeRequest: ChangeRequestRow
  readonly content: ContentHere
}

/** Returns the review, which takes the place of earlier ones of the same person. */
export async function submitReview(
  tx: Tx,
  { changeRequest, content }: Reviewed,
  { status, comment, revision }: Opinion,
  { beholder, now }: { readonly beholder: Beholder; readonly now: number },
): Promise<ReviewRow> {
  requireChangeable(changeRequest)
  if (revision !== undefined && revision !== changeRequest.revision_id) throw new ApiError('content_moved')
  const asked = await findAsked(tx, changeRequest, beholder.userId)
  for (const one of asked) await deleteRequested(tx, changeRequest, (one.user_id ?? one.team_id)!)
  const row = await insertReview(tx, changeRequest, {
    status,
    reviewer_id: beholder.userId,
    requested_by: asked[0]?.requested_by ?? null,
    created_at: now,
  })
  if (comment !== undefined) {
    await postComment(tx, content, comment, { ...aimAtAll(content), review: row.id }, { beholder, now })
  }
  return row
}
