/**
 * Joining an organization by invite link or by e-mail domain. Joining also accepts a pending invitation. A link never
 * lowers a role.
 */
import { domainOfEmail } from '../../core/email.js'
import type { OrganizationId } from '../../core/ids.js'
import { grant } from '../../access/rules/grants.js'
import { reaches } from '../../access/rules/levels.js'
import { acceptMembership } from '../../access/signin/memberships.js'
import type { Actor } from '../../access/signin/actor.js'
import { isEmailVerified } from '../../access/signin/verified-email.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { changeRole } from '../members/change.js'
import { findMember } from '../members/store.js'
import { insertMember, listOrganizationsOfDomain } from '../organizations/store.js'
import type { InviteRow } from './store.js'

/** Joins by a link, raising the actor's role to the one that it grants. */
export async function joinByLink(
  tx: Tx,
  { organization_id: organizationId, target_kind: kind, target_id: id, role }: InviteRow,
  { actor, level, now }: { actor: Actor; level: Role | null; now: number },
): Promise<void> {
  const { userId } = actor
  const member = await findMember(tx, organizationId, userId)
  // A link does not enable a disabled membership.
  if (member?.disabled === 1) throw new ApiError('not_found', { thing: 'invite' })
  await acceptAsPerson(tx, actor, organizationId, now)
  const inviteRole = role as Role | null
  if (kind === 'organization') {
    if (member === undefined) await insertMember(tx, { organizationId, userId, role: inviteRole, now })
    else if (inviteRole !== null && !reaches(member.role as Role | null, inviteRole))
      await changeRole(tx, member, inviteRole)
    return
  }
  if (member === undefined) await insertMember(tx, { organizationId, userId, role: null, now })
  if (inviteRole === null || reaches(level, inviteRole)) return
  const target = { organizationId, kind: kind as 'space' | 'collection', id: id as never }
  await grant(tx, target, [{ kind: 'user', id: userId }], { role: inviteRole, now })
}

/** Joins as a guest by the domain of the actor's verified e-mail address. */
export async function joinByDomain(
  tx: Tx,
  actor: Actor,
  organizationId: OrganizationId,
  now: number,
): Promise<void> {
  const { userId } = actor
  if (await acceptAsPerson(tx, actor, organizationId, now)) return
  const domain = domainOfEmail(actor.user.email ?? '')
  const organizations = await listOrganizationsOfDomain(tx, userId, domain)
  if (!organizations.some(({ row }) => row.id === organizationId)) {
    throw new ApiError('email_domain_not_allowed')
  }
  if ((await findMember(tx, organizationId, userId)) !== undefined) return
  // Anyone can be invited with any address; only its owner may join other organizations with it.
  if (!(await isEmailVerified(tx, userId))) throw new ApiError('email_not_verified')
  await insertMember(tx, { organizationId, userId, role: null, now })
}

/** A credential limited to one organization may be held by another person, so it cannot accept invitations. */
async function acceptAsPerson(
  tx: Tx,
  { userId, onlyIn }: Actor,
  organizationId: OrganizationId,
  now: number,
): Promise<boolean> {
  return onlyIn === null && (await acceptMembership(tx, userId, organizationId, now))
}
