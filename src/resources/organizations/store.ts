/** Rows of organizations and members. */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Role } from '../../contract/shapes.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'

export type OrganizationRow = Row<'organizations'>

/** An organization as one of its people sees it; `role` null is a guest. */
export interface OrganizationOf {
  readonly row: OrganizationRow
  readonly role: Role | null
}

/** Returns the organization when the user belongs to it and is not disabled. */
export async function findOrganizationOf(
  db: Db,
  userId: UserId,
  id: OrganizationId,
): Promise<OrganizationOf | undefined> {
  const found = await db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select('members.role as member_role')
    .where('organizations.id', '=', id)
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { member_role: role, ...row } = found
  return { row, role: role as Role | null }
}

/** Lists the organizations of a user that his token or session opens, oldest first. */
export async function listOrganizationsOf(
  db: Db,
  { userId, onlyIn }: Pick<Actor, 'userId' | 'onlyIn'>,
  list: PageRequest,
): Promise<ListPage<OrganizationOf>> {
  const all = db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select('members.role as member_role')
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
  const query = onlyIn === null ? all : all.where('organizations.id', '=', onlyIn)
  const page = await listPage(query, {
    ...list,
    order: [{ column: 'organizations.created_at', type: 'integer', direction: 'asc' }],
    id: 'organizations.id',
    bound: `organizations ${userId} ${onlyIn}`,
  })
  return {
    ...page,
    items: page.items.map(({ member_role: role, ...row }) => ({ row, role: role as Role | null })),
  }
}

export async function findOrganization(db: Db, id: OrganizationId): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function isHostnameTaken(db: Db, hostname: string): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('hostname', '=', hostname)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertOrganization(tx: Tx, row: NewRow<'organizations'>): Promise<void> {
  await tx.insertInto('organizations').values(row).execute()
}

export async function insertMember(
  tx: Tx,
  member: { organizationId: OrganizationId; userId: UserId; role: Role | null; now: number },
): Promise<void> {
  await tx
    .insertInto('members')
    .values({
      organization_id: member.organizationId,
      user_id: member.userId,
      role: member.role,
      disabled: 0,
      sso: 0,
      joined_at: member.now,
      last_seen_at: null,
    })
    .execute()
}

/** Returns all organizations of the installation, oldest first. */
export function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  return db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute()
}

/** Returns who of its admins joined first. */
export async function findFirstAdmin(db: Db, id: OrganizationId): Promise<UserId | undefined> {
  const member = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', id)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .orderBy('joined_at')
    .orderBy('user_id')
    .executeTakeFirst()
  return member?.user_id
}
