/** Lists of who was given a role on a space or a collection; the rows themselves are written in access/rules. */
import { sql } from 'kysely'
import type { UserId } from '../../core/ids.js'
import type { Target } from '../../access/rules/grants.js'
import type { Level } from '../../access/rules/levels.js'
import { membersOn } from '../../access/rules/members.js'
import type { Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import { type MemberRow, isCalled, membersWithUsers } from '../members/store.js'
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
    .where('grants.organization_id', '=', organizationId)
    .where('grants.target_id', '=', id)
    .where('grants.grantee_kind', '=', 'user')
  return listPage(db, query, {
    ...list,
    order: [{ column: 'grants.created_at', type: 'integer', direction: 'asc' }],
    id: 'grants.grantee_id',
  })
}

export function listGrantedTeams(
  db: Db,
  { organizationId, id }: Target,
  list: PageRequest,
): Promise<ListPage<TeamRow & { readonly granted_role: string }>> {
  const query = db
    .selectFrom('teams')
    .innerJoin('grants', 'grants.grantee_id', 'teams.id' as never)
    .selectAll('teams')
    .select('grants.role as granted_role')
    .where('teams.organization_id', '=', organizationId)
    .where('grants.organization_id', '=', organizationId)
    .where('grants.target_id', '=', id)
    .where('grants.grantee_kind', '=', 'team')
  return listPage(db, query, {
    ...list,
    order: [{ column: 'grants.created_at', type: 'integer', direction: 'asc' }],
    id: 'grants.grantee_id',
  })
}

/** Which of the people on a thing are wanted. */
export interface PeopleFilter {
  /** Any when it is left out. */
  readonly role?: Role | undefined
  /** A part of the name or the address. */
  readonly search?: string | undefined
  /** Only this one. */
  readonly user?: UserId | undefined
  /** Only those who accepted to belong to the organization. */
  readonly joined?: true
}

/** Lists the members who have the role on a thing, or any, with it, in the order they joined; guests are among them. */
export async function listPeople(
  db: Db,
  target: Target,
  { role, search, user, joined }: PeopleFilter,
  list: PageRequest,
): Promise<ListPage<MemberRow & { readonly level: Role }>> {
  const { organizationId } = target
  const isWanted = (level: Level) => (role === undefined ? level !== null : level === role)
  const { level, candidates } = await membersOn(db, organizationId, target, isWanted)
  let query = membersWithUsers(db)
    .select(level.$castTo<Role>().as('level'))
    .where('members.organization_id', '=', organizationId)
    .where('members.disabled', '=', 0)
    .where(role === undefined ? sql<boolean>`${level} is not null` : sql<boolean>`${level} = ${role}`)
  if (search !== undefined) query = query.where(isCalled(search))
  if (user !== undefined) query = query.where('members.user_id', '=', user)
  if (joined) query = query.where('members.accepted_at', 'is not', null)
  if (candidates !== undefined) query = query.where('members.user_id', 'in', candidates)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'members.joined_at', type: 'integer', direction: 'asc' }],
    id: 'members.user_id',
  })
}
