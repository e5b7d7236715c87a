/** Reviews with their people and comments, as somebody sees them, and who was asked for one. */
import type { Addresses } from '../../contract/addresses.js'
import type { RequestedReviewer, Review } from '../../contract/reviews.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Db } from '../../store/db/database.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import { type Showing, showComments } from '../comments/show.js'
import { findCommentsOfReviews } from '../comments/store.js'
import { showTeams } from '../teams/show.js'
import { findTeams } from '../teams/store.js'
import { findPeopleOf } from '../users/store.js'
import { presentRequested, presentReview } from './present.js'
import type { RequestedRow, ReviewRow } from './store.js'

/** Returns reviews of one change request; what they say is loaded together. */
export async function showReviews(
  showing: Showing,
  { organization_id: organizationId, space_id: spaceId, id }: ChangeRequestRow,
  rows: readonly ReviewRow[],
): Promise<Review[]> {
  const { db, services } = showing
  const said = await findCommentsOfReviews(
    db,
    organizationId,
    rows.map((row) => row.id),
  )
  const shown = await showComments(showing, said)
  const comments = new Map(said.map((row, at) => [row.review_id, shown[at]!]))
  const people = rows.flatMap((row) => [
    row.reviewer_id,
    ...(row.requested_by === null ? [] : [row.requested_by]),
  ])
  const users = await findPeopleOf(db, organizationId, people)
  const place = `/spaces/${spaceId}/change-requests/${id}`
  const { addresses } = services
  return rows.map((row) => presentReview(row, comments.get(row.id), { addresses, users, place }))
}

export async function showRequested(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly RequestedRow[],
): Promise<RequestedReviewer[]> {
  const { organizationId } = reader
  const people = rows.flatMap((row) => [row.requested_by, ...(row.user_id === null ? [] : [row.user_id])])
  const users = await findPeopleOf(db, organizationId, people)
  const found = await findTeams(
    db,
    organizationId,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const shown = await showTeams(db, reader, found)
  const teams = new Map(found.map((team, at) => [team.id, shown[at]!]))
  return rows.map((row) => presentRequested(row, { addresses, users, teams }))
}
