/**
 * Transactional outbox of events: what happened in a space or a site, written in the transaction of the change, with a
 * delivery for each webhook that subscribes to the type; so neither is lost or invented, whenever the process ends.
 *
 * An event names resources by id and holds no content. Events of one space, and of one site, are numbered in commit
 * order: the writer locks the space or site until then. Without webhooks an event costs one row and one lookup in an
 * empty index.
 */
import type { EventType } from '../../contract/events.js'
import type { EventId, OrganizationId, SiteId, SpaceId, UserId, WebhookDeliveryId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import type { Tx } from '../../store/db/database.js'
import { insertEvent, listSubscribers } from '../../store/events/rows.js'
import { newId } from '../ids.js'
import { type NewDelivery, enqueueDelivery } from './deliveries.js'

/** Where it happened: the space or site that the writer has locked. */
export type Stream = { readonly spaceId: SpaceId } | { readonly siteId: SiteId }

/** Who caused the event, and when. */
export interface EventActor {
  /** Null where no one was signed in. */
  readonly userId: UserId | null
  readonly now: number
}

export interface NewEvent extends EventActor {
  readonly organizationId: OrganizationId
  readonly stream: Stream
  readonly type: EventType
  /** Ids of the resources that it is about, by the names of their path parameters, and further data of the type. */
  readonly data?: Readonly<Record<string, Json>>
}

interface PersonalEvent {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly type: string
  readonly users: readonly UserId[]
  readonly now: number
}

/** Writes an event that only these users see, on streams; no webhook receives it. The caller has locked the space. */
export async function recordPersonalEvent(
  tx: Tx,
  { organizationId, spaceId, type, users, now }: PersonalEvent,
): Promise<void> {
  await insertEvent(tx, {
    organization_id: organizationId,
    stream: spaceId,
    id: newId<EventId>(),
    type,
    space_id: spaceId,
    data: JSON.stringify({ users }),
    at: now,
  })
}

/** Writes an event, and a delivery for each webhook that subscribes to its type. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { organizationId, stream, type, userId, data = {}, now } = event
  const spaceId = 'spaceId' in stream ? stream.spaceId : null
  const name: string = 'spaceId' in stream ? stream.spaceId : stream.siteId
  const id = newId<EventId>()
  const eventData = { ...data, ...(userId !== null && { userId }) }
  const [subscribers] = await Promise.all([
    listSubscribers(tx, organizationId, type),
    insertEvent(tx, {
      organization_id: organizationId,
      stream: name,
      id,
      type,
      space_id: spaceId,
      data: JSON.stringify(eventData),
      at: now,
    }),
  ])
  for (const webhookId of subscribers) {
    const delivery: NewDelivery = {
      organizationId,
      webhookId,
      eventId: id,
      type,
      payload: payloadOf({ id, type, organizationId, stream, eventData, now }),
      now,
    }
    await enqueueDelivery(tx, newId<WebhookDeliveryId>(), delivery)
  }
}

interface DeliveryPayload {
  readonly id: EventId
  readonly type: string
  readonly organizationId: OrganizationId
  readonly stream: Stream | Record<string, never>
  readonly eventData: Readonly<Record<string, Json>>
  readonly now: number
}

/** Returns the body of a delivery as JSON; it is signed byte for byte. */
export function payloadOf({ id, type, organizationId, stream, eventData, now }: DeliveryPayload): string {
  const createdAt = new Date(now).toISOString()
  return JSON.stringify({ eventId: id, type, createdAt, organizationId, ...stream, ...eventData })
}
