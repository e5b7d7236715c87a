/**
 * Whether somebody has shown that an e-mail address is theirs: by following a link that went nowhere but to it, or
 * through the OpenID provider that whoever runs the server trusts. A link handed over by an admin shows nothing,
 * and neither does an identity provider of one organization, which may name any address.
 *
 * Until then others may have held the account: whoever invited the address, or was handed a link to it. So the
 * first proof ends everything that was set before, and lets every membership wait for the owner's own word.
 */
import type { UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { endCredentials } from './credentials.js'
import { suspendMemberships } from './memberships.js'
import { tellOwner } from './notices.js'

/** Notes that the user has shown that the address is theirs; what was set before the first proof ends, the password too. */
export async function proveEmail(tx: Tx, userId: UserId, now: number): Promise<void> {
  if (!(await markEmailVerified(tx, userId, now))) return
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: null, updated_at: now })
    .where('id', '=', userId)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  await suspendMemberships(tx, userId)
  const ended = await endCredentials(tx, userId, now)
  if (ended || numUpdatedRows > 0n) await tellOwner(tx, { userId, notice: 'addressProven', at: now })
}

/**
 * Takes whoever runs the server at their word that the address is the user's; nothing ends, because nobody else
 * made the account. Returns false when it was known already: the first time is kept.
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

/** Tells whether the user's address was shown to be theirs. */
export async function isEmailVerified(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('email_verified_at')
    .where('id', '=', userId)
    .executeTakeFirst()
  return typeof row?.email_verified_at === 'number'
}
