/**
 * Revocation of all credentials of an account: sessions, tokens, and unused links. Every change to how a user signs in
 * revokes them all, so that earlier holders lose access.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

const credentialTables = ['sessions', 'api_tokens', 'sign_in_links'] as const

/** Revokes all credentials except the session `exceptId`; true when there was any. */
export async function endCredentials(
  tx: Tx,
  userId: UserId,
  now: number,
  exceptId?: string,
): Promise<boolean> {
  let sessions = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptId !== undefined) sessions = sessions.where('id', '!=', exceptId)
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

/**
 * Revokes a user's credentials that are limited to one organization: sessions, tokens and links, including those handed
 * to others.
 */
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
 * Revokes the sign-in links that an admin received for other users, and what was opened with them: a former admin may
 * still have them.
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
