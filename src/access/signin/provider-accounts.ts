/**
 * Accounts at the OpenID provider. Somebody is known there by issuer and subject, which the provider never gives
 * to another; an e-mail address may pass from one person to the next, so it is asked once: an account that is not
 * known yet is linked to whoever has the address that the provider has verified, and only when that user is not
 * linked to another account of the same provider.
 */
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { tellOwner } from './notices.js'
import { proveEmail } from './verified.js'

/** Somebody as the provider names them. */
export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
  /** As the provider writes it; null unless it has verified it. */
  readonly email: string | null
}

export type Recognized =
  | { readonly userId: UserId }
  | { readonly refused: 'address not verified' | 'nobody here' | 'linked otherwise' }

/** Returns the user of an account, linked now if need be, or why there is none. */
export async function recognizeAccount(tx: Tx, account: ProviderAccount, now: number): Promise<Recognized> {
  const { issuer, subject, email } = account
  const known = await tx
    .selectFrom('provider_accounts')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (known !== undefined) return { userId: known.user_id }
  if (email === null) return { refused: 'address not verified' }
  const user = await tx
    .selectFrom('users')
    .leftJoin('provider_accounts', (join) =>
      join.onRef('provider_accounts.user_id', '=', 'users.id').on('provider_accounts.issuer', '=', issuer),
    )
    .select(['users.id as id', 'provider_accounts.subject as linked'])
    .where('users.email', '=', foldEmail(email))
    .executeTakeFirst()
  if (user === undefined) return { refused: 'nobody here' }
  if (user.linked !== null) return { refused: 'linked otherwise' }
  await proveEmail(tx, user.id, now)
  await tx
    .insertInto('provider_accounts')
    .values({ issuer, subject, user_id: user.id, linked_at: now })
    .execute()
  await tellOwner(tx, { userId: user.id, notice: 'accountLinked', at: now })
  return { userId: user.id }
}

/** Forgets which accounts are a user's, so that the next sign-in links anew; returns how many there were. */
export async function unlinkAccounts(tx: Tx, userId: UserId): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('provider_accounts')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
