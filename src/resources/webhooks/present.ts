/** Wire format of webhooks and their deliveries. */
import type { Addresses } from '../../contract/addresses.js'
import { eventTypeNames } from '../../contract/events.js'
import {
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  secretOverlapMillis,
} from '../../contract/webhooks.js'
import type { DeliveryRow, WebhookRow } from './store.js'

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** `types` are the subscribed events; `now` decides whether the previous secret is still valid. */
export function presentWebhook(
  addresses: Addresses,
  row: WebhookRow,
  types: readonly string[],
  now: number,
): Webhook {
  const overlap = row.key_rotated_at === null ? 0 : row.key_rotated_at + secretOverlapMillis
  return {
    object: 'webhook',
    id: row.id,
    title: row.title,
    url: row.url,
    events: eventTypeNames.filter((name) => types.includes(name)),
    active: row.active === 1,
    createdAt: timeOf(row.created_at),
    updatedAt: timeOf(row.updated_at),
    ...(overlap > now && { previousSecretExpiresAt: timeOf(overlap) }),
    ...(row.failing_since !== null && { failingSince: timeOf(row.failing_since) }),
    ...(row.disabled_at !== null && { disabledAt: timeOf(row.disabled_at) }),
    urls: { location: addresses.api(`/orgs/${row.organization_id}/webhooks/${row.id}`) },
  }
}

/** An attempt as stored. */
export interface Attempt {
  readonly at: number
  readonly milliseconds: number
  readonly status?: number
  readonly problem?: string
}

/** The receiver's response as stored. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function presentDelivery(addresses: Addresses, row: DeliveryRow): WebhookDelivery {
  const attempts = JSON.parse(row.attempts) as Attempt[]
  const path = `/orgs/${row.organization_id}/webhooks/${row.webhook_id}/deliveries/${row.id}`
  return {
    object: 'webhook-delivery',
    id: row.id,
    webhook: row.webhook_id,
    event: { id: row.event_id, type: row.type },
    status: row.status,
    attempts: attempts.map(({ at, ...attempt }) => ({ at: timeOf(at), ...attempt })),
    ...(row.replay_of !== null && { replayOf: row.replay_of }),
    createdAt: timeOf(row.created_at),
    ...(row.done_at !== null && { completedAt: timeOf(row.done_at) }),
    urls: { location: addresses.api(path) },
  }
}

export function presentDeliveryDetail(addresses: Addresses, row: DeliveryRow): WebhookDeliveryDetail {
  const headers = row.request_headers === null ? undefined : (JSON.parse(row.request_headers) as Headers)
  const response = row.response === null ? undefined : (JSON.parse(row.response) as StoredResponse)
  return {
    ...presentDelivery(addresses, row),
    request: { ...(headers !== undefined && { headers }), body: row.payload },
    ...(response !== undefined && { response }),
  }
}

type Headers = Record<string, string>
