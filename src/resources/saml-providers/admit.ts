/**
 * Whom an identity provider may sign in: a member who is linked, or somebody new to the organization, who
 * becomes a member with the provider's role and team.
 *
 * Somebody who was a member before takes an admin's word first (`POST …/members/{userId}/sso`): else whoever
 * runs the provider could walk in as anybody by naming an address.
 */
import { newId } from '../../access/route/ids.js'
import type { Claims } from '../../access/signin/saml/claims.js'
import { refusal } from '../../access/signin/saml/shape.js'
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { findUserByEmail, insertUser } from '../users/store.js'
import {
  type SamlProviderRow,
  findMembership,
  insertSsoMember,
  isOrganizationBlocked,
  joinTeam,
} from './store.js'

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
  if (known === undefined) {
    await insertUser(tx, {
      id: userId,
      displayName: displayName ?? email.split('@')[0]!.slice(0, 64),
      email,
      now,
    })
  }
  const member = await findMembership(tx, provider.organization_id, userId)
  if (member === undefined) {
    await insertSsoMember(tx, provider, userId, now)
    await joinTeam(tx, provider, userId, now)
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
