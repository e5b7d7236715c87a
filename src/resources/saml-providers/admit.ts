/**
 * Just-in-time provisioning: an identity provider may sign in linked members, and users new to the organization, who
 * become members with the provider's role and team.
 *
 * An existing member must be linked by an admin first (`POST …/members/{userId}/sso`): otherwise the provider's operator
 * could sign in as any member by asserting their e-mail address.
 */
import { newId } from '../../access/ids.js'
import type { AssertionClaims } from '../../access/signin/saml/claims.js'
import { refusal } from '../../access/signin/saml/response.js'
import type { Role } from '../../contract/shapes.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { findMember } from '../members/store.js'
import { insertInvitedMember } from '../organizations/store.js'
import { findTeam, putTeamMembers } from '../teams/store.js'
import { findUserByEmail, insertUser } from '../users/store.js'
import { type SamlProviderRow, isOrganizationBlocked } from './store.js'

/** Returns the user of the claims, created if necessary; throws 401 when they may not sign in. */
export async function admitUser(
  tx: Tx,
  provider: SamlProviderRow,
  { email, displayName }: Pick<AssertionClaims, 'email' | 'displayName'>,
  now: number,
): Promise<UserId> {
  if (await isOrganizationBlocked(tx, provider.organization_id)) {
    throw refusal('the organization is blocked')
  }
  const existing = await findUserByEmail(tx, email)
  const userId = existing?.id ?? newId<UserId>()
  const name = displayName ?? email.split('@')[0]!.slice(0, 64)
  if (existing === undefined) {
    await insertUser(tx, { id: userId, displayName: name, email, now })
  }
  const member = await findMember(tx, provider.organization_id, userId)
  if (member === undefined) {
    // The provider may assert any address: the user accepts the membership when signing in another way.
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

/** Ignores a default team that was deleted after the provider was set up. */
async function joinDefaultTeam(
  tx: Tx,
  { organization_id, default_team_id }: SamlProviderRow,
  userId: UserId,
  now: number,
): Promise<void> {
  const team = default_team_id === null ? undefined : await findTeam(tx, organization_id, default_team_id)
  if (team !== undefined) await putTeamMembers(tx, team, [{ userId }], now)
}
