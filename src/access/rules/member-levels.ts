/**
 * Levels of an organization's members on one space or collection: the rule of `levels.ts` as an SQL expression, so that
 * a list of members is filtered before it is limited.
 *
 * The short chain of ancestors is read first; the rule becomes one expression that looks up a member's grants on each
 * of them. When few members are candidates, they are listed beforehand.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CollectionId, OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import { type DefaultLevel, type Role, roles } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { type ContentKind, withSteps } from './level-facts.js'
import { type Level, levelOnContent } from './levels.js'

export interface MemberLevels {
  /** The level of a member, for queries over `members` of the organization. */
  readonly level: RawBuilder<Role | null>
  /** All members who may have such a level, and perhaps others; undefined when they are too many to list. */
  readonly candidates: readonly UserId[] | undefined
}

/** Up to this many are looked up and sorted; beyond it, the index order is followed until a page is full. */
const maxCandidates = 1_000

interface GrantStep {
  readonly id: SpaceId | CollectionId
  readonly parent_id: CollectionId | null
  readonly default_level: string | null
  readonly created_by: UserId
  readonly has_users: number | null
  readonly has_teams: number | null
}

/** Returns the levels of an organization's members on a resource, for members whose level is wanted. */
export async function memberLevelsOn(
  db: Db,
  organizationId: OrganizationId,
  { kind, id }: { readonly kind: ContentKind; readonly id: SpaceId | CollectionId },
  isWanted: (level: Level) => boolean,
): Promise<MemberLevels> {
  const steps = await loadSteps(db, organizationId, kind, id)
  const defaults = steps.map((step) => step.default_level as DefaultLevel)
  // The level of members without grants who created none of the steps follows from their role alone.
  const wantedRoles = [...roles, null].filter((role) =>
    isWanted(
      levelOnContent({
        role,
        steps: defaults.map((defaultLevel) => ({ defaultLevel, isCreator: false, own: null, teams: [] })),
      }),
    ),
  )
  return {
    level: levelFrom(steps, organizationId),
    candidates: await findCandidates(db, organizationId, steps, wantedRoles),
  }
}

/** Returns the resource itself and the collections around it, outermost last. */
async function loadSteps(
  db: Db,
  organizationId: OrganizationId,
  kind: ContentKind,
  id: SpaceId | CollectionId,
): Promise<GrantStep[]> {
  const holds = (grantee: 'user' | 'team') =>
    sql<number | null>`(
      select 1 from grants
      where grants.organization_id = ${organizationId} and grants.target_id = steps.id
        and grants.grantee_kind = ${grantee}
      limit 1
    )`
  const rows = await withSteps(db, organizationId, kind, [id])
    .selectFrom('steps')
    .select(['id', 'parent_id', 'default_level', 'created_by'])
    .select([holds('user').as('has_users'), holds('team').as('has_teams')])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const steps: GrantStep[] = []
  for (let at = byId.get(id); at !== undefined;) {
    steps.push(at)
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  }
  return steps
}

/** The first grant or default on the way up decides; see `levelOnContent`. */
function levelFrom(steps: readonly GrantStep[], organizationId: OrganizationId): RawBuilder<Role | null> {
  let level = sql<Role | null>`members.role`
  for (const step of steps.toReversed()) {
    const granted: RawBuilder<unknown>[] = []
    if (step.has_users !== null)
      granted.push(sql`(
      select role from grants
      where organization_id = ${organizationId} and target_id = ${step.id} and grantee_id = members.user_id
    )`)
    if (step.has_teams !== null)
      granted.push(sql`(
      select granted.role from team_members as membership
      join grants as granted on granted.organization_id = ${organizationId} and granted.target_id = ${step.id}
        and granted.grantee_id = membership.team_id
      where membership.organization_id = ${organizationId} and membership.user_id = members.user_id
      order by ${rankOf(sql.ref('granted.role'))} desc limit 1
    )`)
    const byInheritance = byDefault(step, level)
    level =
      granted.length === 0
        ? byInheritance
        : sql<Role | null>`coalesce(${sql.join([...granted, byInheritance])})`
  }
  return sql<Role | null>`(case when members.role = 'admin' then 'admin' else ${level} end)`
}

function byDefault(
  { default_level: level, created_by: creator }: GrantStep,
  above: RawBuilder<Role | null>,
): RawBuilder<Role | null> {
  if (level === 'inherit') return above
  if (level === null) return sql`(case when members.user_id = ${creator} then ${above} end)`
  return sql`(case when members.role is not null then ${level} end)`
}

function rankOf(role: RawBuilder<unknown>): RawBuilder<number> {
  const cases = roles.map((one, rank) => sql`when ${one} then ${sql.lit(rank)}`)
  return sql`(case ${role} ${sql.join(cases, sql` `)} end)`
}

async function findCandidates(
  db: Db,
  organizationId: OrganizationId,
  steps: readonly GrantStep[],
  wantedRoles: readonly (Role | null)[],
): Promise<readonly UserId[] | undefined> {
  const targets = sql.join(steps.map(({ id }) => id))
  const byRole = wantedRoles.map(
    (role) => sql`
      select user_id from members where organization_id = ${organizationId}
      and ${role === null ? sql`role is null` : sql`role = ${role}`}
    `,
  )
  const granted = sql`
    select grantee_id as user_id from grants
    where organization_id = ${organizationId} and target_id in (${targets}) and grantee_kind = 'user'
    union all
    select team_members.user_id from grants
    join team_members on team_members.organization_id = grants.organization_id
      and team_members.team_id = grants.grantee_id
    where grants.organization_id = ${organizationId} and grants.target_id in (${targets}) and grants.grantee_kind = 'team'
  `
  const { rows } = await sql<{ user_id: UserId }>`
    select user_id from (${sql.join([...byRole, granted], sql` union all `)}) as candidates
    limit ${maxCandidates + 1}
  `.execute(db)
  if (rows.length > maxCandidates) return undefined
  return [...new Set([...rows.map((row) => row.user_id), ...steps.map((step) => step.created_by)])]
}
