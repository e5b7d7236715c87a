/** Deliveries that wait to be sent: a row each, and one job for all of a webhook. */
import type { EventId, OrganizationId, WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { insertDelivery } from '../../store/events/rows.js'
import { enqueue } from '../../store/jobs/outbox.js'

/** Sends what waits for a webhook: `{ organizationId, webhookId }`. */
export const sendWebhookJob = 'send-webhook'
/** The same for one whose receiver failed or took long the last time: other lanes, so that nobody waits for it. */
export const sendSlowWebhookJob = 'send-slow-webhook'

export interface Delivering {
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
  readonly eventId: EventId
  readonly type: string
  readonly payload: string
  readonly replayOf?: WebhookDeliveryId
  readonly now: number
}

/** Writes a delivery after all that wait for the webhook, and has it sent once this commits. */
export async function deliverLater(tx: Tx, id: WebhookDeliveryId, told: Delivering): Promise<void> {
  const { organizationId, webhookId, eventId, type, payload, replayOf, now } = told
  await insertDelivery(tx, {
    organization_id: organizationId,
    id,
    webhook_id: webhookId,
    event_id: eventId,
    type,
    payload,
    replay_of: replayOf ?? null,
    created_at: now,
  })
  await askToSend(tx, sendWebhookJob, { organizationId, webhookId }, now)
}

/** Has what waits for a webhook sent, at once or not before a time. */
export async function askToSend(
  tx: Tx,
  type: typeof sendWebhookJob | typeof sendSlowWebhookJob,
  { organizationId, webhookId }: { readonly organizationId: OrganizationId; readonly webhookId: WebhookId },
  now: number,
  runAt?: number,
): Promise<void> {
  await enqueue(tx, {
    organizationId,
    type,
    key: webhookId,
    payload: { organizationId, webhookId },
    at: now,
    ...(runAt !== undefined && { runAt }),
  })
}
