/** Submits a review of one revision: answers open requests to the reviewer and may post a comment. */
import { enqueueNotification } from '../../access/events/notifications.js'
import { ApiError } from '../../contract/errors.js'
import type { reviewStatuses } from '../../contract/reviews.js'
import type { Tx } from '../../store/db/database.js'
import { requireChangeable } from '../change-requests/status.js'
import { type ChangeRequestRow, notAmendable, updateChangeRequestRow } from '../change-requests/store.js'
import { type MarkdownText, postComment } from '../comments/change.js'
import type { Viewer } from '../comments/rules.js'
import { wholeContentAnchor } from '../comments/comment-target.js'
import type { ContentContext } from '../content/content.js'
import { type ReviewRow, deleteRequestedReviewer, findRequestsTo, insertReview } from './store.js'

export interface ReviewInput {
  readonly status: (typeof reviewStatuses)[number]
  readonly comment?: MarkdownText
  /** The revision that was reviewed. */
  readonly revision?: string
}

interface ReviewedContext {
  readonly changeRequest: ChangeRequestRow
  readonly content: ContentContext
}

/** Inserts and returns the review, which supersedes earlier ones of the same reviewer; throws 409 when `revision` is not the head. */
export async function submitReview(
  tx: Tx,
  { changeRequest, content }: ReviewedContext,
  { status, comment, revision }: ReviewInput,
  { viewer, now }: { readonly viewer: Viewer; readonly now: number },
): Promise<ReviewRow> {
  requireChangeable(changeRequest)
  if (revision !== undefined && revision !== changeRequest.revision_id) throw new ApiError('content_moved')
  const requests = await findRequestsTo(tx, changeRequest, viewer.userId)
  for (const one of requests) await deleteRequestedReviewer(tx, changeRequest, (one.user_id ?? one.team_id)!)
  await updateChangeRequestRow(tx, changeRequest, notAmendable)
  const row = await insertReview(tx, changeRequest, {
    status,
    reviewer_id: viewer.userId,
    requested_by: requests[0]?.requested_by ?? null,
    created_at: now,
  })
  await enqueueNotification(tx, {
    type: 'review',
    organizationId: changeRequest.organization_id,
    spaceId: changeRequest.space_id,
    actorId: viewer.userId,
    changeRequestId: changeRequest.id,
    reviewId: row.id,
    hasComment: comment !== undefined,
    at: now,
  })
  if (comment !== undefined) {
    await postComment(
      tx,
      content,
      comment,
      { ...wholeContentAnchor(content), review: row.id },
      { viewer, now },
    )
  }
  return row
}
