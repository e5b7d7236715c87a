/** Lists of who was given a role on a space or a collection; the rows themselves are written in access/rules. */
import type { OrganizationId, TeamId, UserId } from '../../core/ids.js'
import type { Target } from '../../access/rules/grants.js'
import type { Db } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import { type MemberRow, membersWithUsers } from '../members/store.js'
import type { TeamRow } from '../teams/store.js'

export function listGrantedUsers(
  db: Db,
  { organizationId, id }: Target,
  list: PageRequest,
): Promise<ListPage<MemberRow & { readonly granted_role: string }>> {
  const query = membersWithUsers(db)
    .innerJoin('grants', 'grants.grantee_id', 'members.user_id' as never)
    .select('grants.role as granted_role')
    .where('members.organization_id', '=', organizationId)
    .where('grants.target_id', '=', id)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'grants.created_at', type: 'integer', direction: 'asc' }],
    id: 'members.user_id',
    bound: `granted users ${id}`,
  })
}

export function listGrantedTeams(
  db: Db,
  { id }: Target,
  list: PageRequest,
): Promise<ListPage<TeamRow & { readonly granted_role: string }>> {
  const query = db
    .selectFrom('teams')
    .innerJoin('grants', 'grants.grantee_id', 'teams.id' as never)
    .selectAll('teams')
    .select('grants.role as granted_role')
    .where('grants.target_id', '=', id)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'grants.created_at', type: 'integer', direction: 'asc' }],
    id: 'teams.id',
    bound: `granted teams ${id}`,
  })
}

/** Lists these members, in the order they joined. */
export async function listPeople(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly UserId[],
  { bound, ...list }: PageRequest & { readonly bound: string },
): Promise<ListPage<MemberRow>> {
  const query = membersWithUsers(db)
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', 'in', ids.length === 0 ? ['' as UserId] : ids)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'members.joined_at', type: 'integer', direction: 'asc' }],
    id: 'members.user_id',
    bound,
  })
}

/** Returns which of the ids are teams of the organization. */
export async function findTeams(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly TeamId[],
): Promise<ReadonlySet<TeamId>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
