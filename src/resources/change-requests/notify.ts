/** Notifications of the people whom the description of a change request mentions. */
import { enqueueNotification } from '../../access/events/notifications.js'
import { findNewMentions } from '../../core/mentions.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import type { ChangeRequestRow } from './store.js'

/** Enqueues the notification of those whom the description mentions and the earlier one did not. */
export async function notifyOfDescription(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId, id: changeRequestId }: ChangeRequestRow,
  descriptions: { readonly before: string; readonly after: string },
  { userId: actorId, now: at }: { readonly userId: UserId; readonly now: number },
): Promise<void> {
  const mentioned = findNewMentions(descriptions.before, descriptions.after)
  if (mentioned.length === 0) return
  await enqueueNotification(tx, {
    type: 'description',
    organizationId,
    spaceId,
    actorId,
    changeRequestId,
    mentioned,
    at,
  })
}
