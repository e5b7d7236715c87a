/** Tables of webhooks, subscriptions and deliveries. */
import type { EventType } from '../../contract/events.js'
import type { OrganizationId, WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type WebhookRow = Row<'webhooks'>
export type DeliveryRow = Row<'webhook_deliveries'>
export type WebhookKey = Pick<WebhookRow, 'organization_id' | 'id'>

export function findWebhook(db: Db, { organization_id, id }: WebhookKey): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the webhooks of an organization, oldest first. */
export function listWebhooks(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<WebhookRow>> {
  const query = db.selectFrom('webhooks').selectAll().where('organization_id', '=', organizationId)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'webhooks.created_at', type: 'integer', direction: 'asc' }],
    id: 'webhooks.id',
  })
}

export async function countWebhooks(db: Db, organizationId: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertWebhook(tx: Tx, row: NewRow<'webhooks'>): Promise<WebhookRow> {
  return tx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateWebhook(
  tx: Tx,
  { organization_id, id }: WebhookKey,
  change: RowUpdate<'webhooks'>,
): Promise<WebhookRow> {
  return tx
    .updateTable('webhooks')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a webhook with its subscriptions and deliveries (cascade). */
export async function deleteWebhook(tx: Tx, { organization_id, id }: WebhookKey): Promise<void> {
  await tx
    .deleteFrom('webhooks')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Returns the subscribed event types of webhooks of one organization, by webhook. */
export async function loadSubscriptions(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly WebhookId[],
): Promise<Map<WebhookId, string[]>> {
  const typesByWebhook = new Map<WebhookId, string[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return typesByWebhook
  const rows = await db
    .selectFrom('webhook_subscriptions')
    .select(['webhook_id', 'type'])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', 'in', ids)
    .execute()
  for (const { webhook_id, type } of rows) typesByWebhook.get(webhook_id)!.push(type)
  return typesByWebhook
}

/** Replaces the subscriptions of a webhook. */
export async function putSubscriptions(
  tx: Tx,
  { organization_id, id }: WebhookKey,
  types: readonly EventType[],
): Promise<void> {
  await tx
    .deleteFrom('webhook_subscriptions')
    .where('organization_id', '=', organization_id)
    .where('webhook_id', '=', id)
    .execute()
  await tx
    .insertInto('webhook_subscriptions')
    .values(types.map((type) => ({ organization_id, type, webhook_id: id })))
    .execute()
}

function deliveriesOf(db: Db, { organization_id, id }: WebhookKey) {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_deliveries.organization_id', '=', organization_id)
    .where('webhook_deliveries.webhook_id', '=', id)
}

/** Lists the deliveries of a webhook, the latest first. */
export function listDeliveries(
  db: Db,
  webhook: WebhookKey,
  { status, ...list }: PageRequest & { readonly status?: DeliveryRow['status'] | undefined },
): Promise<ListPage<DeliveryRow>> {
  const all = deliveriesOf(db, webhook)
  const query = status === undefined ? all : all.where('webhook_deliveries.status', '=', status)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'webhook_deliveries.created_at', type: 'integer', direction: 'desc' }],
    id: 'webhook_deliveries.id',
  })
}

export function findDelivery(
  db: Db,
  webhook: WebhookKey,
  id: WebhookDeliveryId,
): Promise<DeliveryRow | undefined> {
  return deliveriesOf(db, webhook).where('webhook_deliveries.id', '=', id).executeTakeFirst()
}

/** Returns the first waiting delivery of a webhook. */
export function findNextDelivery(db: Db, webhook: WebhookKey): Promise<DeliveryRow | undefined> {
  return deliveriesOf(db, webhook)
    .where('webhook_deliveries.status', '=', 'waiting')
    .orderBy('webhook_deliveries.number')
    .orderBy('webhook_deliveries.id')
    .limit(1)
    .executeTakeFirst()
}

/** True when more than `limit` deliveries of a webhook are waiting. */
export async function hasBacklogOver(
  db: Db,
  { organization_id, id }: WebhookKey,
  limit: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('webhook_id', '=', id)
    .where('status', '=', 'waiting')
    .orderBy('number')
    .orderBy('id')
    .offset(limit)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Updates a waiting delivery; ignored when it is no longer waiting. */
export async function updateWaitingDelivery(
  tx: Tx,
  { organization_id, id }: Pick<DeliveryRow, 'organization_id' | 'id'>,
  change: RowUpdate<'webhook_deliveries'>,
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

/** Marks all waiting deliveries of a webhook as failed. */
export async function failWaitingDeliveries(
  tx: Tx,
  { organization_id, id }: WebhookKey,
  now: number,
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, done_at: now })
    .where('organization_id', '=', organization_id)
    .where('webhook_id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}
