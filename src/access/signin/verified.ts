/**
 * Whether somebody has shown that an e-mail address is theirs: by following a link that went nowhere but to it, or
 * through the OpenID provider that whoever runs the server trusts. A link handed over by an admin shows nothing,
 * and neither does an identity provider of one organization, which may name any address.
 */
import type { UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'

/** Notes that the user's address is theirs; the first time is kept. */
export async function markEmailVerified(tx: Tx, userId: UserId, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .execute()
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
