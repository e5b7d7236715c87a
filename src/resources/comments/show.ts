/** Comments and replies with their people, reactions and targets, as somebody sees them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Services } from '../../access/route/scope.js'
import type { Comment, CommentReply } from '../../contract/comments.js'
import type { Format } from '../../contract/content.js'
import type { CommentId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { ContentHere } from '../content/content.js'
import { documentOfWords } from '../content/words.js'
import { findPeopleOf } from '../users/store.js'
import { type Surroundings, presentComment, presentReply } from './present.js'
import { type Beholder, permissionsOn } from './rules.js'
import { type CommentRow, loadReactions, loadRepliers } from './store.js'
import { findTargets } from './targets.js'

export interface Showing {
  readonly db: Db
  readonly services: Services
  /** What is told of targets is told of this content. */
  readonly content: ContentHere
  readonly beholder: Beholder
  readonly format: Format | undefined
}

/** Returns comments of one place; their people, reactions and repliers are loaded together. */
export async function showComments(showing: Showing, rows: readonly CommentRow[]): Promise<Comment[]> {
  const { db, services, content } = showing
  const repliers = await loadRepliers(db, content.organizationId, repliedTo(rows))
  const people = [
    ...rows.flatMap((row) => row.resolved_by ?? []),
    ...[...repliers.values()].flat().map(({ userId }) => userId),
  ]
  const surroundings = await surroundingsOf(showing, rows, people)
  const targets = await findTargets(db, content, rows, services)
  return rows.map((row, at) =>
    presentComment(row, targets[at]!, repliers.get(row.id) ?? [], surroundings(row, at)),
  )
}

export async function showReplies(showing: Showing, rows: readonly CommentRow[]): Promise<CommentReply[]> {
  const surroundings = await surroundingsOf(showing, rows, [])
  return rows.map((row, at) => presentReply(row, surroundings(row, at)))
}

function repliedTo(rows: readonly CommentRow[]): CommentId[] {
  return rows.filter(({ replies }) => replies > 0).map(({ id }) => id)
}

async function surroundingsOf(
  { db, services: { addresses }, content, beholder, format }: Showing,
  rows: readonly CommentRow[],
  others: readonly CommentRow['posted_by'][],
): Promise<(row: CommentRow, at: number) => Surroundings> {
  const { organizationId, spaceId, changeRequestId } = content
  const reactions = await loadReactions(
    db,
    organizationId,
    rows.map(({ id }) => id),
  )
  const people = [
    ...rows.map((row) => row.posted_by),
    ...[...reactions.values()].flat().map((row) => row.user_id),
    ...others,
  ]
  const users = await findPeopleOf(db, organizationId, people)
  const bodies = await writeBodies(rows, format)
  const place = `/spaces/${spaceId}${changeRequestId === null ? '' : `/change-requests/${changeRequestId}`}`
  return (row, at) => {
    return {
      addresses,
      place,
      users,
      reactions,
      body: bodies[at]!,
      permissions: permissionsOn(row, beholder),
    }
  }
}

/** Characters that are parsed before others have their turn. */
const parsedAtOnce = 20_000

async function writeBodies(
  rows: readonly CommentRow[],
  format: Format = 'markdown',
): Promise<readonly Comment['body'][]> {
  if (format === 'markdown') return rows.map(({ body }) => ({ markdown: body }))
  const bodies: Comment['body'][] = []
  let parsed = 0
  for (const { body } of rows) {
    if ((parsed += body.length) > parsedAtOnce) {
      await nextTurn()
      parsed = body.length
    }
    bodies.push({ document: documentOfWords(body) })
  }
  return bodies
}
