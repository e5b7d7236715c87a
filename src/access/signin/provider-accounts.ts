/**
 * Account linking for OpenID Connect. An account is identified by issuer and subject, which the provider never
 * reassigns; an e-mail address may pass to another person, so it is used once: an unknown account is linked to the user
 * with the address that the provider has verified, and only when that user is not linked to another account of the same
 * provider.
 */
import { foldEmail } from '../../core/email.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { notifyOwner } from './notices.js'
import { confirmEmail } from './verified-email.js'

/** An account at the provider. */
export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
  /** As the provider spells it; null unless the provider has verified it. */
  readonly email: string | null
}

export type Recognized =
  | { readonly userId: UserId }
  | { readonly refused: 'address not verified' | 'no user' | 'other account linked' }

/** Returns the user of an account, linking it if necessary, or why there is none. */
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
  if (user === undefined) return { refused: 'no user' }
  if (user.linked !== null) return { refused: 'other account linked' }
  await confirmEmail(tx, user.id, now)
  await tx
    .insertInto('provider_accounts')
    .values({ issuer, subject, user_id: user.id, linked_at: now })
    .execute()
  await notifyOwner(tx, { userId: user.id, notice: 'accountLinked', at: now })
  return { userId: user.id }
}

/** Unlinks a user's accounts, so that the next sign-in links anew; returns how many there were. */
export async function unlinkAccounts(tx: Tx, userId: UserId): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('provider_accounts')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
