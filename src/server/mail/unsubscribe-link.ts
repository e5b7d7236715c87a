/**
 * Signed link with which a person unsubscribes from one kind of mail without signing in; it can do nothing else, and does
 * not expire.
 */
import type { Addresses } from '../../contract/addresses.js'
import type { MailKind } from '../../contract/preferences.js'
import type { UserId } from '../../core/ids.js'

/** A kind of mail, or those that come once a day. */
export type UnsubscribedKind = MailKind | 'daily'

export const unsubscribePath = '/~octavo/unsubscribe'

export function unsubscribeUrl(addresses: Addresses, userId: UserId, kind: UnsubscribedKind): string {
  const token = addresses.contentSignature(signedText(userId, kind))
  return addresses.app(`${unsubscribePath}?${new URLSearchParams({ user: userId, kind, token }).toString()}`)
}

/** Parameters of the link, as they were sent. */
export type UnsubscribeQuery = Record<'user' | 'kind' | 'token', string | readonly string[] | undefined>

/** Returns what a link says; undefined for one that this server did not sign. */
export function readUnsubscribeLink(
  addresses: Addresses,
  { user, kind, token }: UnsubscribeQuery,
): { readonly userId: UserId; readonly kind: UnsubscribedKind } | undefined {
  if (typeof user !== 'string' || typeof kind !== 'string' || typeof token !== 'string') return undefined
  if (!addresses.isContentSignature(signedText(user, kind), token)) return undefined
  return { userId: user as UserId, kind: kind as UnsubscribedKind }
}

const signedText = (userId: string, kind: string): string => `unsubscribe ${userId} ${kind}`
