/** Making webhooks, changing them, and switching them off. */
import { newId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { EventType } from '../../contract/events.js'
import { mostWebhooks } from '../../contract/webhooks.js'
import type { OrganizationId, WebhookId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import {
  type WebhookRow,
  countWebhooks,
  giveUpWaiting,
  insertWebhook,
  putSubscriptions,
  updateWebhook,
} from './store.js'

export interface WebhookWords {
  readonly url?: string | undefined
  readonly events?: readonly EventType[] | undefined
  readonly title?: string | undefined
  readonly active?: boolean | undefined
}

/** Returns a new webhook; throws 400 for an address that nothing can be sent to, and where there are enough. */
export async function createWebhook(
  tx: Tx,
  organizationId: OrganizationId,
  words: WebhookWords & Required<Pick<WebhookWords, 'url' | 'events'>>,
  now: number,
): Promise<WebhookRow> {
  const { url, events, title = '', active = true } = words
  if ((await countWebhooks(tx, organizationId)) >= mostWebhooks) {
    const problem = `An organization has at most ${mostWebhooks} webhooks: delete one first.`
    throw new ApiError('invalid_request', { problem })
  }
  const row = await insertWebhook(tx, {
    organization_id: organizationId,
    id: newId<WebhookId>(),
    title,
    url: usableAddress(url!),
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

/** Returns the changed webhook. One that is switched on, or sent elsewhere, begins with a clean record. */
export async function changeWebhook(
  tx: Tx,
  before: WebhookRow,
  { url, events, title, active }: WebhookWords,
  now: number,
): Promise<WebhookRow> {
  const isFresh = url !== undefined || active === true
  const row = await updateWebhook(tx, before, {
    updated_at: now,
    ...(url !== undefined && { url: usableAddress(url) }),
    ...(title !== undefined && { title }),
    ...(active !== undefined && { active: active ? 1 : 0 }),
    ...(isFresh && { is_slow: 0, failing_since: null }),
    ...(active === true && { disabled_at: null }),
  })
  if (events !== undefined) await putSubscriptions(tx, row, events)
  if (active === false) await giveUpWaiting(tx, row, now)
  return row
}

function usableAddress(address: string): string {
  const refuse = (problem: string) => new ApiError('url_not_allowed', { member: 'url', problem })
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('only http and https are allowed')
  if (url.username !== '' || url.password !== '') throw refuse('it must not carry a user name or password')
  return url.href
}
