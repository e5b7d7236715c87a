/** Tables of invite links, and of pending memberships. */
import type { InviteId, OrganizationId, UserId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'

export type InviteRow = Row<'link_invites'>
type InviteKey = Pick<InviteRow, 'organization_id' | 'id'>

export function findInvite(
  db: Db,
  organizationId: OrganizationId,
  id: InviteId,
): Promise<InviteRow | undefined> {
  return db
    .selectFrom('link_invites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

/** Lists the links to the organization itself, oldest first. */
export function listOrganizationInvites(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<InviteRow>> {
  const query = db
    .selectFrom('link_invites')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('target_kind', '=', 'organization')
  return listPage(db, query, {
    ...list,
    order: [{ column: 'link_invites.created_at', type: 'integer', direction: 'asc' }],
    id: 'link_invites.id',
  })
}

export function insertInvite(tx: Tx, row: NewRow<'link_invites'>): Promise<InviteRow> {
  return tx.insertInto('link_invites').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Sets the role of a link; who does so becomes its inviter. */
export function setInviteRole(
  tx: Tx,
  { organization_id: organizationId, id }: InviteKey,
  { role, by }: { readonly role: string | null; readonly by: UserId },
): Promise<InviteRow> {
  return tx
    .updateTable('link_invites')
    .set({ role, created_by: by })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteInvite(
  tx: Tx,
  { organization_id: organizationId, id }: InviteKey,
): Promise<void> {
  await tx
    .deleteFrom('link_invites')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Returns the number of pending invitations of an organization. */
export async function countPending(db: Db, organizationId: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A pending invitation of a user. */
export interface InvitationRow {
  readonly organization_id: OrganizationId
  readonly title: string
  readonly role: string | null
  readonly invited_at: number
}

function invitationsOf(db: Db, userId: UserId) {
  return db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select([
      'members.organization_id as organization_id',
      'organizations.title as title',
      'members.role as role',
      'members.joined_at as invited_at',
    ])
    .where('members.user_id', '=', userId)
    .where('members.accepted_at', 'is', null)
    .where('members.disabled', '=', 0)
}

/** Lists the pending invitations of a user, newest first. */
export function listInvitations(db: Db, userId: UserId, list: PageRequest): Promise<ListPage<InvitationRow>> {
  const all = acrossOrganizations(db, 'invitations of a user')
  return listPage(all, invitationsOf(all, userId), {
    ...list,
    order: [{ column: 'members.joined_at', type: 'integer', direction: 'desc' }],
    id: 'members.organization_id',
  })
}

export function findInvitation(
  db: Db,
  userId: UserId,
  organizationId: OrganizationId,
): Promise<InvitationRow | undefined> {
  return invitationsOf(db, userId).where('members.organization_id', '=', organizationId).executeTakeFirst()
}
