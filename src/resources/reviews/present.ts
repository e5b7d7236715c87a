/** Presents reviews and requested reviewers as the API returns them. */
import type { Addresses } from '../../contract/addresses.js'
import type { Comment } from '../../contract/comments.js'
import type { RequestedReviewer, Review } from '../../contract/reviews.js'
import type { Team } from '../../contract/teams.js'
import type { TeamId, UserId } from '../../core/ids.js'
import { presentUser } from '../users/present.js'
import type { UserRow } from '../users/store.js'
import type { RequestedReviewerRow, ReviewRow } from './store.js'

export interface ReviewPeople {
  readonly addresses: Addresses
  readonly users: ReadonlyMap<UserId, UserRow>
}

interface ReviewRelations extends ReviewPeople {
  /** Authors of the revisions of the change request. */
  readonly contributors: ReadonlySet<UserId>
  readonly basePath: string
}

export function presentReview(
  row: ReviewRow,
  comment: Comment | undefined,
  { addresses, users, contributors, basePath }: ReviewRelations,
): Review {
  const user = (id: UserId) => presentUser(addresses, users.get(id)!)
  const createdAt = new Date(row.created_at).toISOString()
  return {
    object: 'change-request-review',
    id: row.id,
    revision: row.revision_id,
    reviewer: user(row.reviewer_id),
    ...(row.requested_by !== null && { requestedBy: user(row.requested_by) }),
    status: row.status as Review['status'],
    outdated: row.is_outdated === 1,
    contributor: contributors.has(row.reviewer_id),
    ...(comment !== undefined && { comment }),
    ...(row.withdrawn_at !== null && { withdrawnAt: new Date(row.withdrawn_at).toISOString() }),
    createdAt,
    // A changed opinion is a new review: the only change of one is that it is withdrawn.
    updatedAt: row.withdrawn_at === null ? createdAt : new Date(row.withdrawn_at).toISOString(),
    urls: { location: addresses.api(`${basePath}/reviews/${row.id}`) },
  }
}

export function presentRequestedReviewer(
  row: RequestedReviewerRow,
  { addresses, users, teams }: ReviewPeople & { readonly teams: ReadonlyMap<TeamId, Team> },
): RequestedReviewer {
  const user = (id: UserId) => presentUser(addresses, users.get(id)!)
  return {
    object: 'change-request-requested-reviewer',
    ...(row.team_id === null
      ? { kind: 'user', user: user(row.user_id!) }
      : { kind: 'team', team: teams.get(row.team_id)! }),
    revision: row.revision_id,
    requestedBy: user(row.requested_by),
    createdAt: new Date(row.created_at).toISOString(),
  }
}
