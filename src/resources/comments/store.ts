/** Queries on comments, replies and reactions. */
import { type SelectQueryBuilder, sql } from 'kysely'
import { groupBy } from '../../core/group.js'
import type {
  ChangeRequestId,
  CommentId,
  OrganizationId,
  PageId,
  ReviewId,
  SpaceId,
  UserId,
} from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import type { ChangeRequestRow } from '../change-requests/store.js'

export type CommentRow = Row<'comments'>
type CommentKey = Pick<CommentRow, 'organization_id' | 'id'>

/** What comments belong to: a space, or a change request of it. */
export interface CommentParent {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly changeRequestId: ChangeRequestId | null
}

/** Finds a comment, not a reply, of the parent. */
export function findComment(db: Db, parent: CommentParent, id: CommentId): Promise<CommentRow | undefined> {
  return commentsAt(db, parent).where('comments.id', '=', id).executeTakeFirst()
}

/** Finds the comments of the parent with these ids, in no order. */
export async function findComments(
  db: Db,
  parent: CommentParent,
  ids: readonly CommentId[],
): Promise<CommentRow[]> {
  return commentsAt(db, parent).where('comments.id', 'in', ids).execute()
}

export interface CommentFilter {
  readonly status: 'all' | 'open' | 'resolved'
  readonly page?: PageId | undefined
  readonly authors?: readonly UserId[] | undefined
  readonly order: 'asc' | 'desc'
}

/** Lists the comments of a parent by the time they were posted. */
export function listComments(
  db: Db,
  parent: CommentParent,
  { status, page, authors, order }: CommentFilter,
  list: PageRequest,
): Promise<ListPage<CommentRow>> {
  let query = commentsAt(db, parent)
  if (status !== 'all') query = query.where('comments.resolved_at', status === 'open' ? 'is' : 'is not', null)
  if (page !== undefined) query = query.where('comments.page_id', '=', page)
  if (authors !== undefined && authors.length > 0) query = query.where('comments.posted_by', 'in', authors)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'comments.posted_at', type: 'integer', direction: order }],
    id: 'comments.id',
  })
}

/** Selects the comments of a change request; for a space, its own and those of its merged change requests. */
function commentsAt(
  db: Db,
  { organizationId, spaceId, changeRequestId }: CommentParent,
): SelectQueryBuilder<any, any, CommentRow> {
  const query = db
    .selectFrom('comments')
    .selectAll('comments')
    .where('comments.organization_id', '=', organizationId)
    .where('comments.comment_id', 'is', null)
  if (changeRequestId !== null) return query.where('comments.change_request_id', '=', changeRequestId)
  return query
    .where('comments.space_id', '=', spaceId)
    .where((where) =>
      where.or([
        where('comments.change_request_id', 'is', null),
        where.exists(
          where
            .selectFrom('change_requests')
            .select('change_requests.id')
            .where('change_requests.organization_id', '=', organizationId)
            .whereRef('change_requests.id', '=', 'comments.change_request_id')
            .where('change_requests.status', '=', 'merged'),
        ),
      ]),
    )
}

/** Returns the comments of these reviews; reviews without one are left out. */
export async function findCommentsOfReviews(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly ReviewId[],
): Promise<CommentRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('comments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('review_id', 'in', ids)
    .execute()
}

export function findReply(
  db: Db,
  { organization_id: organizationId, id: commentId }: CommentKey,
  id: CommentId,
): Promise<CommentRow | undefined> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('comment_id', '=', commentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds a comment or a reply of the space by its id. */
export function findCommentOrReply(
  db: Db,
  { organizationId, spaceId }: Pick<CommentParent, 'organizationId' | 'spaceId'>,
  id: CommentId,
): Promise<CommentRow | undefined> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the replies to a comment, oldest first. */
export function listReplies(
  db: Db,
  { organization_id: organizationId, id }: CommentKey,
  list: PageRequest,
): Promise<ListPage<CommentRow>> {
  const query = db
    .selectFrom('comments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('comment_id', '=', id)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'comments.posted_at', type: 'integer', direction: 'asc' }],
    id: 'comments.id',
  })
}

