/**
 * Accepting memberships: an invitation takes effect for the user's own credentials only when the user accepts it, since
 * an e-mail address alone proves nothing.
 *
 * Until then only credentials that the organization issues (a link that an admin hands over, its identity provider)
 * open it, and it learns nothing of what the user does elsewhere. From then on the user's own credentials open it, and
 * their sign-ins appear in its audit log.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'

const ofPerson = 'the memberships of a person'

/** Accepts the membership; false when none is pending. */
export async function acceptMembership(
  tx: Tx,
  userId: UserId,
  organizationId: OrganizationId,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('members')
    .set({ accepted_at: now, joined_at: now, known_as: null })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes all memberships of a user pending again. */
export async function suspendMemberships(tx: Tx, userId: UserId): Promise<void> {
  await acrossOrganizations(tx, ofPerson)
    .updateTable('members')
    .set({ accepted_at: null })
    .where('user_id', '=', userId)
    .execute()
}

/** Returns the organizations whose membership the user accepted. */
export async function listJoined(db: Db, userId: UserId): Promise<OrganizationId[]> {
  const rows = await acrossOrganizations(db, ofPerson)
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('accepted_at', 'is not', null)
    .where('disabled', '=', 0)
    .execute()
  return rows.map(({ organization_id }) => organization_id)
}

/**
 * True when an account is claimed: its e-mail address is verified, or it has a password, an accepted membership, or a
 * session or token for all organizations. Admins who merely invited the address receive no sign-in link to such an
 * account.
 */
export async function isClaimed(db: Db, userId: UserId): Promise<boolean> {
  const row = await acrossOrganizations(db, ofPerson)
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((user) =>
      user.or([
        user('email_verified_at', 'is not', null),
        user('password_hash', 'is not', null),
        user.exists(
          user
            .selectFrom('members')
            .select('members.user_id')
            .whereRef('members.user_id', '=', 'users.id')
            .where('members.accepted_at', 'is not', null),
        ),
        user.exists(
          user
            .selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.user_id', '=', 'users.id')
            .where('sessions.organization_id', 'is', null),
        ),
        user.exists(
          user
            .selectFrom('api_tokens')
            .select('api_tokens.id')
            .whereRef('api_tokens.user_id', '=', 'users.id')
            .where('api_tokens.organization_id', 'is', null)
            .where('api_tokens.revoked_at', 'is', null),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}
