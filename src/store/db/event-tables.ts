/** The rows of events and of the webhooks that receive them; see tables.ts. */
import type { EventId, OrganizationId, SpaceId, WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import type { Bit, JsonText, Milliseconds } from './columns.js'

export interface EventTables {
  events: EventsTable
  webhooks: WebhooksTable
  webhook_subscriptions: WebhookSubscriptionsTable
  webhook_deliveries: WebhookDeliveriesTable
}

/** Events of a space or a site; immutable. */
export interface EventsTable {
  organization_id: OrganizationId
  /** The id of the space or site. */
  stream: string
  /** Sequence number in commit order within the stream: from 1, without gaps. */
  number: number
  id: EventId
  type: string
  /** Null for events of a site. */
  space_id: SpaceId | null
  /** Ids of the affected resources; no content. */
  data: JsonText
  at: Milliseconds
}

export interface WebhooksTable {
  organization_id: OrganizationId
  id: WebhookId
  title: string
  url: string
  active: Bit
  /** Part of its secret's derivation; incremented with each rotation. */
  key_generation: number
  key_rotated_at: Milliseconds | null
  /** Whether its receiver failed or was slow the last time: then it is served by separate workers. */
  is_slow: Bit
  /** When the first event since the last successful delivery was given up. */
  failing_since: Milliseconds | null
  /** When it was disabled because its receiver failed for too long. */
  disabled_at: Milliseconds | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

export interface WebhookSubscriptionsTable {
  organization_id: OrganizationId
  type: string
  webhook_id: WebhookId
}

/** The delivery of an event to one webhook. */
export interface WebhookDeliveriesTable {
  organization_id: OrganizationId
  id: WebhookDeliveryId
  webhook_id: WebhookId
  /** Delivery order. Deliveries for spaces that were written concurrently may have the same number. */
  number: number
  event_id: EventId
  type: string
  /** The body, as it is signed. */
  payload: string
  status: 'waiting' | 'delivered' | 'failed'
  /** The attempts, oldest first. */
  attempts: JsonText
  /** Time of the next retry; null before the first attempt, and when done. */
  due_at: Milliseconds | null
  /** Of the last attempt. */
  request_headers: JsonText | null
  response: JsonText | null
  replay_of: WebhookDeliveryId | null
  created_at: Milliseconds
  done_at: Milliseconds | null
}