export function insertComment(tx: Tx, row: NewRow<'comments'>): Promise<CommentRow> {
  return tx.insertInto('comments').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateComment(
  tx: Tx,
  { organization_id: organizationId, id }: CommentKey,
  change: RowUpdate<'comments'>,
): Promise<CommentRow> {
  return tx
    .updateTable('comments')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a comment or reply; its replies and reactions are deleted by cascade. */
export async function deleteComment(
  tx: Tx,
  { organization_id: organizationId, id }: CommentKey,
): Promise<void> {
  await tx.deleteFrom('comments').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Adds `by` to the number of replies of a comment. */
export async function countReply(
  tx: Tx,
  organizationId: OrganizationId,
  commentId: CommentId,
  by: 1 | -1,
): Promise<void> {
  await tx
    .updateTable('comments')
    .set((is) => ({ replies: is('replies', '+', by) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', commentId)
    .execute()
}

/** Returns the users who commented or replied in a change request, with count and time of the last one. */
export async function listCommentAuthors(
  db: Db,
  { organization_id: organizationId, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
): Promise<{ readonly user_id: UserId; readonly count: number; readonly updated_at: number }[]> {
  return db
    .selectFrom('comments')
    .select(({ fn }) => [
      'posted_by as user_id',
      fn.countAll<number>().as('count'),
      fn.max<number>('posted_at').as('updated_at'),
    ])
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', id)
    .groupBy('posted_by')
    .execute()
}

/** Returns who replied to the same comment before, the latest first. */
export async function listEarlierRepliers(
  db: Db,
  { organization_id: organizationId, comment_id: id, posted_at: before }: CommentRow,
  limit: number,
): Promise<readonly UserId[]> {
  const rows = await db
    .selectFrom('comments')
    .select(({ fn }) => ['posted_by', fn.max<number>('posted_at').as('last_at')])
    .where('organization_id', '=', organizationId)
    .where('comment_id', '=', id)
    .where('posted_at', '<', before)
    .groupBy('posted_by')
    .orderBy(sql`last_at`, 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.posted_by)
}

/** A user who replied to a comment. */
export interface Replier {
  readonly userId: UserId
  readonly count: number
  readonly lastAt: number
}

/** Returns the repliers of each of these comments, the latest first. */
export async function loadRepliers(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly CommentId[],
): Promise<Map<CommentId, readonly Replier[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('comments')
    .select(({ fn }) => [
      'comment_id',
      'posted_by',
      fn.countAll<number>().as('count'),
      fn.max<number>('posted_at').as('last_at'),
    ])
    .where('organization_id', '=', organizationId)
    .where('comment_id', 'in', ids)
    .groupBy(['comment_id', 'posted_by'])
    .orderBy(sql`last_at`, 'desc')
    .orderBy('posted_by')
    .execute()
  const repliers = rows.map(({ comment_id: id, posted_by: userId, count, last_at: lastAt }) => {
    return { id: id!, userId, count, lastAt }
  })
  return groupBy(repliers, ({ id }) => id)
}

export type ReactionRow = Row<'comment_reactions'>

/** Returns the reactions to each of these comments and replies, oldest first. */
export async function loadReactions(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly CommentId[],
): Promise<Map<CommentId, readonly ReactionRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('comment_reactions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('comment_id', 'in', ids)
    .orderBy('reacted_at')
    .orderBy('emoji')
    .orderBy('user_id')
    .execute()
  return groupBy(rows, (row) => row.comment_id)
}

/** Adds reactions of one user; existing ones are unchanged. */
export async function putReactions(tx: Tx, rows: readonly ReactionRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('comment_reactions')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'comment_id', 'emoji', 'user_id']).doNothing(),
    )
    .execute()
}

/** Deletes reactions of one user. */
export async function deleteReactions(
  tx: Tx,
  { organization_id: organizationId, id }: CommentKey,
  userId: UserId,
  emoji: readonly string[],
): Promise<void> {
  if (emoji.length === 0) return
  await tx
    .deleteFrom('comment_reactions')
    .where('organization_id', '=', organizationId)
    .where('comment_id', '=', id)
    .where('user_id', '=', userId)
    .where('emoji', 'in', emoji)
    .execute()
}
