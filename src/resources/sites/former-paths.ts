/**
 * Slug history: former paths of sections and site spaces that were renamed or moved, so that old URLs redirect to the
 * current ones. A path in current use wins over a former one; of several former owners the last one wins. A former
 * default had no path segment of its own, and is recorded under its id.
 */
import type { SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow, Row } from '../../store/db/tables.js'
import type { SiteKey } from './structure-store.js'

/** Records the path that a section or space had until now. */
export async function rememberPath(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteKey,
  former: Pick<NewRow<'site_former_paths'>, 'scope' | 'path' | 'target_id'>,
): Promise<void> {
  await tx
    .insertInto('site_former_paths')
    .values({ organization_id: organizationId, site_id: siteId, ...former })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'site_id', 'scope', 'path'])
        .doUpdateSet({ target_id: former.target_id }),
    )
    .execute()
}

/** Records the path that a site space had until now. */
export async function rememberLinkPath(tx: Tx, link: Row<'site_spaces'>): Promise<void> {
  const site = { organization_id: link.organization_id, id: link.site_id }
  await rememberPath(tx, site, { scope: link.section_id ?? '', path: link.path, target_id: link.id })
}

/** Records that a section (of the site) or a space (of a section, if any) was the default until now. */
export async function rememberDefault(
  tx: Tx,
  site: SiteKey,
  scope: SiteSectionId | '',
  id: SiteSectionId | SiteSpaceId,
): Promise<void> {
  // No name has a slash in it.
  await rememberPath(tx, site, { scope, path: `/${id}`, target_id: id })
}

/** Returns the ids of sections and spaces that were defaults once; `scope` as for `findFormerTarget`. */
export async function listFormerDefaults(
  db: Db,
  { organization_id: organizationId, id: siteId }: SiteKey,
  scope: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('site_former_paths')
    .select('target_id')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('scope', '=', scope as '')
    .where('path', 'like', '/%')
    .execute()
  return rows.map((row) => row.target_id)
}

/** Returns the id of the section or space that had a path; `scope` is the id of the section that contained it, if any. */
export async function findFormerTarget(
  db: Db,
  { organization_id: organizationId, id: siteId }: SiteKey,
  scope: string,
  path: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('site_former_paths')
    .select('target_id')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('scope', '=', scope as '')
    .where('path', '=', path)
    .executeTakeFirst()
  return row?.target_id
}

/** Lists all former paths of a site. */
export function listFormerPaths(
  db: Db,
  { organization_id: organizationId, id: siteId }: SiteKey,
): Promise<Row<'site_former_paths'>[]> {
  return db
    .selectFrom('site_former_paths')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .orderBy('scope')
    .orderBy('path')
    .execute()
}
