/**
 * What a role may do, and which role somebody has on a thing: the yes/no rule, pure.
 *
 * The same rule as a list filter stands in `visible.ts` beside this file; the permission scenarios
 * assert both together, so that neither changes alone.
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

/** What is known about somebody in an organization. */
export interface Membership {
  /** Undefined for a stranger and for a disabled member, null for a guest. */
  readonly role: Role | null | undefined
}

/** Somebody who reads in an organization. */
export interface Reader extends Membership {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  /** Of a site's reader, who is nobody in the organization: the spaces that they are shown, and nothing else. */
  readonly shown?: ReadonlySet<SpaceId> | undefined
}

/** One thing on the way from a space up to the organization, and what it says of somebody. */
export interface Step {
  readonly defaultLevel: DefaultLevel
  readonly isCreator: boolean
  /** What was granted to them by name. */
  readonly own: Role | null
  /** What was granted to their teams. */
  readonly teams: readonly Role[]
}

export interface ContentFacts extends Membership {
  /** The space or collection itself, then the collections around it, outermost last. */
  readonly steps: readonly Step[]
}

/**
 * Returns the level of somebody on a space or a collection: the first thing said on the way up counts.
 *
 * On each step a grant by name comes before the strongest grant of a team, and that before the default level.
 * A role as default ends the way: members have that role, guests nothing. Null ends it with nothing, except for
 * the creator, who goes on. Above all stands the role in the organization. Admins are admin everywhere.
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

/** Returns the weakest of the levels: what counts for acting on all of the things that have them. */
export function weakest(levels: readonly Level[]): Level {
  return levels.reduce<Level>(
    (least, level) => (least === null || reaches(level, least) ? least : level),
    'admin',
  )
}

/** Actions on a site: who may read one of its spaces sees it, who administers all of them changes it. */
export const siteActions = { view: 'read', administer: 'create' } as const satisfies Record<string, Role>
export type SiteAction = keyof typeof siteActions

export interface SiteFacts extends Membership {
  /** The level on each space that the site shows; spaces in the trash count as before. */
  readonly levels: readonly Level[]
}

/** The levels of somebody on a site: `seen` decides whether they know of it, `everywhere` what they may change. */
export interface SiteLevels {
  readonly seen: Level
  readonly everywhere: Level
}

/**
 * Returns the levels of a member on a site: the strongest and the weakest on any of its spaces, and the role in the
 * organization while it shows none. Who may read no space of a site does not know of the site; to change a site acts
 * on all that it shows, so it takes the role on each.
 */
export function levelsOnSite({ role, levels }: SiteFacts): SiteLevels {
  if (role === undefined) return { seen: null, everywhere: null }
  if (role === 'admin' || levels.length === 0) return { seen: role, everywhere: role }
  return { seen: strongest(levels), everywhere: weakest(levels) }
}

/** Judges an action on a site. */
export function judgeOnSite({ seen, everywhere }: SiteLevels, action: SiteAction): Verdict {
  const needed = siteActions[action]
  const verdict = judge(seen, needed)
  if (verdict !== 'yes' || action === 'view' || reaches(everywhere, needed)) return verdict
  return { needs: needed, onEach: true }
}

/**
 * What a rule answers; `hidden` becomes 404, a role becomes 403 with its name, and `own` becomes 403 for what
 * people may do with what is theirs alone.
 */
export type Verdict =
  | 'yes'
  | 'hidden'
  | 'own'
  | {
      readonly needs: Role
      /** True when somebody has it on one of the things that are acted on, and not on all. */
      readonly onEach?: true
    }

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
