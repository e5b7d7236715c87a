/**
 * How far a way of signing in reaches: the one place where single sign-on is enforced.
 *
 * An identity provider is run by one organization and may name any e-mail address, so what it opens is that
 * organization alone, never another one of the same person. And an organization that takes single sign-on
 * is closed to sessions that came another way, and to the tokens that were made in them; admins are let in, so that a
 * broken provider locks nobody out. And a membership that its person has not accepted opens the organization to what
 * the organization's own doors let in, and to nothing else of the person. Roles are judged elsewhere, after this.
 */
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Actor, Closure, MaybeActor, User } from './actor.js'

/**
 * Returns the user as this way to come in may show them: what an organization opens for somebody who has not accepted
 * says of them what that organization said itself.
 */
export function shownUser(
  user: User,
  { onlyIn }: Pick<Actor, 'onlyIn'>,
  memberships: readonly MembershipDoor[],
): User {
  const here = memberships.find(({ member_of }) => member_of !== null && member_of === onlyIn)
  if (here === undefined || here.member_known_as === null) return user
  return { ...user, displayName: here.member_known_as, photoUrl: null }
}

/** Throws 403 when the actor's session or token does not open the organization. */
export function requireOpen(actor: MaybeActor, organizationId: OrganizationId, addresses: Addresses): void {
  if (actor === null) return
  const closure = actor.closed.get(organizationId)
  if (closure === 'invitation') throw new ApiError('invitation_not_accepted', { organizationId })
  if (closure === 'singleSignOn') {
    throw new ApiError('single_sign_on_required', { url: signInUrl(addresses, organizationId) })
  }
  if (!isInReach(actor, organizationId)) throw new ApiError('opens_one_organization')
}

/** Tells whether the actor's session or token opens the organization. */
export function opens(actor: Actor, organizationId: OrganizationId): boolean {
  return !actor.closed.has(organizationId) && isInReach(actor, organizationId)
}

/** Throws 403 when the actor is signed in for one organization only. */
export function requireWholeReach(actor: MaybeActor): void {
  if (actor !== null && actor.onlyIn !== null) throw new ApiError('opens_one_organization')
}

/** Throws 403 for a token, and for a session that opens one organization only: how one signs in is the person's alone. */
export function requireSession(actor: MaybeActor): void {
  if (actor !== null && actor.by !== 'session') throw new ApiError('session_required')
  requireWholeReach(actor)
}

/** Tells whether the actor was invited to the organization and has not accepted. */
export function isInvited(actor: Actor, organizationId: OrganizationId): boolean {
  return actor.closed.get(organizationId) === 'invitation'
}

/** Tells whether the actor may know of the organization at all, for lists across organizations. */
export function isInReach(actor: Actor, organizationId: OrganizationId): boolean {
  return actor.onlyIn === null || actor.onlyIn === organizationId
}

/** Where the people of an organization sign in. */
export function signInUrl(addresses: Addresses, organizationId: OrganizationId): string {
  return addresses.app(`/~octavo/sign-in?organization=${organizationId}`)
}

/** What a membership says of ways to come in. */
export interface MembershipDoor {
  /** Null where the user has no membership at all. */
  readonly member_of: OrganizationId | null
  readonly member_role: string | null
  readonly member_sso: number | null
  readonly member_since: number | null
  readonly member_known_as: string | null
}

/** Its columns, for queries that join `members` and `organizations` to who comes in. */
export const membershipDoor = [
  'members.organization_id as member_of',
  'members.role as member_role',
  'members.accepted_at as member_since',
  'members.known_as as member_known_as',
  'organizations.sso as member_sso',
] as const

/**
 * Returns which of the user's organizations a way to come in leaves closed, and why: those that wait for the
 * person's word, but to what their own doors opened; and those that take single sign-on.
 */
export function closedTo(
  { onlyIn, samlProviderId }: Pick<Actor, 'onlyIn' | 'samlProviderId'>,
  memberships: readonly MembershipDoor[],
): ReadonlyMap<OrganizationId, Closure> {
  const closed = new Map<OrganizationId, Closure>()
  for (const { member_of: id, member_role: role, member_sso: sso, member_since: since } of memberships) {
    if (id === null) continue
    const isBySaml = samlProviderId !== null && onlyIn === id
    if (since === null && onlyIn !== id) closed.set(id, 'invitation')
    else if (sso === 1 && role !== 'admin' && !isBySaml) closed.set(id, 'singleSignOn')
  }
  return closed
}
