/**
 * What a role may do, and which role somebody has on a thing: the yes/no rule, pure.
 *
 * The same rule as a list filter stands in `visible.ts` beside this file; the permission scenarios
 * assert both together, so that neither changes alone.
 */
import { type DefaultLevel, type Role, roles } from '../../contract/shapes.js'

/** A role, or null for none: not visible. */
export type Level = Role | null

const rank = new Map<string, number>(roles.map((role, index) => [role, index]))

/** Tells whether a level is at least the needed one. */
export function reaches(level: Level | undefined, needed: Role): boolean {
  return level !== null && level !== undefined && rank.get(level)! >= rank.get(needed)!
}

/** What is known about somebody in an organization. Absent membership is `undefined`, a guest is null. */
export interface Membership {
  readonly role: Role | null | undefined
}

export interface SpaceFacts extends Membership {
  readonly isCreator: boolean
  readonly defaultLevel: DefaultLevel
}

/**
 * Returns the level of a member on a space. Admins are admin everywhere; a guest sees only what is
 * shared with them; a null default hides the space from everybody but admins and its creator.
 */
export function levelOnSpace({ role, isCreator, defaultLevel }: SpaceFacts): Level {
  if (role === undefined) return null
  if (role === 'admin') return 'admin'
  if (role === null) return null
  if (defaultLevel === null) return isCreator ? role : null
  return defaultLevel === 'inherit' ? role : defaultLevel
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

/** Actions on an organization; `visit` is open to guests too. */
export const organizationActions = {
  visit: null,
  view: 'read',
  createContent: 'create',
  administer: 'admin',
} as const satisfies Record<string, Role | null>
export type OrganizationAction = keyof typeof organizationActions

/** Actions on a site: everybody who may read one of its spaces sees it, its makers change it. */
export const siteActions = { view: 'read', administer: 'create' } as const satisfies Record<string, Role>
export type SiteAction = keyof typeof siteActions

export interface SiteFacts extends Membership {
  /** The level on each space that the site shows; spaces in the trash count as before. */
  readonly levels: readonly Level[]
}

/**
 * Returns the level of a member on a site: the strongest on any of its spaces, and the role in the
 * organization while it shows none. Who may read no space of a site does not know of the site.
 */
export function levelOnSite({ role, levels }: SiteFacts): Level {
  if (role === undefined) return null
  if (role === 'admin' || levels.length === 0) return role
  return levels.reduce((best, level) => (level !== null && !reaches(best, level) ? level : best), null)
}

/** What a rule answers; `hidden` becomes 404, a role becomes 403 with its name. */
export type Verdict = 'yes' | 'hidden' | { readonly needs: Role }

/** Judges an action that takes a role, on a thing that is visible from `seen` on. */
export function judge(level: Level | undefined, needed: Role, seen: Role = 'read'): Verdict {
  if (reaches(level, needed)) return 'yes'
  return reaches(level, seen) ? { needs: needed } : 'hidden'
}

/** Judges an action in an organization for a member, a guest or a stranger. */
export function judgeInOrganization(role: Role | null | undefined, action: OrganizationAction): Verdict {
  if (role === undefined) return 'hidden'
  const needed = organizationActions[action]
  if (needed === null || reaches(role, needed)) return 'yes'
  return { needs: needed }
}
