/**
 * Joining an organization: by an e-mail of an admin, by a link, or by the domain of one's address.
 *
 * A link never takes anything away: who has more than it gives keeps that.
 */
import { domainOfEmail } from '../../core/email.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import { grant } from '../../access/rules/grants.js'
import { reaches } from '../../access/rules/levels.js'
import { newId } from '../../access/route/ids.js'
import { insertSignInLink } from '../../access/signin/sessions.js'
import type { Actor } from '../../access/signin/actor.js'
import { isEmailVerified } from '../../access/signin/verified.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import { changeRole } from '../members/change.js'
import { findMember, updateMemberRow } from '../members/store.js'
import { type OrganizationRow, insertMember, listOrganizationsOfDomain } from '../organizations/store.js'
import { findUserByEmail, insertUser } from '../users/store.js'
import type { InviteRow } from './store.js'

/** Tells somebody by mail that they were invited; who mails makes the sign-in link, so that no secret waits here. */
export const sendInvitationJob = 'send-invitation'

export interface Invited {
  readonly users: UserId[]
  /** Secrets that open the accounts that were made now, and no account that was there before. */
  readonly links: { readonly userId: UserId; readonly email: string; readonly secret: string }[]
}

export interface Invitation {
  readonly email: string
  readonly role: Role | null
}

/** Makes members of people, and accounts for those who have none; members that are there already are left alone. */
export async function inviteByEmail(
  tx: Tx,
  organization: OrganizationRow,
  invitations: readonly Invitation[],
  { actor, sso, now }: { actor: Actor; sso: boolean; now: number },
): Promise<Invited> {
  const invited: Invited = { users: [], links: [] }
  for (const { email, role } of invitations) {
    const known = await findUserByEmail(tx, email)
    const userId = known?.id ?? newId<UserId>()
    if (known === undefined) {
      await insertUser(tx, { id: userId, displayName: email.split('@')[0]!.slice(0, 64), email, now })
      invited.links.push({ userId, email, secret: await insertSignInLink(tx, userId, now) })
    } else if (await findMember(tx, organization.id, userId)) continue
    await insertMember(tx, { organizationId: organization.id, userId, role, now })
    if (sso) await updateMemberRow(tx, { organization_id: organization.id, user_id: userId }, { sso: 1 })
    invited.users.push(userId)
    await enqueue(tx, {
      organizationId: organization.id,
      type: sendInvitationJob,
      key: `${organization.id} ${userId}`,
      payload: { organizationId: organization.id, userId, invitedBy: actor.userId },
      at: now,
    })
  }
  return invited
}

/** Lets somebody in by a link, with the role that it gives where they have less. */
export async function joinByLink(
  tx: Tx,
  { organization_id: organizationId, target_kind: kind, target_id: id, role }: InviteRow,
  { userId, level, now }: { userId: UserId; level: Role | null; now: number },
): Promise<void> {
  const member = await findMember(tx, organizationId, userId)
  // A membership that was disabled is not opened again by a link.
  if (member?.disabled === 1) throw new ApiError('not_found', { thing: 'invite' })
  const wanted = role as Role | null
  if (kind === 'organization') {
    if (member === undefined) await insertMember(tx, { organizationId, userId, role: wanted, now })
    else if (wanted !== null && !reaches(member.role as Role | null, wanted))
      await changeRole(tx, member, wanted)
    return
  }
  if (member === undefined) await insertMember(tx, { organizationId, userId, role: null, now })
  if (wanted === null || reaches(level, wanted)) return
  const target = { organizationId, kind: kind as 'space' | 'collection', id: id as never }
  await grant(tx, target, [{ kind: 'user', id: userId }], { role: wanted, now })
}

/** Lets somebody in as a guest by the domain of their address. */
export async function joinByDomain(
  tx: Tx,
  { user: { id: userId, email } }: Actor,
  organizationId: OrganizationId,
  now: number,
): Promise<void> {
  const domain = domainOfEmail(email ?? '')
  const organizations = await listOrganizationsOfDomain(tx, userId, domain)
  if (!organizations.some(({ row }) => row.id === organizationId)) {
    throw new ApiError('email_domain_not_allowed')
  }
  if ((await findMember(tx, organizationId, userId)) !== undefined) return
  // Anybody can be invited with any address; only its owner may use what it opens elsewhere.
  if (!(await isEmailVerified(tx, userId))) throw new ApiError('email_not_verified')
  await insertMember(tx, { organizationId, userId, role: null, now })
}
