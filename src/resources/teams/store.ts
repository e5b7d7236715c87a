/** Tables of teams and team members. */
import { foldEmail } from '../../core/email.js'
import type { OrganizationId, TeamId, UserId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { isVisibleSpace } from '../../access/rules/visible.js'
import type { TeamRole } from '../../contract/teams.js'
import { contains } from '../../store/db/contains.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'
import { type MemberRow, membersWithUsers } from '../members/store.js'

export type TeamRow = Row<'teams'>
type TeamKey = Pick<TeamRow, 'organization_id' | 'id'>

export function findTeam(db: Db, organizationId: OrganizationId, id: TeamId): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

/** Returns the teams of the organization that have these ids. */
export async function findTeams(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly TeamId[],
): Promise<TeamRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Returns the user's role in each of the teams they are in. */
export async function loadTeamRoles(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly TeamId[],
): Promise<Map<TeamId, TeamRole>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('team_members')
    .select(['team_id', 'role'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('team_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.team_id, row.role as TeamRole]))
}

export interface TeamFilter {
  readonly title?: string | undefined
  /** Only teams owned by this user. */
  readonly owner?: string | undefined
  /** Only teams with this member. */
  readonly member?: UserId | undefined
}

/** Lists the teams of an organization, oldest first. */
export function listTeams(
  db: Db,
  organizationId: OrganizationId,
  { page, limit }: PageRequest,
  { title, owner, member }: TeamFilter,
): Promise<ListPage<TeamRow>> {
  let query = db.selectFrom('teams').selectAll('teams').where('teams.organization_id', '=', organizationId)
  if (title !== undefined) query = query.where(contains('teams.title', title))
  const user = owner ?? member
  if (user !== undefined) {
    query = query.where('teams.id', 'in', (teams) => {
      const places = teams
        .selectFrom('team_members')
        .select('team_members.team_id')
        .where('team_members.organization_id', '=', organizationId)
        .where('team_members.user_id', '=', user as UserId)
      return owner === undefined ? places : places.where('team_members.role', '=', 'owner')
    })
  }
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'teams.created_at', type: 'integer', direction: 'asc' }],
    id: 'teams.id',
  })
}

export interface TeamCounts {
  readonly members: number
  readonly spaces: number
}

/** Returns the numbers of the teams' members, and of spaces granted to them that the reader may read. */
export async function loadTeamCounts(
  db: Db,
  reader: Reader,
  ids: readonly TeamId[],
): Promise<Map<TeamId, TeamCounts>> {
  if (ids.length === 0) return new Map()
  const members = await db
    .selectFrom('team_members')
    .select(({ fn }) => ['team_id', fn.countAll<number>().as('count')])
    .where('organization_id', '=', reader.organizationId)
    .where('team_id', 'in', ids)
    .groupBy('team_id')
    .execute()
  const spaces = await db
    .selectFrom('grants')
    .innerJoin('spaces', 'spaces.id', 'grants.target_id' as never)
    .select(({ fn }) => ['grants.grantee_id as team_id', fn.countAll<number>().as('count')])
    .where('spaces.organization_id', '=', reader.organizationId)
    .where('grants.organization_id', '=', reader.organizationId)
    .where('grants.grantee_id', 'in', ids)
    .where((space) => isVisibleSpace(space as never, reader) as never)
    .groupBy('grants.grantee_id')
    .execute()
  const [inTeam, inSpaces] = [members, spaces].map(
    (rows) => new Map<string, number>(rows.map(({ team_id, count }) => [team_id, count])),
  )
  return new Map(ids.map((id) => [id, { members: inTeam!.get(id) ?? 0, spaces: inSpaces!.get(id) ?? 0 }]))
}

export function insertTeam(tx: Tx, row: NewRow<'teams'>): Promise<TeamRow> {
  return tx.insertInto('teams').values(row).returningAll().executeTakeFirstOrThrow()
}

export function renameTeam(
  tx: Tx,
  { organization_id: organizationId, id }: TeamKey,
  title: string,
  now: number,
): Promise<TeamRow> {
  return tx
    .updateTable('teams')
    .set({ title, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteTeam(tx: Tx, { organization_id: organizationId, id }: TeamKey): Promise<void> {
  await tx.deleteFrom('teams').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Lists the members of a team with their team role, in order of joining. */
export function listTeamMembers(
  db: Db,
  { id, organization_id }: TeamRow,
  list: PageRequest,
): Promise<ListPage<MemberRow & { readonly team_role: string }>> {
  const query = membersWithUsers(db)
    .innerJoin('team_members', (join) =>
      join
        .onRef('team_members.organization_id', '=', 'members.organization_id')
        .onRef('team_members.user_id', '=', 'members.user_id'),
    )
    .select('team_members.role as team_role')
    .where('members.organization_id', '=', organization_id)
    .where('team_members.team_id', '=', id)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'team_members.joined_at', type: 'integer', direction: 'asc' }],
    id: 'team_members.user_id',
  })
}

/** Upserts team members; without a role, an existing member's role is unchanged. */
export async function putTeamMembers(
  tx: Tx,
  { id, organization_id }: TeamRow,
  people: readonly { readonly userId: UserId; readonly role?: TeamRole | undefined }[],
  now: number,
): Promise<void> {
  for (const { userId, role } of people) {
    const row = {
      organization_id,
      team_id: id,
      user_id: userId,
      role: role ?? 'member',
      joined_at: now,
    }
    const insert = tx.insertInto('team_members').values(row)
    await insert
      .onConflict((conflict) => {
        const same = conflict.columns(['organization_id', 'team_id', 'user_id'])
        return role === undefined ? same.doNothing() : same.doUpdateSet({ role })
      })
      .execute()
  }
}

export async function deleteTeamMembers(
  tx: Tx,
  { organization_id: organizationId, id }: TeamKey,
  people: readonly UserId[],
): Promise<void> {
  if (people.length === 0) return
  await tx
    .deleteFrom('team_members')
    .where('organization_id', '=', organizationId)
    .where('team_id', '=', id)
    .where('user_id', 'in', people)
    .execute()
}

/** Returns the members with these ids or e-mail addresses, by the name passed in. */
export async function findMembersNamed(
  db: Db,
  organizationId: OrganizationId,
  names: readonly string[],
): Promise<Map<string, UserId>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id as id', 'users.email as email'])
    .where('members.organization_id', '=', organizationId)
    .where((user) =>
      user.or([
        user('users.id', 'in', names as UserId[]),
        user(
          'users.email',
          'in',
          names.map((name) => foldEmail(name)),
        ),
      ]),
    )
    .execute()
  const found = new Map(
    rows.flatMap(({ id, email }) => [[id as string, id] as const, [email ?? '', id] as const]),
  )
  return new Map(
    names.flatMap((name) => {
      const id = found.get(name) ?? found.get(foldEmail(name))
      return id === undefined ? [] : [[name, id] as const]
    }),
  )
}
