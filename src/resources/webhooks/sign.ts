/**
 * HMAC signatures of deliveries, in two schemes: Standard Webhooks, for which there are libraries, and `t=…,v1=…`. Both
 * sign the timestamp with the body, against replay, and carry a signature for each valid secret: two for a day after a
 * rotation.
 */
import { createHmac } from 'node:crypto'
import type { Addresses } from '../../contract/addresses.js'
import { secretOverlapMillis } from '../../contract/webhooks.js'
import type { WebhookRow } from './store.js'

/** Returns the secrets that are valid at a time, the current one first. */
export function secretsOf(
  addresses: Pick<Addresses, 'webhookSecret'>,
  { id, key_generation: generation, key_rotated_at: rotatedAt }: WebhookRow,
  now: number,
): string[] {
  const current = addresses.webhookSecret(id, generation)
  const isOverlapping = rotatedAt !== null && now < rotatedAt + secretOverlapMillis
  return isOverlapping ? [current, addresses.webhookSecret(id, generation - 1)] : [current]
}

/** Returns the signature headers of a body. */
export function signatureHeaders(
  { eventId, body, now }: { readonly eventId: string; readonly body: string; readonly now: number },
  secrets: readonly string[],
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000))
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${eventId}.${seconds}.${body}`).digest('base64')}`
  })
  const hex = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  )
  return {
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
    'x-octavo-signature': [`t=${seconds}`, ...hex].join(','),
  }
}
