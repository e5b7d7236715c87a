/**
 * The end of everything that opens an account: sessions, tokens, and links that are not used yet. Whatever is
 * changed about how somebody signs in ends them all, so that who held one of them before holds nothing after.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

const credentialTables = ['sessions', 'api_tokens', 'sign_in_links'] as const

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
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute()
  return ended.numDeletedRows + revoked.numUpdatedRows > 0n
}

/** Ends what opens one organization alone in the name of a user: sessions, tokens and links, also those handed to others. */
export async function endCredentialsIn(
  tx: Tx,
  userId: UserId,
  organizationId: OrganizationId,
): Promise<void> {
  for (const table of credentialTables) {
    await tx
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .execute()
  }
}

/**
 * Ends the links that an admin was handed for others, and what was opened with them: who is no admin any more
 * may still hold them.
 */
export async function endHandedOut(tx: Tx, adminId: UserId, organizationId: OrganizationId): Promise<void> {
  for (const table of ['sessions', 'api_tokens'] as const) {
    await tx
      .deleteFrom(table)
      .where('handed_by', '=', adminId)
      .where('organization_id', '=', organizationId)
      .execute()
  }
  await tx
    .deleteFrom('sign_in_links')
    .where('made_by', '=', adminId)
    .where('organization_id', '=', organizationId)
    .execute()
}
