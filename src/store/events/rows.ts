/** Rows of events and of new deliveries: both are numbered by the statement that writes them. */
import { sql } from 'kysely'
import type { OrganizationId, WebhookId } from '../../core/ids.js'
import type { Db, Tx } from '../db/database.js'
import { prepared } from '../db/prepared.js'
import type { NewRow, Row } from '../db/tables.js'

type UnnumberedEvent = Omit<NewRow<'events'>, 'number'>

/** Writes an event after the last one of its stream. */
export async function insertEvent(tx: Tx, row: UnnumberedEvent): Promise<void> {
  await insertNumbered(tx, row)
}

const insertNumbered = prepared<UnnumberedEvent>()((db, row) => {
  const { organization_id, stream, id, type, space_id, data, at } = row
  const number = sql<number>`(select coalesce(max(number), 0) + 1 from events
    where organization_id = ${organization_id} and stream = ${stream})`
  return db.insertInto('events').values({ organization_id, stream, id, type, space_id, data, at, number })
})

/** Returns the webhooks that subscribe to a type of event. */
export async function listSubscribers(
  tx: Tx,
  organizationId: OrganizationId,
  type: string,
): Promise<WebhookId[]> {
  const { rows } = await selectSubscribers(tx, { organizationId, type })
  return rows.map(({ id }) => id)
}

const selectSubscribers = prepared<{ readonly organizationId: OrganizationId; readonly type: string }>()(
  (db, { organizationId, type }) =>
    db
      .selectFrom('webhook_subscriptions')
      .innerJoin('webhooks', (join) =>
        join
          .onRef('webhooks.organization_id', '=', 'webhook_subscriptions.organization_id')
          .onRef('webhooks.id', '=', 'webhook_subscriptions.webhook_id'),
      )
      .select('webhook_subscriptions.webhook_id as id')
      .where('webhook_subscriptions.organization_id', '=', organizationId)
      .where('webhook_subscriptions.type', '=', type)
      .where('webhooks.active', '=', 1),
)

type PendingDelivery = Pick<
  NewRow<'webhook_deliveries'>,
  'organization_id' | 'id' | 'webhook_id' | 'event_id' | 'type' | 'payload' | 'replay_of' | 'created_at'
>

/** Inserts a pending delivery, after all others of its webhook. */
export async function insertDelivery(tx: Tx, row: PendingDelivery): Promise<void> {
  const number = sql<number>`(select coalesce(max(number), 0) + 1 from webhook_deliveries
    where organization_id = ${row.organization_id} and webhook_id = ${row.webhook_id})`
  await tx
    .insertInto('webhook_deliveries')
    .values({
      ...row,
      number,
      status: 'waiting',
      attempts: '[]',
      due_at: null,
      request_headers: null,
      response: null,
      done_at: null,
    })
    .execute()
}

/** Returns the number of the last event of a stream; 0 when it is empty. */
export async function findLastNumber(
  db: Db,
  { organizationId, stream }: { readonly organizationId: OrganizationId; readonly stream: string },
): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('number')
    .where('organization_id', '=', organizationId)
    .where('stream', '=', stream)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.number ?? 0
}

/** Returns the number of the last event of each stream of an organization that has stored events. */
export async function findLastNumbers(
  db: Db,
  organizationId: OrganizationId,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('events')
    .select(({ fn }) => ['stream', fn.max('number').as('number')])
    .where('organization_id', '=', organizationId)
    .groupBy('stream')
    .orderBy('stream')
    .execute()
  return new Map(rows.map(({ stream, number }) => [stream, Number(number)]))
}

/** Returns some events of a stream after a number, in order. */
export function listEventsAfter(
  db: Db,
  { organizationId, stream }: { readonly organizationId: OrganizationId; readonly stream: string },
  number: number,
  limit: number,
): Promise<Row<'events'>[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('stream', '=', stream)
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute()
}
