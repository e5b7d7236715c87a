/** The rows of inboxes; see tables.ts. */
import type {
  ChangeRequestId,
  CommentId,
  InboxEntryId,
  OrganizationId,
  ReviewId,
  SpaceId,
  TeamId,
  UserId,
} from '../../core/ids.js'
import type { Milliseconds } from './columns.js'

export interface InboxTables {
  inbox_entries: InboxEntriesTable
}

/** What a member is notified of. Deleted with what it is about, and with the membership. */
export interface InboxEntriesTable {
  organization_id: OrganizationId
  user_id: UserId
  /** Follows from what it is about, so that an act that is delivered twice has one entry. */
  id: InboxEntryId
  kind: string
  /** Who did it. */
  actor_id: UserId
  space_id: SpaceId
  change_request_id: ChangeRequestId | null
  /** A comment or a reply. */
  comment_id: CommentId | null
  review_id: ReviewId | null
  /** The team that was asked. */
  team_id: TeamId | null
  at: Milliseconds
  read_at: Milliseconds | null
  /** When a mail about it was sent. */
  mailed_at: Milliseconds | null
}
