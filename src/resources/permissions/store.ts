/** Listing grants on a space or a collection; grants are written in access/rules. */
import { sql } from 'kysely'
import type { UserId } from '../../core/ids.js'
import type { GrantTarget } from '../../access/rules/grants.js'
import type { Level } from '../../access/rules/levels.js'
import { memberLevelsOn } from '../../access/rules/member-levels.js'
import type { Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import { type MemberRow, matchesName, membersWithUsers } from '../members/store.js'
import type { TeamRow } from '../teams/store.js'

export function listGrantedUsers(
  db: Db,
  { organizationId, id }: GrantTarget,
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
  { organizationId, id }: GrantTarget,
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

/** Filter of the members with access to a space or collection. */
export interface AccessFilter {
  /** Any role when omitted. */
  readonly role?: Role | undefined
  /** A part of the name or the e-mail address. */
  readonly search?: string | undefined
  /** Only this user. */
  readonly user?: UserId | undefined
  /** Only these users. */
  readonly users?: readonly UserId[]
  /** Only those who accepted their membership. */
  readonly joined?: true
}

/** Lists the members, including guests, with the role (or any role) on a space or collection, in order of joining. */
export async function listPeopleWithAccess(
  db: Db,
  target: GrantTarget,
  { role, search, user, users, joined }: AccessFilter,
  list: PageRequest,
): Promise<ListPage<MemberRow & { readonly level: Role }>> {
  const { organizationId } = target
  const isWanted = (level: Level) => (role === undefined ? level !== null : level === role)
  const { level, candidates } = await memberLevelsOn(db, organizationId, target, isWanted)
  let query = membersWithUsers(db)
    .select(level.$castTo<Role>().as('level'))
    .where('members.organization_id', '=', organizationId)
    .where('members.disabled', '=', 0)
    .where(role === undefined ? sql<boolean>`${level} is not null` : sql<boolean>`${level} = ${role}`)
  if (search !== undefined) query = query.where(matchesName(search))
  if (user !== undefined) query = query.where('members.user_id', '=', user)
  if (users !== undefined) query = query.where('members.user_id', 'in', users)
  if (joined) query = query.where('members.accepted_at', 'is not', null)
  if (candidates !== undefined) query = query.where('members.user_id', 'in', candidates)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'members.joined_at', type: 'integer', direction: 'asc' }],
    id: 'members.user_id',
  })
}
