/** Webhooks of an organization: URLs that are notified of events, and their deliveries. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { eventTypeNames, pingType } from './events.js'
import { ListOf, ListQuery, Timestamp, Url, Words, listQueryWith, shape } from './shapes.js'

/** Webhooks that an organization may have. */
export const maxWebhooks = 20
/** Milliseconds in which a receiver must answer. */
export const webhookTimeout = 10_000
/** Stored bytes of a receiver's response body, and of its headers. */
export const maxStoredAnswerBytes = 4_096
/** Retry delays in milliseconds, with ten percent jitter. */
export const webhookRetries: readonly number[] = [1_000, 2_000, 4_000]
/** Milliseconds after a rotation in which deliveries are also signed with the previous secret. */
export const secretOverlapMillis = 24 * 60 * 60 * 1000
/** Milliseconds of uninterrupted failures after which a webhook is switched off. */
export const maxFailingMillis = 3 * 24 * 60 * 60 * 1000
/** Deliveries that may wait for one webhook: it is switched off when there are more. */
export const maxWaitingDeliveries = 10_000

const Events = Type.Array(Words(eventTypeNames), {
  minItems: 1,
  maxItems: eventTypeNames.length,
  uniqueItems: true,
})

const webhook = {
  object: Type.Literal('webhook'),
  id: Type.String(),
  title: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  previousSecretExpiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Until when deliveries are also signed with the previous secret.',
    }),
  ),
  failingSince: Type.Optional(
    Type.String({ format: 'date-time', description: 'Since when all deliveries have failed.' }),
  ),
  disabledAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the webhook was deactivated because its deliveries kept failing.',
    }),
  ),
  urls: Type.Object({ location: Type.String() }),
}

export const Webhook = shape('Webhook', Type.Object(webhook))
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = shape(
  'WebhookWithSecret',
  Type.Object({
    ...webhook,
    secret: Type.String({ description: 'Secret that deliveries are signed with; returned only here.' }),
  }),
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const

const Attempt = Type.Object({
  at: Timestamp,
  milliseconds: Type.Integer(),
  status: Type.Optional(Type.Integer({ description: 'Status of the response; absent without one.' })),
  problem: Type.Optional(Type.String({ description: 'Why the attempt failed.' })),
})

const delivery = {
  object: Type.Literal('webhook-delivery'),
  id: Type.String(),
  webhook: Type.String(),
  event: Type.Object({ id: Type.String(), type: Type.String() }),
  status: Words(deliveryStatuses),
  attempts: Type.Array(Attempt),
  replayOf: Type.Optional(Type.String({ description: 'Id of the delivery that this one repeats.' })),
  createdAt: Timestamp,
  completedAt: Type.Optional(Timestamp),
  urls: Type.Object({ location: Type.String() }),
}

export const WebhookDelivery = shape('WebhookDelivery', Type.Object(delivery))
export type WebhookDelivery = Static<typeof WebhookDelivery>

const HeadersShape = Type.Record(Type.String(), Type.String())

export const WebhookDeliveryDetail = shape(
  'WebhookDeliveryDetail',
  Type.Object({
    ...delivery,
    request: Type.Object({
      headers: Type.Optional(HeadersShape),
      body: Type.String({ description: 'The body as it is signed.' }),
    }),
    response: Type.Optional(
      Type.Object({
        status: Type.Integer(),
        headers: HeadersShape,
        body: Type.String({ description: 'The beginning of the response body.' }),
      }),
    ),
  }),
)
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>

const place = '/orgs/:organizationId/webhooks'
const one = `${place}/:webhookId` as const
const deliveries = `${one}/deliveries` as const
const tag = 'Webhooks'

const Title = Type.String({ maxLength: 100 })
const Address = Type.String({ ...Url, description: 'Address that events are sent to, over https or http.' })

export const listWebhooks = endpoint('listWebhooks', 'GET', place, {
  summary: 'List webhooks',
  description: 'Returns the webhooks of an organization, oldest first.',
  tag,
  query: ListQuery,
  reply: ListOf(Webhook),
})

export const createWebhook = endpoint('createWebhook', 'POST', place, {
  summary: 'Create a webhook',
  description:
    'Sends events to an address from now on. Only this response contains the secret that deliveries are signed with.',
  tag,
  body: Type.Object({
    url: Address,
    events: Events,
    title: Type.Optional(Title),
    active: Type.Optional(Type.Boolean({ description: 'True by default.' })),
  }),
  reply: WebhookWithSecret,
  success: 201,
})

export const getWebhook = endpoint('getWebhook', 'GET', one, {
  summary: 'Get a webhook',
  description: 'Returns one webhook.',
  tag,
  reply: Webhook,
})

export const updateWebhook = endpoint('updateWebhook', 'PATCH', one, {
  summary: 'Update a webhook',
  description:
    'Changes the members that are sent. Deliveries that wait for a webhook which is switched off are given up.',
  tag,
  body: Type.Object({
    url: Type.Optional(Address),
    events: Type.Optional(Events),
    title: Type.Optional(Title),
    active: Type.Optional(Type.Boolean()),
  }),
  reply: Webhook,
})

export const deleteWebhook = endpoint('deleteWebhook', 'DELETE', one, {
  summary: 'Delete a webhook',
  description: 'Deletes a webhook with its deliveries.',
  tag,
  success: 204,
})

export const rotateWebhookSecret = endpoint('rotateWebhookSecret', 'POST', `${one}/rotate-secret`, {
  summary: 'Rotate the secret of a webhook',
  description: 'Creates a new secret. For a day deliveries are signed with the former secret as well.',
  tag,
  reply: WebhookWithSecret,
})

export const testWebhook = endpoint('testWebhook', 'POST', `${one}/test`, {
  summary: 'Test a webhook',
  description: `Sends an event of type "${pingType}" to a webhook.`,
  tag,
  reply: WebhookDelivery,
  success: 201,
})

export const listDeliveries = endpoint('listWebhookDeliveries', 'GET', deliveries, {
  summary: 'List the deliveries of a webhook',
  description: 'Returns what was sent to a webhook in the last 30 days, latest first.',
  tag,
  query: listQueryWith({
    status: Type.Optional(Words(deliveryStatuses, { description: 'Only deliveries with this status.' })),
  }),
  reply: ListOf(WebhookDelivery),
})

export const getDelivery = endpoint('getWebhookDelivery', 'GET', `${deliveries}/:deliveryId`, {
  summary: 'Get a delivery of a webhook',
  description: 'Returns a delivery with its request and the last response.',
  tag,
  reply: WebhookDeliveryDetail,
})

export const replayDelivery = endpoint('replayWebhookDelivery', 'POST', `${deliveries}/:deliveryId/replay`, {
  summary: 'Repeat a delivery of a webhook',
  description: 'Sends an event once more, with the same id and body.',
  tag,
  reply: WebhookDelivery,
  success: 201,
})
