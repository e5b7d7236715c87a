/** Creating, updating and deactivating webhooks. */
import { newId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { EventType } from '../../contract/events.js'
import { maxWebhooks } from '../../contract/webhooks.js'
import type { OrganizationId, WebhookId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import {
  type WebhookRow,
  countWebhooks,
  failWaitingDeliveries,
  insertWebhook,
  putSubscriptions,
  updateWebhook,
} from './store.js'

export interface WebhookInput {
  readonly url?: string | undefined
  readonly events?: readonly EventType[] | undefined
  readonly title?: string | undefined
  readonly active?: boolean | undefined
}

/** Returns a new webhook; throws 400 for an unusable URL, and at the limit of webhooks. */
export async function createWebhook(
  tx: Tx,
  organizationId: OrganizationId,
  input: WebhookInput & Required<Pick<WebhookInput, 'url' | 'events'>>,
  now: number,
): Promise<WebhookRow> {
  const { url, events, title = '', active = true } = input
  if ((await countWebhooks(tx, organizationId)) >= maxWebhooks) {
    const problem = `An organization has at most ${maxWebhooks} webhooks: delete one first.`
    throw new ApiError('invalid_request', { problem })
  }
  const row = await insertWebhook(tx, {
    organization_id: organizationId,
    id: newId<WebhookId>(),
    title,
    url: requireUsableUrl(url!),
    active: active ? 1 : 0,
    key_generation: 1,
    key_rotated_at: null,
    is_slow: 0,
    failing_since: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  })
  await putSubscriptions(tx, row, events!)
  return row
}

/** Returns the changed webhook. Activating it, or changing its URL, resets its failure record. */
export async function changeWebhook(
  tx: Tx,
  before: WebhookRow,
  { url, events, title, active }: WebhookInput,
  now: number,
): Promise<WebhookRow> {
  const isReset = url !== undefined || active === true
  const row = await updateWebhook(tx, before, {
    updated_at: now,
    ...(url !== undefined && { url: requireUsableUrl(url) }),
    ...(title !== undefined && { title }),
    ...(active !== undefined && { active: active ? 1 : 0 }),
    ...(isReset && { is_slow: 0, failing_since: null }),
    ...(active === true && { disabled_at: null }),
  })
  if (events !== undefined) await putSubscriptions(tx, row, events)
  if (active === false) await failWaitingDeliveries(tx, row, now)
  return row
}

function requireUsableUrl(address: string): string {
  const refuse = (problem: string) => new ApiError('url_not_allowed', { member: 'url', problem })
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('only http and https are allowed')
  if (url.username !== '' || url.password !== '') throw refuse('it must not carry a user name or password')
  return url.href
}
