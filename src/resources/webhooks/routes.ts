/** Routes of webhooks and webhook deliveries, for admins of the organization. */
import { enqueueDelivery } from '../../access/events/deliveries.js'
import { payloadOf } from '../../access/events/record.js'
import { newId } from '../../access/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { pingType } from '../../contract/events.js'
import * as operations from '../../contract/webhooks.js'
import type { EventId, WebhookDeliveryId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { inOrganization } from '../organizations/scope.js'
import { changeWebhook, createWebhook } from './change.js'
import { presentDelivery, presentDeliveryDetail, presentWebhook } from './present.js'
import { atWebhook, inDelivery, inWebhook } from './scope.js'
import {
  type WebhookRow,
  deleteWebhook,
  findDelivery,
  listDeliveries,
  listWebhooks,
  loadSubscriptions,
  updateWebhook,
} from './store.js'

async function presentWebhooks(db: Db, { addresses }: Services, rows: readonly WebhookRow[], now: number) {
  const [first] = rows
  if (first === undefined) return []
  const ids = rows.map(({ id }) => id)
  const subscriptions = await loadSubscriptions(db, first.organization_id, ids)
  return rows.map((row) => presentWebhook(addresses, row, subscriptions.get(row.id)!, now))
}

/** The only responses with the secret: a lost one must be rotated. */
async function presentWithSecret(db: Db, services: Services, row: WebhookRow, now: number) {
  const [presented] = await presentWebhooks(db, services, [row], now)
  return { ...presented!, secret: services.addresses.webhookSecret(row.id, row.key_generation) }
}

interface DeliveryRequest {
  readonly eventId: EventId
  readonly type: string
  readonly payload: string
  readonly replayOf?: WebhookDeliveryId
}

/** Enqueues a delivery on request of an admin, and returns it; throws 409 for an inactive webhook. */
async function createDelivery(
  tx: Tx,
  { addresses }: Services,
  webhook: WebhookRow,
  request: DeliveryRequest,
  now: number,
) {
  if (webhook.active !== 1) throw new ApiError('webhook_inactive')
  const { organization_id: organizationId, id: webhookId } = webhook
  const id = newId<WebhookDeliveryId>()
  await enqueueDelivery(tx, id, { organizationId, webhookId, ...request, now })
  return presentDelivery(addresses, (await findDelivery(tx, webhook, id))!)
}

export const webhookRoutes: readonly Route[] = [
  route(operations.listWebhooks, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ db, organization: { row }, query, services, now }) => {
      const list = await listWebhooks(db, row.id, query)
      return { ...list, items: await presentWebhooks(db, services, list.items, now) }
    },
  }),

  route(operations.createWebhook, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization, body, services, now }) => {
      const row = await createWebhook(tx, organization.row.id, body, now)
      return presentWithSecret(tx, services, row, now)
    },
  }),

  route(operations.getWebhook, {
    at: inWebhook,
    allow: 'administer',
    handle: async ({ db, webhook, services, now }) =>
      (await presentWebhooks(db, services, [webhook], now))[0]!,
  }),

  route(operations.updateWebhook, {
    at: inWebhook,
    allow: 'administer',
    handle: async ({ tx, webhook, body, services, now }) => {
      const row = await changeWebhook(tx, webhook, body, now)
      return (await presentWebhooks(tx, services, [row], now))[0]!
    },
  }),

  route(operations.deleteWebhook, {
    at: atWebhook,
    allow: 'administer',
    handle: async ({ tx, webhook }) => (webhook === undefined ? nothingRemoved : deleteWebhook(tx, webhook)),
  }),

  route(operations.rotateWebhookSecret, {
    at: inWebhook,
    allow: 'administer',
    handle: async ({ tx, webhook, services, now }) => {
      const change = { key_generation: webhook.key_generation + 1, key_rotated_at: now, updated_at: now }
      return presentWithSecret(tx, services, await updateWebhook(tx, webhook, change), now)
    },
  }),

  route(operations.testWebhook, {
    at: inWebhook,
    allow: 'administer',
    handle: ({ tx, actor, webhook, services, now }) => {
      const { organization_id: organizationId } = webhook
      const id = newId<EventId>()
      const eventData = { webhookId: webhook.id, userId: actor.userId }
      const payload = payloadOf({ id, type: pingType, organizationId, stream: {}, eventData, now })
      return createDelivery(tx, services, webhook, { eventId: id, type: pingType, payload }, now)
    },
  }),

  route(operations.listDeliveries, {
    at: inWebhook,
    allow: 'administer',
    handle: async ({ db, webhook, query, services }) => {
      const list = await listDeliveries(db, webhook, query)
      return { ...list, items: list.items.map((row) => presentDelivery(services.addresses, row)) }
    },
  }),

  route(operations.getDelivery, {
    at: inDelivery,
    allow: 'administer',
    handle: async ({ delivery, services }) => presentDeliveryDetail(services.addresses, delivery),
  }),

  route(operations.replayDelivery, {
    at: inDelivery,
    allow: 'administer',
    handle: ({ tx, webhook, delivery, services, now }) => {
      const { event_id: eventId, type, payload, id: replayOf } = delivery
      return createDelivery(tx, services, webhook, { eventId, type, payload, replayOf }, now)
    },
  }),
]
