/**
 * Whom an identity provider may sign in: a member who is linked, or somebody new to the organization, who
 * becomes a member with the provider's role and team.
 *
 * Somebody who was a member before takes an admin's word first (`POST …/members/{userId}/sso`): else whoever
 * runs the provider could walk in as anybody by naming an address.
 */
import { newId } from '../../access/ids.js'
import type { Claims } from '../../access/signin/saml/claims.js'
import { refusal } from '../../access/signin/saml/shape.js'
import type { Role } from '../../contract/shapes.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { findMember } from '../members/store.js'
import { insertInvitedMember } from '../organizations/store.js'
import { findTeam, putTeamMembers } from '../teams/store.js'
import { findUserByEmail, insertUser } from '../users/store.js'
import { type SamlProviderRow, isOrganizationBlocked } from './store.js'

/** Returns the user whom the claims name, made if need be; throws 401 when he may not come in. */
export async function admitUser(
  tx: Tx,
  provider: SamlProviderRow,
  { email, displayName }: Pick<Claims, 'email' | 'displayName'>,
  now: number,
): Promise<UserId> {
  if (await isOrganizationBlocked(tx, provider.organization_id)) {
    throw refusal('the organization is blocked')
  }
  const known = await findUserByEmail(tx, email)
  const userId = known?.id ?? newId<UserId>()
  const name = displayName ?? email.split('@')[0]!.slice(0, 64)
  if (known === undefined) {
    await insertUser(tx, { id: userId, displayName: name, email, now })
  }
  const member = await findMember(tx, provider.organization_id, userId)
  if (member === undefined) {
    // The provider may name anybody: the person accepts when they sign in elsewhere.
    await insertInvitedMember(tx, {
      organizationId: provider.organization_id,
      userId,
      role: provider.default_role as Role | null,
      knownAs: name,
      sso: true,
      now,
    })
    await joinDefaultTeam(tx, provider, userId, now)
    return userId
  }
  if (member.disabled === 1)
    throw refusal('this member is disabled: an admin of the organization can enable them')
  if (member.sso === 0) {
    throw refusal(
      'this member is not linked to single sign-on yet: an admin of the organization can link them in the list of members',
    )
  }
  return userId
}

/** The team may be gone since the provider was set up. */
async function joinDefaultTeam(
  tx: Tx,
  { organization_id, default_team_id }: SamlProviderRow,
  userId: UserId,
  now: number,
): Promise<void> {
  const team = default_team_id === null ? undefined : await findTeam(tx, organization_id, default_team_id)
  if (team !== undefined) await putTeamMembers(tx, team, [{ userId }], now)
}
