/** Presents comments and replies with users, reactions, targets and the viewer's permissions. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Services } from '../../access/route/scope.js'
import type { Comment, CommentReply } from '../../contract/comments.js'
import type { Format } from '../../contract/content.js'
import type { CommentId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { ContentContext } from '../content/content.js'
import { documentOfMarkdown } from '../content/markdown-document.js'
import { findPeopleOf } from '../users/store.js'
import { type CommentRelations, presentComment, presentReply } from './present.js'
import { type Viewer, permissionsOn } from './rules.js'
import { type CommentRow, loadReactions, loadRepliers } from './store.js'
import { findTargets } from './comment-target.js'

export interface CommentViewContext {
  readonly db: Db
  readonly services: Services
  /** Targets are resolved in this content. */
  readonly content: ContentContext
  readonly viewer: Viewer
  readonly format: Format | undefined
}

/** Returns comments of one space or change request; users, reactions and repliers are loaded in bulk. */
export async function showComments(
  context: CommentViewContext,
  rows: readonly CommentRow[],
): Promise<Comment[]> {
  const { db, services, content } = context
  const repliers = await loadRepliers(db, content.organizationId, repliedTo(rows))
  const userIds = [
    ...rows.flatMap((row) => row.resolved_by ?? []),
    ...rows.flatMap((row) => row.applied_by ?? []),
    ...[...repliers.values()].flat().map(({ userId }) => userId),
  ]
  const relations = await loadRelations(context, rows, userIds)
  const targets = await findTargets(db, content, rows, services)
  return rows.map((row, at) =>
    presentComment(row, targets[at]!, repliers.get(row.id) ?? [], relations(row, at)),
  )
}

export async function showReplies(
  context: CommentViewContext,
  rows: readonly CommentRow[],
): Promise<CommentReply[]> {
  const relations = await loadRelations(context, rows, [])
  return rows.map((row, at) => presentReply(row, relations(row, at)))
}

function repliedTo(rows: readonly CommentRow[]): CommentId[] {
  return rows.filter(({ replies }) => replies > 0).map(({ id }) => id)
}

async function loadRelations(
  { db, services: { addresses }, content, viewer, format }: CommentViewContext,
  rows: readonly CommentRow[],
  otherUsers: readonly CommentRow['posted_by'][],
): Promise<(row: CommentRow, at: number) => CommentRelations> {
  const { organizationId, spaceId, changeRequestId } = content
  const reactions = await loadReactions(
    db,
    organizationId,
    rows.map(({ id }) => id),
  )
  const userIds = [
    ...rows.map((row) => row.posted_by),
    ...[...reactions.values()].flat().map((row) => row.user_id),
    ...otherUsers,
  ]
  const users = await findPeopleOf(db, organizationId, userIds)
  const bodies = await renderBodies(rows, format)
  const basePath = `/spaces/${spaceId}${changeRequestId === null ? '' : `/change-requests/${changeRequestId}`}`
  return (row, at) => {
    return {
      addresses,
      basePath,
      users,
      reactions,
      body: bodies[at]!,
      permissions: permissionsOn(row, viewer),
    }
  }
}

/** Characters that are parsed before yielding to the event loop. */
const charactersPerTurn = 20_000

async function renderBodies(
  rows: readonly CommentRow[],
  format: Format = 'markdown',
): Promise<readonly Comment['body'][]> {
  if (format === 'markdown') return rows.map(({ body }) => ({ markdown: body }))
  const bodies: Comment['body'][] = []
  let parsed = 0
  for (const { body } of rows) {
    if ((parsed += body.length) > charactersPerTurn) {
      await nextTurn()
      parsed = body.length
    }
    bodies.push({ document: documentOfMarkdown(body) })
  }
  return bodies
}
