/** Routes of reviews and review requests of a change request. */
import { enqueueNotification } from '../../access/events/notifications.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { withParam } from '../../access/route/scope.js'
import * as operations from '../../contract/reviews.js'
import type { UserId } from '../../core/ids.js'
import { requestReviewers } from './request.js'
import { inOwnReview, inReview, inReviews } from './scope.js'
import { showRequestedReviewers, showReviews } from './show.js'
import { deleteRequestedReviewer, listRequestedReviewers, listReviews } from './store.js'
import { submitReview } from './submit.js'
import { withdrawReview } from './withdraw.js'

export const reviewRoutes: readonly Route[] = [
  route(operations.listReviews, {
    at: inReviews,
    allow: 'view',
    handle: async ({ db, services, content, viewer, changeRequest, query }) => {
      const { format, outdated } = query
      const list = await listReviews(db, changeRequest, { outdated }, query)
      const context = { db, services, content, viewer, format }
      return { ...list, items: await showReviews(context, changeRequest, list.items) }
    },
  }),

  route(operations.submitReview, {
    at: inReviews,
    allow: 'review',
    handle: async ({ tx, services, content, viewer, changeRequest, body, now }) => {
      const row = await submitReview(tx, { changeRequest, content }, body, { viewer, now })
      const context = { db: tx, services, content, viewer, format: undefined }
      const [presented] = await showReviews(context, changeRequest, [row])
      return presented!
    },
  }),

  route(operations.getReview, {
    at: inReview,
    allow: 'view',
    handle: async ({ db, services, content, viewer, changeRequest, review, query }) => {
      const context = { db, services, content, viewer, format: query.format }
      const [presented] = await showReviews(context, changeRequest, [review])
      return presented!
    },
  }),

  route(operations.withdrawReview, {
    at: inOwnReview,
    allow: 'withdraw',
    handle: async ({ tx, services, content, viewer, changeRequest, review, now }) => {
      const row = await withdrawReview(tx, changeRequest, review, now)
      const context = { db: tx, services, content, viewer, format: undefined }
      const [presented] = await showReviews(context, changeRequest, [row])
      return presented!
    },
  }),

  route(operations.listRequestedReviewers, {
    at: inReviews,
    allow: 'view',
    handle: async ({ db, services, reader, changeRequest, query }) => {
      const list = await listRequestedReviewers(db, changeRequest, { withTeams: reader.role !== null }, query)
      return { ...list, items: await showRequestedReviewers(db, services.addresses, reader, list.items) }
    },
  }),

  route(operations.requestReviewers, {
    at: inReviews,
    allow: 'edit',
    handle: async ({ tx, services, reader, changeRequest, body, now }) => {
      const rows = await requestReviewers(tx, changeRequest, body, { reader, now })
      const presented = await showRequestedReviewers(tx, services.addresses, reader, rows)
      return {
        users: presented.filter(({ kind }) => kind === 'user'),
        teams: presented.filter(({ kind }) => kind === 'team'),
      }
    },
  }),

  route(operations.removeRequestedReviewer, {
    at: withParam(inReviews, 'userId'),
    allow: 'edit',
    handle: async ({ tx, actor, changeRequest, userId, now }) => {
      if (!(await deleteRequestedReviewer(tx, changeRequest, userId))) return nothingRemoved
      await enqueueNotification(tx, {
        type: 'request-withdrawn',
        organizationId: changeRequest.organization_id,
        spaceId: changeRequest.space_id,
        actorId: actor.userId,
        changeRequestId: changeRequest.id,
        target: userId as UserId,
        at: now,
      })
      return undefined
    },
  }),
]
