/**
 * The end of everything that opens an account: sessions, tokens, and links that are not used yet. Whatever is
 * changed about how somebody signs in ends them all, so that who held one of them before holds nothing after.
 */
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

/** Ends them all but the session that is kept, by its id; tells whether there was any. */
export async function endCredentials(tx: Tx, userId: UserId, now: number, keptId?: string): Promise<boolean> {
  let sessions = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if (keptId !== undefined) sessions = sessions.where('id', '!=', keptId)
  const ended = await sessions.executeTakeFirst()
  const revoked = await tx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  await tx.deleteFrom('sign_in_links').where('user_id', '=', userId).execute()
  return ended.numDeletedRows + revoked.numUpdatedRows > 0n
}
