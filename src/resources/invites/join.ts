/**
 * Joining an organization: by a link, or by the domain of one's address. Whoever was invited and joins another way
 * has accepted. A link never takes anything away: who has more than it gives keeps that.
 */
import { domainOfEmail } from '../../core/email.js'
import type { OrganizationId } from '../../core/ids.js'
import { grant } from '../../access/rules/grants.js'
import { reaches } from '../../access/rules/levels.js'
import { acceptMembership } from '../../access/signin/memberships.js'
import type { Actor } from '../../access/signin/actor.js'
import { isEmailVerified } from '../../access/signin/verified.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { changeRole } from '../members/change.js'
import { findMember } from '../members/store.js'
import { insertMember, listOrganizationsOfDomain } from '../organizations/store.js'
import type { InviteRow } from './store.js'

/** Lets somebody in by a link, with the role that it gives where they have less. */
export async function joinByLink(
  tx: Tx,
  { organization_id: organizationId, target_kind: kind, target_id: id, role }: InviteRow,
  { actor, level, now }: { actor: Actor; level: Role | null; now: number },
): Promise<void> {
  const { userId } = actor
  const member = await findMember(tx, organizationId, userId)
  // A membership that was disabled is not opened again by a link.
  if (member?.disabled === 1) throw new ApiError('not_found', { thing: 'invite' })
  await acceptAsPerson(tx, actor, organizationId, now)
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
  // Anybody can be invited with any address; only its owner may use what it opens elsewhere.
  if (!(await isEmailVerified(tx, userId))) throw new ApiError('email_not_verified')
  await insertMember(tx, { organizationId, userId, role: null, now })
}

/** What opens one organization alone may be in other hands than the person's, and accepts nothing for them. */
async function acceptAsPerson(
  tx: Tx,
  { userId, onlyIn }: Actor,
  organizationId: OrganizationId,
  now: number,
): Promise<boolean> {
  return onlyIn === null && (await acceptMembership(tx, userId, organizationId, now))
}
