/**
 * E-mail verification: a user proves an address by opening a link that was only mailed to it, or through the OpenID
 * provider that the operator of the server trusts. A link handed over by an admin proves nothing, and neither does an
 * identity provider of one organization, which may name any address.
 *
 * Until then others may have used the account: whoever invited the address, or received a link to it. So the first
 * proof revokes all earlier credentials, and makes every membership pending until the owner accepts it.
 */
import type { UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { endCredentials } from './credentials.js'
import { suspendMemberships } from './memberships.js'
import { notifyOwner } from './notices.js'

/** Marks the address as verified; the first time revokes all earlier credentials, including the password. */
export async function confirmEmail(tx: Tx, userId: UserId, now: number): Promise<void> {
  if (!(await markEmailVerified(tx, userId, now))) return
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: null, updated_at: now })
    .where('id', '=', userId)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  await suspendMemberships(tx, userId)
  const ended = await endCredentials(tx, userId, now)
  if (ended || numUpdatedRows > 0n) await notifyOwner(tx, { userId, notice: 'addressProven', at: now })
}

/**
 * Marks the address as verified on the word of the server's operator; nothing is revoked, because no one else created
 * the account. False when it was verified already: the first time is retained.
 */
export async function markEmailVerified(tx: Tx, userId: UserId, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** True when the user's e-mail address is verified. */
export async function isEmailVerified(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('email_verified_at')
    .where('id', '=', userId)
    .executeTakeFirst()
  return typeof row?.email_verified_at === 'number'
}
