/** Table of share links. */
import type { SiteShareLinkId } from '../../core/ids.js'
import { contains } from '../../store/db/contains.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import type { SiteKey } from './structure-store.js'

export type ShareLinkRow = Row<'site_share_links'>

function linksOf(db: Db, { organization_id: organizationId, id }: SiteKey) {
  return db
    .selectFrom('site_share_links')
    .selectAll()
    .where('site_share_links.organization_id', '=', organizationId)
    .where('site_share_links.site_id', '=', id)
}

/** Lists the share links of a site, the latest first; `search` matches a part of the name, case-insensitively; `id` matches as well. */
export function listShareLinks(
  db: Db,
  site: SiteKey,
  {
    page,
    limit,
    search,
    id,
  }: PageRequest & { readonly search?: string | undefined; readonly id?: string | undefined },
): Promise<ListPage<ShareLinkRow>> {
  let query = linksOf(db, site)
  if (search !== undefined) {
    query = query.where((where) =>
      where.or([
        contains('site_share_links.name', search),
        ...(id === undefined ? [] : [where('site_share_links.id', '=', id as SiteShareLinkId)]),
      ]),
    )
  }
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'site_share_links.created_at', type: 'integer', direction: 'desc' }],
    id: 'site_share_links.id',
  })
}

export function findShareLink(db: Db, site: SiteKey, id: string): Promise<ShareLinkRow | undefined> {
  return linksOf(db, site)
    .where('site_share_links.id', '=', id as SiteShareLinkId)
    .executeTakeFirst()
}

export function insertShareLink(tx: Tx, row: NewRow<'site_share_links'>): Promise<ShareLinkRow> {
  return tx.insertInto('site_share_links').values(row).returningAll().executeTakeFirstOrThrow()
}

type LinkKey = Pick<ShareLinkRow, 'organization_id' | 'id'>

export function updateShareLink(
  tx: Tx,
  { organization_id: organizationId, id }: LinkKey,
  change: RowUpdate<'site_share_links'>,
): Promise<ShareLinkRow> {
  return tx
    .updateTable('site_share_links')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteShareLink(
  tx: Tx,
  { organization_id: organizationId, id }: LinkKey,
): Promise<void> {
  await tx
    .deleteFrom('site_share_links')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
