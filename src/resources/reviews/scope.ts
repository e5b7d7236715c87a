/** Loads `/reviews` and `/reviews/:reviewId` inside a change request. */
import { subresourceScope, withLoaded, withRules } from '../../access/route/scope.js'
import { type Reader, authorizeRole, spaceActions } from '../../access/rules/levels.js'
import type { ReviewId } from '../../core/ids.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { withViewer } from '../comments/scope.js'
import { findReview } from './store.js'

/** A change request with its content, the viewer of comments, and the actor as a reader of the organization. */
export const inReviews = withLoaded(
  withViewer(inChangeRequestContent),
  'reader',
  async ({ actor }, { space }): Promise<Reader> => {
    return { userId: actor.userId, organizationId: space.row.organization_id, role: space.role }
  },
)

export const inReview = subresourceScope(inReviews, 'reviewId', {
  key: 'review',
  noun: 'review',
  find: ({ db }, id, { changeRequest }) => findReview(db, changeRequest, id as ReviewId),
})

/** The same review, for its reviewer alone. */
export const inOwnReview = withRules(inReview, {
  noun: 'reviewer',
  authorize(_action: 'withdraw', { viewer, review }) {
    const visible = authorizeRole(viewer.level, spaceActions.view)
    if (visible !== 'yes') return visible
    return review.reviewer_id === viewer.userId ? 'yes' : 'own'
  },
})
