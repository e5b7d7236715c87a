/** The rows of reviews and of review requests; see tables.ts. */
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

/** A review of a change request. Whether it is outdated is derived. */
export interface ReviewsTable {
  organization_id: OrganizationId
  id: ReviewId
  change_request_id: ChangeRequestId
  /** Counts within the change request, from 1. */
  number: number
  /** The reviewed revision. */
  revision_id: RevisionId
  status: string
  reviewer_id: UserId
  /** The requester of the review; null for an unrequested one. */
  requested_by: UserId | null
  created_at: Milliseconds
  /** When the reviewer withdrew it; null while it stands. */
  withdrawn_at: Milliseconds | null
}

/** A requested reviewer, a user or a team, who has not reviewed since. */
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
