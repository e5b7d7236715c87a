/**
 * What sections, and spaces in them, were called before they were renamed or moved: their old addresses lead to what
 * they are called now. A path that somebody has now counts before what it was to somebody else; the last who had it
 * is the one that it leads to. What was a default once stood without its own name, and is noted under its id.
 */
import type { SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow, Row } from '../../store/db/tables.js'
import type { SiteKey } from './structure-store.js'

/** Notes the path that something had until now. */
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

/** Notes where a space stood until now. */
export async function rememberPlace(tx: Tx, link: Row<'site_spaces'>): Promise<void> {
  const site = { organization_id: link.organization_id, id: link.site_id }
  await rememberPath(tx, site, { scope: link.section_id ?? '', path: link.path, target_id: link.id })
}

/** Notes that a section (of the site) or a space (of a section, if any) stood without its name until now. */
export async function rememberDefault(
  tx: Tx,
  site: SiteKey,
  scope: SiteSectionId | '',
  id: SiteSectionId | SiteSpaceId,
): Promise<void> {
  // No name has a slash in it.
  await rememberPath(tx, site, { scope, path: `/${id}`, target_id: id })
}

/** Returns the ids of sections and spaces that stood without their names once; `scope` as for `findFormerTarget`. */
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

/** Returns the id of the section or space that had a path; `scope` is the section that was looked into, if any. */
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

/** Lists all that were noted of a site. */
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
