/** The rows of comments and of reactions to them; see tables.ts. */
import type { Generated } from 'kysely'
import type {
  ChangeRequestId,
  CommentId,
  Hash,
  OrganizationId,
  PageId,
  ReviewId,
  RevisionId,
  SpaceId,
  UserId,
} from '../../core/ids.js'
import type { Milliseconds } from './columns.js'

export interface CommentTables {
  comments: CommentsTable
  comment_reactions: CommentReactionsTable
}

/** A comment, or a reply to one: a reply has no target, is not resolved and has no replies. */
export interface CommentsTable {
  organization_id: OrganizationId
  id: CommentId
  space_id: SpaceId
  /** The change request in which it was made; after its merge, the comment is on the space too. */
  change_request_id: ChangeRequestId | null
  /** What it replies to. */
  comment_id: CommentId | null
  /** The review that contains it. */
  review_id: Generated<ReviewId | null>
  /** The revision that was commented on. */
  revision_id: RevisionId
  page_id: PageId | null
  /** The text of the page in that revision, for a comment on a block. */
  text_hash: Hash | null
  /** The key of the block in that text. */
  node: string | null
  /** The first words of the block. */
  preview: string | null
  /** The range of a comment on words, in the words of the block, and these words. */
  range_start: Generated<number | null>
  range_end: Generated<number | null>
  words: Generated<string | null>
  /** Inline Markdown that is suggested instead of the words. */
  suggestion: Generated<string | null>
  /** When, by whom and by which revision the suggestion was applied. */
  applied_at: Generated<Milliseconds | null>
  applied_by: Generated<UserId | null>
  applied_revision_id: Generated<RevisionId | null>
  /** Markdown. */
  body: string
  posted_by: UserId
  posted_at: Milliseconds
  edited_at: Milliseconds | null
  /** Null while it is open. */
  resolved_at: Milliseconds | null
  resolved_by: UserId | null
  replies: Generated<number>
}

export interface CommentReactionsTable {
  organization_id: OrganizationId
  space_id: SpaceId
  comment_id: CommentId
  /** Code points in hexadecimal. */
  emoji: string
  user_id: UserId
  reacted_at: Milliseconds
}
