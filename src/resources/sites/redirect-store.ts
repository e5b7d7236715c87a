/** Table of redirect rules. */
import type { SiteRedirectId } from '../../core/ids.js'
import { contains } from '../../store/db/contains.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import { isPattern, keyOfSource, patternKeysOf } from './redirect-patterns.js'
import type { SiteKey } from './structure-store.js'

export type RedirectRow = Row<'site_redirects'>

function redirectsOf(db: Db, { organization_id: organizationId, id }: SiteKey) {
  return db
    .selectFrom('site_redirects')
    .selectAll()
    .where('site_redirects.organization_id', '=', organizationId)
    .where('site_redirects.site_id', '=', id)
}

/** Lists the redirects of a site, the latest first; `search` matches a part of the source, case-insensitively. */
export function listRedirects(
  db: Db,
  site: SiteKey,
  { page, limit, search }: PageRequest & { readonly search?: string | undefined },
): Promise<ListPage<RedirectRow>> {
  let query = redirectsOf(db, site)
  if (search !== undefined) query = query.where(contains('site_redirects.source_key', keyOfSource(search)))
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'site_redirects.created_at', type: 'integer', direction: 'desc' }],
    id: 'site_redirects.id',
  })
}

export function findRedirect(db: Db, site: SiteKey, id: string): Promise<RedirectRow | undefined> {
  return redirectsOf(db, site)
    .where('site_redirects.id', '=', id as SiteRedirectId)
    .executeTakeFirst()
}

export function findRedirectFrom(db: Db, site: SiteKey, source: string): Promise<RedirectRow | undefined> {
  return redirectsOf(db, site).where('site_redirects.source_key', '=', keyOfSource(source)).executeTakeFirst()
}

/** Returns the redirect of a path: an exact match, else the longest matching wildcard. */
export async function findRedirectFor(db: Db, site: SiteKey, path: string): Promise<RedirectRow | undefined> {
  const own = await findRedirectFrom(db, site, path)
  if (own !== undefined && !isPattern(own.source)) return own
  const keys = patternKeysOf(path)
  if (keys.length === 0) return undefined
  const found = await redirectsOf(db, site).where('site_redirects.source_key', 'in', keys).execute()
  return found
    .filter(({ source }) => isPattern(source))
    .toSorted((one, other) => other.source_key.length - one.source_key.length)[0]
}

export function listAllRedirects(db: Db, site: SiteKey): Promise<RedirectRow[]> {
  return redirectsOf(db, site).execute()
}

/** Rows per statement: database engines limit the number of parameters. */
const rowsPerStatement = 500

export async function insertRedirects(tx: Tx, rows: readonly NewRow<'site_redirects'>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerStatement)
    await tx
      .insertInto('site_redirects')
      .values(rows.slice(at, at + rowsPerStatement))
      .execute()
}

export async function deleteRedirects(
  tx: Tx,
  { organization_id: organizationId }: SiteKey,
  rows: readonly Pick<RedirectRow, 'id'>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerStatement)
    await tx
      .deleteFrom('site_redirects')
      .where('organization_id', '=', organizationId)
      .where(
        'id',
        'in',
        rows.slice(at, at + rowsPerStatement).map(({ id }) => id),
      )
      .execute()
}

export function insertRedirect(tx: Tx, row: NewRow<'site_redirects'>): Promise<RedirectRow> {
  return tx.insertInto('site_redirects').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateRedirect(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<RedirectRow, 'organization_id' | 'id'>,
  change: RowUpdate<'site_redirects'>,
): Promise<RedirectRow> {
  return tx
    .updateTable('site_redirects')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteRedirect(
  tx: Tx,
  { organization_id: organizationId, id }: Pick<RedirectRow, 'organization_id' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('site_redirects')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
