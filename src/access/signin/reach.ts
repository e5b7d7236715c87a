/**
 * How far a way of signing in reaches: the one place where single sign-on is enforced.
 *
 * An identity provider is run by one organization and may name any e-mail address, so what it opens is that
 * organization alone, never another one of the same person. And an organization that takes single sign-on
 * is closed to sessions that came another way; admins and API tokens are let in, so that a broken provider
 * locks nobody out. Roles are judged elsewhere, after this.
 */
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { Actor, MaybeActor } from './actor.js'

/** Throws 403 when the actor's session or token does not open the organization. */
export function requireOpen(actor: MaybeActor, organizationId: OrganizationId, addresses: Addresses): void {
  if (actor === null) return
  if (actor.closed.has(organizationId)) {
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

/** Tells whether the actor may know of the organization at all, for lists across organizations. */
export function isInReach(actor: Actor, organizationId: OrganizationId): boolean {
  return actor.onlyIn === null || actor.onlyIn === organizationId
}

/** Where the people of an organization sign in. */
export function signInUrl(addresses: Addresses, organizationId: OrganizationId): string {
  return addresses.app(`/~octavo/sign-in?organization=${organizationId}`)
}

/** Returns the organizations of a user that take single sign-on and that a session of this kind does not open. */
export async function findClosedOrganizations(
  db: Db,
  session: Pick<Actor, 'userId' | 'onlyIn'> & { readonly isSaml: boolean },
): Promise<ReadonlySet<OrganizationId>> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select('organizations.id as id')
    .where('members.user_id', '=', session.userId)
    .where('organizations.sso', '=', 1)
    .where((where) => where.or([where('members.role', '!=', 'admin'), where('members.role', 'is', null)]))
    .execute()
  return new Set(rows.map(({ id }) => id).filter((id) => !(session.isSaml && session.onlyIn === id)))
}
