/**
 * The levels of an organization's members on one space or collection: the same rule as `levels.ts`, said to the
 * database, so that a list of them is filtered before it is limited.
 *
 * The way up from the thing is short and read first; the rule becomes one expression that looks up what a member
 * was given on each step of it. Where few members come into question, they are named beforehand.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CollectionId, OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import { type DefaultLevel, type Role, roles } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { type ContentKind, withSteps } from './facts.js'
import { type Level, levelOnContent } from './levels.js'

export interface MembersOn {
  /** The level of a member, for queries over `members` of the organization. */
  readonly level: RawBuilder<Role | null>
  /** All who may have such a level, and perhaps others; undefined when they are too many to name. */
  readonly candidates: readonly UserId[] | undefined
}

/** Up to so many are looked up and put in order; of more, the order is followed until a page is full. */
const mostCandidates = 1_000

interface StepOn {
  readonly id: SpaceId | CollectionId
  readonly parent_id: CollectionId | null
  readonly default_level: string | null
  readonly created_by: UserId
  readonly has_users: number | null
  readonly has_teams: number | null
}

/** Returns how the members of an organization stand to a thing of it, for those whose level is wanted. */
export async function membersOn(
  db: Db,
  organizationId: OrganizationId,
  { kind, id }: { readonly kind: ContentKind; readonly id: SpaceId | CollectionId },
  isWanted: (level: Level) => boolean,
): Promise<MembersOn> {
  const steps = await loadSteps(db, organizationId, kind, id)
  const defaults = steps.map((step) => step.default_level as DefaultLevel)
  // What members have to whom nothing was given and who made nothing on the way follows from their role alone.
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

/** Returns the thing itself and the collections around it, outermost last. */
async function loadSteps(
  db: Db,
  organizationId: OrganizationId,
  kind: ContentKind,
  id: SpaceId | CollectionId,
): Promise<StepOn[]> {
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
  const steps: StepOn[] = []
  for (let at = byId.get(id); at !== undefined;) {
    steps.push(at)
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  }
  return steps
}

/** The first thing said on the way counts; see `levelOnContent`. */
function levelFrom(steps: readonly StepOn[], organizationId: OrganizationId): RawBuilder<Role | null> {
  let level = sql<Role | null>`members.role`
  for (const step of steps.toReversed()) {
    const given: RawBuilder<unknown>[] = []
    if (step.has_users !== null)
      given.push(sql`(
      select role from grants
      where organization_id = ${organizationId} and target_id = ${step.id} and grantee_id = members.user_id
    )`)
    if (step.has_teams !== null)
      given.push(sql`(
      select given.role from team_members as place
      join grants as given on given.organization_id = ${organizationId} and given.target_id = ${step.id}
        and given.grantee_id = place.team_id
      where place.organization_id = ${organizationId} and place.user_id = members.user_id
      order by ${rankOf(sql.ref('given.role'))} desc limit 1
    )`)
    const ungiven = byDefault(step, level)
    level = given.length === 0 ? ungiven : sql<Role | null>`coalesce(${sql.join([...given, ungiven])})`
  }
  return sql<Role | null>`(case when members.role = 'admin' then 'admin' else ${level} end)`
}

function byDefault(
  { default_level: level, created_by: creator }: StepOn,
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
  steps: readonly StepOn[],
  wantedRoles: readonly (Role | null)[],
): Promise<readonly UserId[] | undefined> {
  const targets = sql.join(steps.map(({ id }) => id))
  const byRole = wantedRoles.map(
    (role) => sql`
      select user_id from members where organization_id = ${organizationId}
      and ${role === null ? sql`role is null` : sql`role = ${role}`}
    `,
  )
  const given = sql`
    select grantee_id as user_id from grants
    where organization_id = ${organizationId} and target_id in (${targets}) and grantee_kind = 'user'
    union all
    select team_members.user_id from grants
    join team_members on team_members.organization_id = grants.organization_id
      and team_members.team_id = grants.grantee_id
    where grants.organization_id = ${organizationId} and grants.target_id in (${targets}) and grants.grantee_kind = 'team'
  `
  const { rows } = await sql<{ user_id: UserId }>`
    select user_id from (${sql.join([...byRole, given], sql` union all `)}) as candidates
    limit ${mostCandidates + 1}
  `.execute(db)
  if (rows.length > mostCandidates) return undefined
  return [...new Set([...rows.map((row) => row.user_id), ...steps.map((step) => step.created_by)])]
}
