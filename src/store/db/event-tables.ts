/** The rows of events and of the webhooks that are told of them; see tables.ts. */
import type { EventId, OrganizationId, SpaceId, WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import type { Bit, JsonText, Milliseconds } from './columns.js'

export interface EventTables {
  events: EventsTable
  webhooks: WebhooksTable
  webhook_subscriptions: WebhookSubscriptionsTable
  webhook_deliveries: WebhookDeliveriesTable
}

/** What happened in a space or a site; never changed. */
export interface EventsTable {
  organization_id: OrganizationId
  /** The space or the site in which it happened, by its id. */
  stream: string
  /** In the order in which the acts of the stream were committed: the first is 1, and none is left out. */
  number: number
  id: EventId
  type: string
  /** Null for what happened in a site. */
  space_id: SpaceId | null
  /** Which thing it was, by ids; no content. */
  data: JsonText
  at: Milliseconds
}

export interface WebhooksTable {
  organization_id: OrganizationId
  id: WebhookId
  title: string
  url: string
  active: Bit
  /** Its secret is made of it; counts up with each rotation. */
  key_generation: number
  key_rotated_at: Milliseconds | null
  /** Whether its receiver failed or took long the last time: it is served apart from the others then. */
  is_slow: Bit
  /** When the first event was given up after the last that was taken. */
  failing_since: Milliseconds | null
  /** When it was switched off because its receiver failed for too long. */
  disabled_at: Milliseconds | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

export interface WebhookSubscriptionsTable {
  organization_id: OrganizationId
  type: string
  webhook_id: WebhookId
}

/** An event that is to be told, or was, to one webhook. */
export interface WebhookDeliveriesTable {
  organization_id: OrganizationId
  id: WebhookDeliveryId
  webhook_id: WebhookId
  /** Sent in this order. Two of spaces that were written at the same moment may have the same. */
  number: number
  event_id: EventId
  type: string
  /** The body, as it is signed. */
  payload: string
  status: 'waiting' | 'delivered' | 'failed'
  /** A list, the first first. */
  attempts: JsonText
  /** When it is tried again; null for one that was not tried yet, or is done. */
  due_at: Milliseconds | null
  /** Of the last attempt. */
  request_headers: JsonText | null
  response: JsonText | null
  replay_of: WebhookDeliveryId | null
  created_at: Milliseconds
  done_at: Milliseconds | null
}
