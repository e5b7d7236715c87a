/** The rows of reviews and of who was asked for one; see tables.ts. */
import type {
  ChangeRequestId,
  OrganizationId,
  RequestedReviewerId,
  ReviewId,
  RevisionId,
  TeamId,
  UserId,
} from '../../core/ids.js'
import type { Milliseconds } from './columns.js'

export interface ReviewTables {
  reviews: ReviewsTable
  requested_reviewers: RequestedReviewersTable
}

/** What somebody said of a change request. Whether it is outdated follows from the rest. */
export interface ReviewsTable {
  organization_id: OrganizationId
  id: ReviewId
  change_request_id: ChangeRequestId
  /** Counts within the change request, from 1. */
  number: number
  /** What was reviewed. */
  revision_id: RevisionId
  status: string
  reviewer_id: UserId
  /** Who had asked for it; null when nobody had. */
  requested_by: UserId | null
  created_at: Milliseconds
}

/** Somebody who was asked for a review and has given none since: a person or a team. */
export interface RequestedReviewersTable {
  organization_id: OrganizationId
  id: RequestedReviewerId
  change_request_id: ChangeRequestId
  user_id: UserId | null
  team_id: TeamId | null
  revision_id: RevisionId
  requested_by: UserId
  created_at: Milliseconds
}
