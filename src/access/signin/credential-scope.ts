/**
 * Scope of credentials: which organizations a session or token opens. Single sign-on is enforced in this file only.
 *
 * An identity provider is run by one organization and may name any e-mail address, so it opens that organization only,
 * never another one of the same user. An organization that requires single sign-on is closed to other sessions, and to
 * the tokens made in them, except for admins, so that a broken provider locks no one out. A membership that is not
 * accepted opens the organization only to credentials that the organization issued itself. Roles are checked elsewhere,
 * after this.
 */
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Actor, ClosedReason, MaybeActor, User } from './actor.js'

/**
 * Returns the user as this credential may display them: before the user accepts, a credential of the organization shows
 * the name that the organization entered itself.
 */
export function visibleUser(
  user: User,
  { onlyIn }: Pick<Actor, 'onlyIn'>,
  memberships: readonly MembershipAccess[],
): User {
  const membership = memberships.find(({ member_of }) => member_of !== null && member_of === onlyIn)
  if (membership === undefined || membership.member_known_as === null) return user
  return { ...user, displayName: membership.member_known_as, photoUrl: null }
}

/** Throws 403 when the actor's session or token does not open the organization. */
export function requireOrganizationAccess(
  actor: MaybeActor,
  organizationId: OrganizationId,
  addresses: Addresses,
): void {
  if (actor === null) return
  const closure = actor.closed.get(organizationId)
  if (closure === 'invitation') throw new ApiError('invitation_not_accepted', { organizationId })
  if (closure === 'singleSignOn') {
    throw new ApiError('single_sign_on_required', { url: signInUrl(addresses, organizationId) })
  }
  if (!isInReach(actor, organizationId)) throw new ApiError('opens_one_organization')
}

/** True when the actor's session or token opens the organization. */
export function opensOrganization(actor: Actor, organizationId: OrganizationId): boolean {
  return !actor.closed.has(organizationId) && isInReach(actor, organizationId)
}

/** Throws 403 when the actor's credential is limited to one organization. */
export function requireAllOrganizations(actor: MaybeActor): void {
  if (actor !== null && actor.onlyIn !== null) throw new ApiError('opens_one_organization')
}

/**
 * Throws 403 for a token, and for a session that is limited to one organization: only users themselves change how they
 * sign in.
 */
export function requireSession(actor: MaybeActor): void {
  if (actor !== null && actor.by !== 'session') throw new ApiError('session_required')
  requireAllOrganizations(actor)
}

/** True when the actor was invited to the organization and has not accepted. */
export function isInvited(actor: Actor, organizationId: OrganizationId): boolean {
  return actor.closed.get(organizationId) === 'invitation'
}

/** True when the credential may reveal the organization at all, for lists across organizations. */
export function isInReach(actor: Actor, organizationId: OrganizationId): boolean {
  return actor.onlyIn === null || actor.onlyIn === organizationId
}

/** Returns the URL of an organization's sign-in page. */
export function signInUrl(addresses: Addresses, organizationId: OrganizationId): string {
  return addresses.app(`/~octavo/sign-in?organization=${organizationId}`)
}

/** Membership columns that decide which credentials open an organization. */
export interface MembershipAccess {
  /** Null where the user has no membership at all. */
  readonly member_of: OrganizationId | null
  readonly member_role: string | null
  readonly member_sso: number | null
  readonly member_since: number | null
  readonly member_known_as: string | null
}

/** Its columns, for queries that join `members` and `organizations` to the user of a credential. */
export const membershipColumns = [
  'members.organization_id as member_of',
  'members.role as member_role',
  'members.accepted_at as member_since',
  'members.known_as as member_known_as',
  'organizations.sso as member_sso',
] as const

/**
 * Returns which of the user's organizations a credential does not open, and why: those that the user has not accepted,
 * except for credentials that they issued; and those that require single sign-on.
 */
export function closedOrganizations(
  { onlyIn, samlProviderId }: Pick<Actor, 'onlyIn' | 'samlProviderId'>,
  memberships: readonly MembershipAccess[],
): ReadonlyMap<OrganizationId, ClosedReason> {
  const closed = new Map<OrganizationId, ClosedReason>()
  for (const { member_of: id, member_role: role, member_sso: sso, member_since: since } of memberships) {
    if (id === null) continue
    const isBySaml = samlProviderId !== null && onlyIn === id
    if (since === null && onlyIn !== id) closed.set(id, 'invitation')
    else if (sso === 1 && role !== 'admin' && !isBySaml) closed.set(id, 'singleSignOn')
  }
  return closed
}
