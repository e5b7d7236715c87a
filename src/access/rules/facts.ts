/**
 * The facts that the rule of levels asks for, read from the database: the way from a space or collection up to
 * the organization, and what was granted to somebody on each step of it. One query, whatever the depth.
 */
import { type JoinBuilder, sql } from 'kysely'
import { groupBy } from '../../core/group.js'
import type { CollectionId, OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { type Level, type Reader, type Step, levelOnContent } from './levels.js'

export type ContentKind = 'space' | 'collection'

/** A step on the way up, as often as it has grants for the asker, and once when it has none. */
export interface StepRow {
  readonly step_id: string
  readonly step_parent: string | null
  readonly step_level: string | null
  readonly step_creator: string
  readonly grant_role: string | null
  readonly grant_kind: string | null
}

/** Begins a query that may select from `steps`: spaces or collections of an organization and every collection above them. */
export function withSteps(
  db: Db,
  organizationId: OrganizationId,
  kind: ContentKind,
  ids: readonly (SpaceId | CollectionId)[],
) {
  // Joined to the rows in this order: SQLite would rather walk through the whole organization.
  const wanted = sql`(values ${sql.join(ids.map((id) => sql`(${id})`))}) as wanted`
  return db.with(
    'steps',
    () => sql<StepsRow>`(
    with recursive way (id, parent_id, default_level, created_by) as (
      ${
        kind === 'space'
          ? sql`select id, collection_id, default_level, created_by from ${wanted} cross join spaces`
          : sql`select id, parent_id, default_level, created_by from ${wanted} cross join collections`
      } where organization_id = ${organizationId} and id = wanted.column1
      union
      select above.id, above.parent_id, above.default_level, above.created_by
      from collections as above join way on way.parent_id = above.id
      where above.organization_id = ${organizationId}
    )
    select * from way
  )`,
  )
}

interface StepsRow {
  readonly id: SpaceId | CollectionId
  readonly parent_id: CollectionId | null
  readonly default_level: string | null
  readonly created_by: UserId
}

/** The columns of `StepRow`, for queries over `steps` with `grantsOn`. */
export const stepColumns = [
  'steps.id as step_id',
  'steps.parent_id as step_parent',
  'steps.default_level as step_level',
  'steps.created_by as step_creator',
  'granted.role as grant_role',
  'granted.grantee_kind as grant_kind',
] as const

/** Joins `grants as granted` to `steps`: what was granted there to the user, by name or through a team. */
export function onGrantsOf(organizationId: OrganizationId, userId: UserId) {
  return (join: JoinBuilder<any, any>) =>
    join
      .on('granted.organization_id', '=', organizationId)
      .onRef('granted.target_id', '=', 'steps.id')
      .on((grant) =>
        grant.or([
          grant('granted.grantee_id', '=', userId),
          grant.exists(
            grant
              .selectFrom('team_members')
              .select('team_members.team_id')
              .where('team_members.organization_id', '=', organizationId)
              .whereRef('team_members.team_id', '=', 'granted.grantee_id')
              .where('team_members.user_id', '=', userId),
          ),
        ]),
      )
}

/** Returns the steps from a thing to the top, out of rows that hold them all. */
export function stepsFrom(id: string, rows: StepRows, userId: UserId): Step[] {
  const steps: Step[] = []
  for (let at: string | null = id; at !== null;) {
    const here: readonly StepRow[] = rows.get(at) ?? []
    const [first] = here
    if (first === undefined) break
    const granted = (kind: string) =>
      here.filter((row) => row.grant_kind === kind).map((row) => row.grant_role as Role)
    steps.push({
      defaultLevel: first.step_level as DefaultLevel,
      isCreator: first.step_creator === userId,
      own: granted('user')[0] ?? null,
      teams: granted('team'),
    })
    at = first.step_parent
  }
  return steps
}

type StepRows = ReadonlyMap<string, readonly StepRow[]>

/** Returns the rows by the id of their step. */
export function groupSteps(rows: readonly StepRow[]): StepRows {
  return groupBy(rows, (row) => row.step_id)
}

/** Returns the reader's levels on spaces or collections of their organization, by id. */
export async function loadLevels<Id extends SpaceId | CollectionId>(
  db: Db,
  { organizationId, userId, role, shown }: Reader,
  kind: ContentKind,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Level>> {
  if (ids.length === 0) return new Map()
  if (shown !== undefined) return new Map(ids.map((id) => [id, shown.has(id as SpaceId) ? 'read' : null]))
  // Neither depends on anything below the organization.
  if (role === undefined || role === 'admin') {
    return new Map(ids.map((id) => [id, levelOnContent({ role, steps: [] })]))
  }
  const rows = await withSteps(db, organizationId, kind, ids)
    .selectFrom('steps')
    .leftJoin('grants as granted', onGrantsOf(organizationId, userId))
    .select(stepColumns)
    .execute()
  const groups = groupSteps(rows)
  return new Map(ids.map((id) => [id, levelOnContent({ role, steps: stepsFrom(id, groups, userId) })]))
}

/** What `members` joined to such a query adds: the asker's own membership. */
interface MemberColumns {
  readonly member_role: string | null
  readonly member_id: UserId | null
}

/** Parts the rows of one thing and its steps into the thing's own row and the facts about the asker; undefined without rows. */
export function partFacts<Row extends StepRow & MemberColumns>(
  id: string,
  rows: readonly Row[],
  userId: UserId,
) {
  const [first] = rows
  if (first === undefined) return undefined
  const {
    member_role: role,
    member_id: member,
    step_id: _id,
    step_parent: _parent,
    step_level: _level,
    step_creator: _creator,
    grant_role: _role,
    grant_kind: _kind,
    ...row
  } = first
  return {
    row,
    role: member === null ? undefined : (role as Role | null),
    steps: stepsFrom(id, groupSteps(rows), userId),
  }
}
