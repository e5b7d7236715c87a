/** Reviews of change requests, and asking for them. */
import { nothingRemoved } from '../../access/route/removal.js'
import { type Route, route } from '../../access/route/route.js'
import { naming } from '../../access/route/scope.js'
import * as operations from '../../contract/reviews.js'
import { requestReviewers } from './request.js'
import { inReview, inReviews } from './scope.js'
import { showRequested, showReviews } from './show.js'
import { deleteRequested, listRequested, listReviews } from './store.js'
import { submitReview } from './submit.js'

export const reviewRoutes: readonly Route[] = [
  route(operations.listReviews, {
    at: inReviews,
    allow: 'view',
    handle: async ({ db, services, content, beholder, changeRequest, query }) => {
      const { format, outdated } = query
      const list = await listReviews(db, changeRequest, { outdated }, query)
      const showing = { db, services, content, beholder, format }
      return { ...list, items: await showReviews(showing, changeRequest, list.items) }
    },
  }),

  route(operations.submitReview, {
    at: inReviews,
    allow: 'review',
    handle: async ({ tx, services, content, beholder, changeRequest, body, now }) => {
      const row = await submitReview(tx, { changeRequest, content }, body, { beholder, now })
      const showing = { db: tx, services, content, beholder, format: undefined }
      const [shown] = await showReviews(showing, changeRequest, [row])
      return shown!
    },
  }),

  route(operations.getReview, {
    at: inReview,
    allow: 'view',
    handle: async ({ db, services, content, beholder, changeRequest, review, query }) => {
      const showing = { db, services, content, beholder, format: query.format }
      const [shown] = await showReviews(showing, changeRequest, [review])
      return shown!
    },
  }),

  route(operations.listRequestedReviewers, {
    at: inReviews,
    allow: 'view',
    handle: async ({ db, services, reader, changeRequest, query }) => {
      const list = await listRequested(db, changeRequest, { withTeams: reader.role !== null }, query)
      return { ...list, items: await showRequested(db, services.addresses, reader, list.items) }
    },
  }),

  route(operations.requestReviewers, {
    at: inReviews,
    allow: 'edit',
    handle: async ({ tx, services, reader, changeRequest, body, now }) => {
      const rows = await requestReviewers(tx, changeRequest, body, { reader, now })
      const shown = await showRequested(tx, services.addresses, reader, rows)
      return {
        users: shown.filter(({ kind }) => kind === 'user'),
        teams: shown.filter(({ kind }) => kind === 'team'),
      }
    },
  }),

  route(operations.removeRequestedReviewer, {
    at: naming(inReviews, 'userId'),
    allow: 'edit',
    handle: async ({ tx, changeRequest, userId }) =>
      (await deleteRequested(tx, changeRequest, userId)) ? undefined : nothingRemoved,
  }),
]
