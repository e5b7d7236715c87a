/** The steps `/reviews` and `/reviews/:reviewId`, inside of a change request. */
import { within, withMore } from '../../access/route/scope.js'
import type { Reader } from '../../access/rules/levels.js'
import type { ReviewId } from '../../core/ids.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { withBeholder } from '../comments/scope.js'
import { findReview } from './store.js'

/** A change request with its content, and with whoever asks: as they see the organization, and what is said here. */
export const inReviews = withMore(
  withBeholder(inChangeRequestContent),
  'reader',
  async ({ actor }, { space }): Promise<Reader> => {
    return { userId: actor.userId, organizationId: space.row.organization_id, role: space.role }
  },
)

export const inReview = within(inReviews, 'reviewId', {
  key: 'review',
  thing: 'review',
  find: ({ db }, id, { changeRequest }) => findReview(db, changeRequest, id as ReviewId),
})
