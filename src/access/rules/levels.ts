/**
 * Role-based access control, pure: what a role may do, and which role a user has on a resource.
 *
 * The same rule as an SQL filter is in `visible.ts`; the permission scenarios assert both together, so that neither
 * changes alone.
 */
import type { OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import { type DefaultLevel, type Role, roles } from '../../contract/shapes.js'

/** A role, or null for none: not visible. */
export type Level = Role | null

const rank = new Map<string, number>(roles.map((role, index) => [role, index]))

/** Tells whether a level is at least the needed one. */
export function reaches(level: Level | undefined, needed: Role): boolean {
  return level !== null && level !== undefined && rank.get(level)! >= rank.get(needed)!
}

/** A user's role in an organization. */
export interface Membership {
  /** Undefined for a stranger and for a disabled member, null for a guest. */
  readonly role: Role | null | undefined
}

/** A user who reads in an organization. */
export interface Reader extends Membership {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  /** Only for a reader of a published site, who is not in the organization: the spaces that the site shows them. */
  readonly visibleSpaces?: ReadonlySet<SpaceId> | undefined
}

/** A space or collection on the way up to the organization, and what it grants to the user. */
export interface InheritanceStep {
  readonly defaultLevel: DefaultLevel
  readonly isCreator: boolean
  /** The role granted to the user by name. */
  readonly own: Role | null
  /** The roles granted to the user's teams. */
  readonly teams: readonly Role[]
}

export interface ContentFacts extends Membership {
  /** The space or collection itself, then the collections around it, outermost last. */
  readonly steps: readonly InheritanceStep[]
}

/**
 * Returns a user's level on a space or collection: the first grant or default on the way up decides.
 *
 * On each step a grant by name comes before the strongest grant of a team, and that before the default level. A role as
 * default ends the search: members have that role, guests none. Null ends it with no access, except for the creator,
 * for whom it continues. At the top the role in the organization applies. Admins are admin everywhere.
 */
export function levelOnContent({ role, steps }: ContentFacts): Level {
  if (role === undefined) return null
  if (role === 'admin') return 'admin'
  for (const { defaultLevel, isCreator, own, teams } of steps) {
    const granted = own ?? strongest(teams)
    if (granted !== null) return granted
    if (defaultLevel === null && !isCreator) return null
    if (defaultLevel !== null && defaultLevel !== 'inherit') return role === null ? null : defaultLevel
  }
  return role
}

/** Returns the strongest of the levels, null of none. */
export function strongest(levels: readonly Level[]): Level {
  return levels.reduce<Level>((best, level) => (level !== null && !reaches(best, level) ? level : best), null)
}

/** Actions on a space and the role each takes. */
export const spaceActions = {
  view: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
  administer: 'create',
} as const satisfies Record<string, Role>
export type SpaceAction = keyof typeof spaceActions

/** Actions on a collection and the role each takes. */
export const collectionActions = { view: 'read', administer: 'create' } as const satisfies Record<
  string,
  Role
>
export type CollectionAction = keyof typeof collectionActions

/** Actions on an organization; `visit` is open to guests too. */
export const organizationActions = {
  visit: null,
  view: 'read',
  createContent: 'create',
  administer: 'admin',
} as const satisfies Record<string, Role | null>
export type OrganizationAction = keyof typeof organizationActions

/** Returns the weakest of the levels: the one that decides operations on all of these resources. */
export function weakest(levels: readonly Level[]): Level {
  return levels.reduce<Level>(
    (least, level) => (least === null || reaches(level, least) ? least : level),
    'admin',
  )
}

/**
 * Actions on a site: a user who may read one of its spaces may view it, a user who administers all of them may change
 * it.
 */
export const siteActions = { view: 'read', administer: 'create' } as const satisfies Record<string, Role>
export type SiteAction = keyof typeof siteActions

export interface SiteFacts extends Membership {
  /** The level on each space that the site shows; spaces in the trash count as before. */
  readonly levels: readonly Level[]
}

/** A user's levels on a site: `seen` decides whether it is visible, `everywhere` what they may change. */
export interface SiteLevels {
  readonly anywhere: Level
  readonly everywhere: Level
}

/**
 * Returns a user's levels on a site: the strongest and the weakest on any of its spaces, and the role in the
 * organization while it has none. A site is hidden from a user who may read none of its spaces; changing a site affects
 * all of its spaces, so it needs the role on each.
 */
export function levelsOnSite({ role, levels }: SiteFacts): SiteLevels {
  if (role === undefined) return { anywhere: null, everywhere: null }
  if (role === 'admin' || levels.length === 0) return { anywhere: role, everywhere: role }
  return { anywhere: strongest(levels), everywhere: weakest(levels) }
}

/** Returns the verdict for an action on a site. */
export function authorizeOnSite({ anywhere, everywhere }: SiteLevels, action: SiteAction): Verdict {
  const needed = siteActions[action]
  const verdict = authorizeRole(anywhere, needed)
  if (verdict !== 'yes' || action === 'view' || reaches(everywhere, needed)) return verdict
  return { needs: needed, onEach: true }
}

/**
 * Result of an authorization rule: `hidden` becomes 404, a role becomes 403 with its name, and `own` becomes 403 for
 * actions that only the owner may do.
 */
export type Verdict =
  | 'yes'
  | 'hidden'
  | 'own'
  | {
      readonly needs: Role
      /** True when the actor has the role on some of the affected resources, and not on all. */
      readonly onEach?: true
    }

/** Returns the verdict for an action that needs a role, on a resource that is visible to the role `seen` and above. */
export function authorizeRole(level: Level | undefined, needed: Role, visibleFrom: Role = 'read'): Verdict {
  if (reaches(level, needed)) return 'yes'
  return reaches(level, visibleFrom) ? { needs: needed } : 'hidden'
}

/** Returns the verdict for an action in an organization for a member, a guest (null) or a stranger (undefined). */
export function authorizeInOrganization(role: Role | null | undefined, action: OrganizationAction): Verdict {
  if (role === undefined) return 'hidden'
  const needed = organizationActions[action]
  if (needed === null || reaches(role, needed)) return 'yes'
  return { needs: needed }
}
