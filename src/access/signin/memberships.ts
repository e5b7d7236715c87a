/**
 * A membership waits until its person accepts it: nobody becomes somebody's colleague because they know an address.
 *
 * Until then the organization's own doors (a link that an admin hands over, its identity provider) lead into that
 * organization, and what the person does elsewhere is none of its business. What is theirs as a person opens the
 * organization, and is told to it, from the moment they accept.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'

const ofPerson = 'the memberships of a person'

/** Notes that the person accepts the membership; false when there is none that waits. */
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

/** Lets all memberships wait for their person's word again. */
export async function suspendMemberships(tx: Tx, userId: UserId): Promise<void> {
  await acrossOrganizations(tx, ofPerson)
    .updateTable('members')
    .set({ accepted_at: null })
    .where('user_id', '=', userId)
    .execute()
}

/** Returns the organizations that somebody belongs to by their own word. */
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
 * Tells whether an account is somebody's: its address was shown to be theirs, or they have a password, an accepted
 * membership, or a session or token that opens everything. Nobody is handed a link to such an account who merely
 * invited its address.
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
