/**
 * Events: what happened in a space or a site, written in the transaction of the act, with a delivery for each webhook
 * that wants to be told; so neither is lost or made up, whenever the process ends.
 *
 * An event names things by id and holds no content. Those of one space, and of one site, are numbered in the order in
 * which they were committed: whoever writes there holds it until then. Without webhooks an act costs one row more, and
 * one look at an index that holds nothing.
 */
import type { EventType } from '../../contract/events.js'
import type { EventId, OrganizationId, SiteId, SpaceId, UserId, WebhookDeliveryId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import type { Tx } from '../../store/db/database.js'
import { insertEvent, listWanting } from '../../store/events/rows.js'
import { newId } from '../ids.js'
import { type Delivering, deliverLater } from './deliver.js'

/** Where it happened: what is held by whoever writes it. */
export type Stream = { readonly spaceId: SpaceId } | { readonly siteId: SiteId }

/** Who did it, and when. */
export interface By {
  /** Null where nobody was signed in. */
  readonly userId: UserId | null
  readonly now: number
}

export interface NewEvent extends By {
  readonly organizationId: OrganizationId
  readonly stream: Stream
  readonly type: EventType
  /** Ids of the things that it is about, by the names of their parameters, and what else the type says. */
  readonly data?: Readonly<Record<string, Json>>
}

/** Writes an event, and what is to be told of it. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { organizationId, stream, type, userId, data = {}, now } = event
  const spaceId = 'spaceId' in stream ? stream.spaceId : null
  const name: string = 'spaceId' in stream ? stream.spaceId : stream.siteId
  const id = newId<EventId>()
  const said = { ...data, ...(userId !== null && { userId }) }
  await insertEvent(tx, {
    organization_id: organizationId,
    stream: name,
    id,
    type,
    space_id: spaceId,
    data: JSON.stringify(said),
    at: now,
  })
  for (const webhookId of await listWanting(tx, organizationId, type)) {
    const told: Delivering = {
      organizationId,
      webhookId,
      eventId: id,
      type,
      payload: payloadOf({ id, type, organizationId, stream, said, now }),
      now,
    }
    await deliverLater(tx, newId<WebhookDeliveryId>(), told)
  }
}

interface Told {
  readonly id: EventId
  readonly type: string
  readonly organizationId: OrganizationId
  readonly stream: Stream | Record<string, never>
  readonly said: Readonly<Record<string, Json>>
  readonly now: number
}

/** The body of a delivery, which is signed as it is. */
export function payloadOf({ id, type, organizationId, stream, said, now }: Told): string {
  const createdAt = new Date(now).toISOString()
  return JSON.stringify({ eventId: id, type, createdAt, organizationId, ...stream, ...said })
}
