/** Presents comments and replies as the API returns them. */
import { groupBy } from '../../core/group.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Comment, CommentReply } from '../../contract/comments.js'
import type { CommentId, UserId } from '../../core/ids.js'
import { presentUser } from '../users/present.js'
import type { UserRow } from '../users/store.js'
import type { CommentPermissions } from './rules.js'
import type { CommentRow, ReactionRow, Replier } from './store.js'
import type { CommentTarget } from './comment-target.js'
import { suggestionStatus } from './suggestion.js'

/** Data loaded beside the row of a comment or reply. */
export interface CommentRelations {
  readonly addresses: Addresses
  /** Path below which its own URL lies, such as `/spaces/…`. */
  readonly basePath: string
  readonly users: ReadonlyMap<UserId, UserRow>
  readonly reactions: ReadonlyMap<CommentId, readonly ReactionRow[]>
  readonly body: Comment['body']
  readonly permissions: CommentPermissions
}

export function presentComment(
  row: CommentRow,
  target: CommentTarget,
  repliers: readonly Replier[],
  relations: CommentRelations,
): Comment {
  const { users, addresses, basePath } = relations
  const user = (id: UserId) => presentUser(addresses, users.get(id)!)
  return {
    object: 'comment',
    ...presentCommon(row, relations, `${basePath}/comments/${row.id}`),
    replies: row.replies,
    repliers: repliers.map(({ userId, count, lastAt }) => {
      return { user: user(userId), count, updatedAt: toTimestamp(lastAt), actionType: 'comment' as const }
    }),
    target: presentTarget(row, target),
    ...(row.suggestion !== null && {
      suggestion: {
        replacement: row.suggestion,
        words: row.words!,
        status: suggestionStatus(row, target.words),
        ...(row.applied_at !== null && { appliedAt: toTimestamp(row.applied_at) }),
        ...(row.applied_by !== null && { appliedBy: user(row.applied_by) }),
        ...(row.applied_revision_id !== null && { revision: row.applied_revision_id }),
      },
    }),
    status: row.resolved_at === null ? 'open' : 'resolved',
    ...(row.resolved_at !== null && { resolvedAt: toTimestamp(row.resolved_at) }),
    ...(row.resolved_by !== null && { resolvedBy: user(row.resolved_by) }),
  }
}

export function presentReply(row: CommentRow, relations: CommentRelations): CommentReply {
  const location = `${relations.basePath}/comments/${row.comment_id}/replies/${row.id}`
  return { object: 'comment-reply', ...presentCommon(row, relations, location) }
}

function presentCommon(
  row: CommentRow,
  { addresses, users, reactions, body, permissions }: CommentRelations,
  location: string,
) {
  return {
    id: row.id,
    postedBy: presentUser(addresses, users.get(row.posted_by)!),
    postedAt: toTimestamp(row.posted_at),
    ...(row.edited_at !== null && { editedAt: toTimestamp(row.edited_at) }),
    reactions: presentReactions(reactions.get(row.id) ?? [], (id) => presentUser(addresses, users.get(id)!)),
    body,
    urls: { location: addresses.api(location) },
    permissions: { ...permissions },
  }
}

/** Groups reactions by emoji, in the order of their first use. */
function presentReactions(
  rows: readonly ReactionRow[],
  user: (id: UserId) => ReturnType<typeof presentUser>,
): Comment['reactions'] {
  return [...groupBy(rows, (row) => row.emoji)].map(([emoji, some]) => ({
    emoji,
    count: some.length,
    users: some.map((row) => ({ user: user(row.user_id), reactedAt: toTimestamp(row.reacted_at) })),
  }))
}

function presentTarget(
  row: CommentRow,
  { revision, page, node, words, isOutdated }: CommentTarget,
): Comment['target'] {
  return {
    space: row.space_id,
    revision,
    ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
    ...(row.review_id !== null && { review: row.review_id }),
    ...(page !== undefined && {
      page: {
        id: page.id,
        title: page.title,
        ...(page.emoji !== undefined && { emoji: page.emoji }),
        ...(page.icon !== undefined && { icon: page.icon }),
        ...(page.createdAt !== undefined && { createdAt: toTimestamp(page.createdAt) }),
        ...(page.updatedAt !== undefined && { updatedAt: toTimestamp(page.updatedAt) }),
        path: 'path' in page ? page.path : '',
        outdated: isOutdated,
      },
    }),
    ...(node !== undefined && {
      node: {
        id: node,
        ...(row.preview !== null && { preview: row.preview }),
        ...(words !== undefined &&
          (words.range === undefined
            ? { words: words.words, removed: true as const }
            : { ...words, range: words.range })),
      },
    }),
  }
}

function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
