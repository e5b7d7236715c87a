/** Notifications of comments: of those whom they mention, of the thread, and of whose change request it is. */
import { enqueueNotification } from '../../access/events/notifications.js'
import { findNewMentions } from '../../core/mentions.js'
import type { Tx } from '../../store/db/database.js'
import type { CommentRow } from './store.js'

/** Enqueues the notification of a new comment or reply, or of an edit of the earlier text; none that concerns no one. */
export async function notifyOfComment(tx: Tx, row: CommentRow, at: number, before?: string): Promise<void> {
  const mentioned = findNewMentions(before ?? '', row.body)
  const isEdit = before !== undefined
  const hasParticipants = !isEdit && (row.comment_id !== null || row.change_request_id !== null)
  if (mentioned.length === 0 && !hasParticipants) return
  await enqueueNotification(tx, {
    type: 'comment',
    organizationId: row.organization_id,
    spaceId: row.space_id,
    actorId: row.posted_by,
    commentId: row.id,
    mentioned,
    isEdit,
    at,
  })
}
