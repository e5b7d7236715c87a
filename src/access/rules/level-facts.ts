/**
 * Input of the access rules, read from the database: the ancestors of a space or collection, and what was granted to a
 * user on each of them. One query, whatever the depth.
 */
import { type JoinBuilder, sql } from 'kysely'
import { groupBy } from '../../core/group.js'
import type { CollectionId, OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { type Level, type Reader, type InheritanceStep, levelOnContent } from './levels.js'

export type ContentKind = 'space' | 'collection'

/** An ancestor, once for each of its grants to the user, and once when it has none. */
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
  // In this join order: SQLite would otherwise scan the whole organization.
  const wanted = sql`(values ${sql.join(ids.map((id) => sql`(${id})`))}) as wanted`
  return db.with(
    'steps',
    () => sql<StepBase>`(
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

interface StepBase {
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

/** Join condition of `grants as granted` with `steps`: what was granted to the user, by name or through a team. */
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

/** Returns the steps from a resource to the top of the organization, from rows that contain them all. */
export function stepsFrom(id: string, rows: StepRows, userId: UserId): InheritanceStep[] {
  const steps: InheritanceStep[] = []
  for (let at: string | null = id; at !== null;) {
    const stepRows: readonly StepRow[] = rows.get(at) ?? []
    const [first] = stepRows
    if (first === undefined) break
    const granted = (kind: string) =>
      stepRows.filter((row) => row.grant_kind === kind).map((row) => row.grant_role as Role)
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
  { organizationId, userId, role, visibleSpaces }: Reader,
  kind: ContentKind,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Level>> {
  if (ids.length === 0) return new Map()
  if (visibleSpaces !== undefined)
    return new Map(ids.map((id) => [id, visibleSpaces.has(id as SpaceId) ? 'read' : null]))
  // The level of an admin and of a stranger depends on nothing below the organization.
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

/** Columns of a joined `members`: the user's own membership. */
interface MemberColumns {
  readonly member_role: string | null
  readonly member_id: UserId | null
}

/**
 * Splits the rows of one resource and its steps into the resource's own row, the user's role and the steps; undefined
 * without rows.
 */
export function splitFacts<Row extends StepRow & MemberColumns>(
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
