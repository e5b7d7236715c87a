/** Presents reviews with users and comments, and requested reviewers, for one viewer. */
import type { Addresses } from '../../contract/addresses.js'
import type { RequestedReviewer, Review } from '../../contract/reviews.js'
import type { Reader } from '../../access/rules/levels.js'
import { listRevisionAuthors } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import { type CommentViewContext, showComments } from '../comments/show.js'
import { findCommentsOfReviews } from '../comments/store.js'
import { showTeams } from '../teams/show.js'
import { findTeams } from '../teams/store.js'
import { findPeopleOf } from '../users/store.js'
import { presentRequestedReviewer, presentReview } from './present.js'
import type { RequestedReviewerRow, ReviewRow } from './store.js'

/** Returns reviews of one change request; their comments are loaded in one query. */
export async function showReviews(
  context: CommentViewContext,
  { organization_id: organizationId, space_id: spaceId, id }: ChangeRequestRow,
  rows: readonly ReviewRow[],
): Promise<Review[]> {
  const { db, services } = context
  const commentRows = await findCommentsOfReviews(
    db,
    organizationId,
    rows.map((row) => row.id),
  )
  const presented = await showComments(context, commentRows)
  const comments = new Map(commentRows.map((row, at) => [row.review_id, presented[at]!]))
  const userIds = rows.flatMap((row) => [
    row.reviewer_id,
    ...(row.requested_by === null ? [] : [row.requested_by]),
  ])
  const users = await findPeopleOf(db, organizationId, userIds)
  const authors = await listRevisionAuthors(db, { organizationId, spaceId, changeRequestId: id })
  const contributors = new Set(authors)
  const basePath = `/spaces/${spaceId}/change-requests/${id}`
  const { addresses } = services
  return rows.map((row) =>
    presentReview(row, comments.get(row.id), { addresses, users, contributors, basePath }),
  )
}

export async function showRequestedReviewers(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly RequestedReviewerRow[],
): Promise<RequestedReviewer[]> {
  const { organizationId } = reader
  const userIds = rows.flatMap((row) => [row.requested_by, ...(row.user_id === null ? [] : [row.user_id])])
  const users = await findPeopleOf(db, organizationId, userIds)
  const found = await findTeams(
    db,
    organizationId,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const presented = await showTeams(db, reader, found)
  const teams = new Map(found.map((team, at) => [team.id, presented[at]!]))
  return rows.map((row) => presentRequestedReviewer(row, { addresses, users, teams }))
}
