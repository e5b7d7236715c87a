/** Reviews of a change request, and requests for them. */
import Type, { type Static } from 'typebox'
import { Description, Subject } from './change-requests.js'
import { Comment, CommentFormat, NewWords } from './comments.js'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, ListQuery, QueryFlag, Timestamp, Words, listQueryWith, shape } from './shapes.js'
import { Team } from './teams.js'
import { User } from './users.js'

export const reviewStatuses = ['approved', 'changes-requested'] as const

export const Review = shape(
  'ChangeRequestReview',
  Type.Object({
    object: Type.Literal('change-request-review'),
    id: Type.String(),
    revision: Type.String({ description: 'The revision of the change request that was reviewed.' }),
    reviewer: User,
    requestedBy: Type.Optional(User),
    status: Words(reviewStatuses),
    outdated: Type.Boolean({
      description:
        'True once the content changed, the reviewer reviewed again or was asked to, or the review was withdrawn.',
    }),
    contributor: Type.Boolean({
      description:
        'True once the reviewer is an author of a revision of the change request: for merge rules that ask for reviewers it counts no more.',
    }),
    comment: Type.Optional(Comment),
    withdrawnAt: Type.Optional(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type Review = Static<typeof Review>

export const RequestedReviewer = shape(
  'ChangeRequestRequestedReviewer',
  Type.Object({
    object: Type.Literal('change-request-requested-reviewer'),
    kind: Words(['user', 'team'] as const),
    user: Type.Optional(User),
    team: Type.Optional(Team),
    revision: Type.String({ description: 'The revision of the change request at the time of the request.' }),
    requestedBy: User,
    createdAt: Timestamp,
  }),
)
export type RequestedReviewer = Static<typeof RequestedReviewer>

const place = '/spaces/:spaceId/change-requests/:changeRequestId'
const tag = 'Reviews'

export const listReviews = endpoint('getReviewsByChangeRequestId', 'GET', `${place}/reviews`, {
  summary: 'List reviews',
  description: 'Returns the reviews of a change request, oldest first.',
  tag,
  query: listQueryWith({
    outdated: QueryFlag({ description: 'True returns only outdated reviews, false only current ones.' }),
    format: CommentFormat,
  }),
  reply: ListOf(Review),
})

export const submitReview = endpoint('submitChangeRequestReview', 'POST', `${place}/reviews`, {
  summary: 'Submit a review',
  description: 'Approves a change request, or requests changes.',
  tag,
  body: Type.Object({
    status: Words(reviewStatuses),
    comment: Type.Optional(NewWords),
    revision: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The `revision` of the change request that you reviewed. The review is refused if the content has changed since.',
      }),
    ),
  }),
  reply: Review,
  success: 201,
})

export const getReview = endpoint('getChangeRequestReviewById', 'GET', `${place}/reviews/:reviewId`, {
  summary: 'Get a review',
  description: 'Returns one review of a change request.',
  tag,
  query: Type.Object({ format: CommentFormat }),
  reply: Review,
})

export const withdrawReview = endpoint(
  'withdrawChangeRequestReview',
  'POST',
  `${place}/reviews/:reviewId/withdraw`,
  {
    summary: 'Withdraw a review',
    description:
      'Withdraws your own review: it stays in the history, and counts no more. Earlier reviews of yours do not come back.',
    tag,
    reply: Review,
  },
)

export const listRequestedReviewers = endpoint(
  'getRequestedReviewersByChangeRequestId',
  'GET',
  `${place}/requested-reviewers`,
  {
    summary: 'List requested reviewers',
    description: 'Returns the people and teams that were asked for a review and have not given one since.',
    tag,
    query: ListQuery,
    reply: ListOf(RequestedReviewer),
  },
)

/** Reviewers in one request at most. */
const maxReviewersPerRequest = 100
const Reviewers = Type.Optional(Type.Array(Identifier, { maxItems: maxReviewersPerRequest }))

export const requestReviewers = endpoint(
  'requestReviewersForChangeRequest',
  'POST',
  `${place}/requested-reviewers`,
  {
    summary: 'Request reviews',
    description: 'Asks people and teams for a review. A draft becomes open.',
    tag,
    body: Type.Object({
      users: Reviewers,
      teams: Reviewers,
      subject: Type.Optional(Subject),
      description: Type.Optional(Description),
    }),
    bodyRequired: false,
    reply: Type.Object({ users: Type.Array(RequestedReviewer), teams: Type.Array(RequestedReviewer) }),
  },
)

export const removeRequestedReviewer = endpoint(
  'removeRequestedReviewerFromChangeRequest',
  'DELETE',
  `${place}/requested-reviewers/:userId`,
  {
    summary: 'Remove a requested reviewer',
    description: 'Withdraws the request to a person, or to the team with this id.',
    tag,
    success: 205,
  },
)
