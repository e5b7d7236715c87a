/** Queue of webhook deliveries: a row for each delivery, and one job for all of a webhook. */
import type { EventId, OrganizationId, WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { insertDelivery } from '../../store/events/rows.js'
import { enqueue } from '../../store/jobs/outbox.js'

/** Job that sends the waiting deliveries of a webhook. */
export const sendWebhookJob = 'send-webhook'
/**
 * The same for a webhook whose receiver failed or was slow the last time: other lanes, so that no other webhook waits
 * for it.
 */
export const sendSlowWebhookJob = 'send-slow-webhook'

export interface WebhookJob {
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
}

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendWebhookJob]: WebhookJob
    [sendSlowWebhookJob]: WebhookJob
  }
}

export interface NewDelivery {
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
  readonly eventId: EventId
  readonly type: string
  readonly payload: string
  readonly replayOf?: WebhookDeliveryId
  readonly now: number
}

/** Inserts a delivery behind those that wait for the webhook, and enqueues the job that sends it once this commits. */
export async function enqueueDelivery(tx: Tx, id: WebhookDeliveryId, delivery: NewDelivery): Promise<void> {
  const { organizationId, webhookId, eventId, type, payload, replayOf, now } = delivery
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
  await enqueueSending(tx, sendWebhookJob, { organizationId, webhookId }, now)
}

/** Enqueues the job that sends the waiting deliveries of a webhook, immediately or at `runAt`. */
export async function enqueueSending(
  tx: Tx,
  type: typeof sendWebhookJob | typeof sendSlowWebhookJob,
  { organizationId, webhookId }: WebhookJob,
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
