/** Rows of link invites. */
import type { InviteId, OrganizationId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'

export type InviteRow = Row<'link_invites'>

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
    bound: `link invites ${organizationId}`,
  })
}

export function insertInvite(tx: Tx, row: NewRow<'link_invites'>): Promise<InviteRow> {
  return tx.insertInto('link_invites').values(row).returningAll().executeTakeFirstOrThrow()
}

export function setInviteRole(tx: Tx, id: InviteId, role: string | null): Promise<InviteRow> {
  return tx
    .updateTable('link_invites')
    .set({ role })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteInvite(tx: Tx, id: InviteId): Promise<void> {
  await tx.deleteFrom('link_invites').where('id', '=', id).execute()
}
