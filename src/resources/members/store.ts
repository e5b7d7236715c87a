/** Table of members, joined with users. Inserting is in the organizations' store, which creates the first one. */
import type { ExpressionBuilder } from 'kysely'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { isVisibleSpace } from '../../access/rules/visible.js'
import type { Db, Tx } from '../../store/db/database.js'
import { contains } from '../../store/db/contains.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { Row, RowUpdate } from '../../store/db/tables.js'
import { insertFormerName } from '../users/former-names.js'

/** A member with the profile that the organization may see: of one who has not accepted, only what it entered itself. */
export type MemberRow = Row<'members'> & Pick<Row<'users'>, 'display_name' | 'email' | 'photo_url'>

export interface MemberFilter {
  readonly role?: string
  readonly search?: string
  readonly sort?: 'joinedAt' | 'lastSeenAt'
  readonly order?: 'asc' | 'desc'
}

/** Members joined with their users, to build queries on. */
export function membersWithUsers(db: Db) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('members')
    .select(({ fn, eb, ref }) => [
      fn.coalesce('members.known_as', 'users.display_name').as('display_name'),
      'users.email as email',
      eb.case().when('members.known_as', 'is', null).then(ref('users.photo_url')).end().as('photo_url'),
    ])
}

/** Condition: a part of the member's name or e-mail address; for queries over members with their users. */
export function matchesName(search: string) {
  return (where: ExpressionBuilder<any, any>) =>
    where.or([
      contains('users.email', search),
      contains('members.known_as', search),
      where.and([where('members.known_as', 'is', null), contains('users.display_name', search)]),
    ])
}

export function findMember(db: Db, organizationId: OrganizationId, userId: UserId) {
  return membersWithUsers(db)
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()
}

export function listMembers(
  db: Db,
  organizationId: OrganizationId,
  { page, limit, ...filter }: PageRequest & MemberFilter,
): Promise<ListPage<MemberRow>> {
  const { role, search, sort = 'joinedAt', order = 'desc' } = filter
  let query = membersWithUsers(db).where('members.organization_id', '=', organizationId)
  if (role === 'guest') query = query.where('members.role', 'is', null)
  else if (role !== undefined) query = query.where('members.role', '=', role)
  if (search !== undefined) {
    query = query.where(matchesName(search))
  }
  if (sort === 'lastSeenAt') query = query.where('members.last_seen_at', 'is not', null)
  const column = sort === 'lastSeenAt' ? 'members.last_seen_at' : 'members.joined_at'
  return listPage(db, query, {
    page,
    limit,
    order: [{ column, type: 'integer', direction: order }],
    id: 'members.user_id',
  })
}

/** Numbers of a member's teams, and of spaces shared with them by name. */
export interface MemberCounts {
  readonly teams: number
  readonly spaces: number
}

/** Returns the counts of members; counts only spaces that the reader may read. */
export async function loadMemberCounts(
  db: Db,
  reader: Reader,
  ids: readonly UserId[],
): Promise<Map<UserId, MemberCounts>> {
  if (ids.length === 0) return new Map()
  const teams = await db
    .selectFrom('team_members')
    .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', 'in', ids)
    .groupBy('user_id')
    .execute()
  const spaces = await db
    .selectFrom('grants')
    .innerJoin('spaces', 'spaces.id', 'grants.target_id' as never)
    .select(({ fn }) => ['grants.grantee_id as user_id', fn.countAll<number>().as('count')])
    .where('spaces.organization_id', '=', reader.organizationId)
    .where('grants.organization_id', '=', reader.organizationId)
    .where('grants.grantee_id', 'in', ids)
    .where((space) => isVisibleSpace(space as never, reader) as never)
    .groupBy('grants.grantee_id')
    .execute()
  const [inTeams, inSpaces] = [teams, spaces].map(
    (rows) => new Map<string, number>(rows.map(({ user_id, count }) => [user_id, count])),
  )
  return new Map(ids.map((id) => [id, { teams: inTeams!.get(id) ?? 0, spaces: inSpaces!.get(id) ?? 0 }]))
}

export async function updateMemberRow(
  tx: Tx,
  { organization_id, user_id }: Pick<MemberRow, 'organization_id' | 'user_id'>,
  change: RowUpdate<'members'>,
): Promise<void> {
  await tx
    .updateTable('members')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** Deletes the membership and its team memberships; the name of one who had not accepted is retained as a former name. */
export async function deleteMember(
  tx: Tx,
  { organization_id, user_id, known_as }: Pick<MemberRow, 'organization_id' | 'user_id' | 'known_as'>,
): Promise<void> {
  await tx
    .deleteFrom('members')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute()
  if (known_as !== null)
    await insertFormerName(tx, { organizationId: organization_id, userId: user_id }, known_as)
}

/** True when the organization has another admin who has accepted and is not disabled. */
export async function hasOtherAdmin(
  db: Db,
  { organization_id, user_id }: Pick<MemberRow, 'organization_id' | 'user_id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '!=', user_id)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .where('accepted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns at most `limit` admins of an organization who have accepted and are not disabled. */
export async function listAdmins(
  db: Db,
  organizationId: OrganizationId,
  limit: number,
): Promise<MemberRow['user_id'][]> {
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .where('accepted_at', 'is not', null)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
