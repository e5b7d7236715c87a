/** Tables of sites and their space links. */
import { sql } from 'kysely'
import { groupBy } from '../../core/group.js'
import type { OrganizationId, SiteId, SpaceId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { isVisibleSite } from '../../access/rules/visible.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import { addToDirectory, findInDirectory, removeFromDirectory } from '../../store/db/directory.js'
import { lastPosition } from '../../store/db/sibling-order.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'
import { findOrganizationIdByHostname } from '../organizations/store.js'
import type { SpaceKey, SpaceRow } from '../spaces/store.js'
import {
  type SectionGroupRow,
  type SectionRow,
  type SiteKey,
  linksIn,
  listGroups,
  listSections,
} from './structure-store.js'

export type SiteRow = Row<'sites'>

export type SiteSpaceRow = Row<'site_spaces'>

/** A space with its link to a site. */
export interface LinkedSpace {
  readonly link: SiteSpaceRow
  readonly space: SpaceRow
}

/** A site with its structure, each in order among its siblings; includes spaces in the trash. */
export interface SiteWithSpaces {
  readonly row: SiteRow
  readonly spaces: readonly LinkedSpace[]
  /** Empty while all spaces are at the root. */
  readonly sections: readonly SectionRow[]
  readonly groups: readonly SectionGroupRow[]
}

/** A site with the hostname that is part of its URL. */
export interface AddressedSite extends SiteWithSpaces {
  readonly organizationHostname: string
}

/** Returns the site when it belongs to the organization; no authorization. */
export async function findSite(
  db: Db,
  organizationId: OrganizationId,
  id: SiteId,
): Promise<SiteWithSpaces | undefined> {
  const row = await db
    .selectFrom('sites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row && withStructure(db, row)
}

/** Returns the site with its address when it belongs to the organization; no authorization. */
export async function findAddressedSite(
  db: Db,
  organizationId: OrganizationId,
  id: SiteId,
): Promise<AddressedSite | undefined> {
  const found = await addressedSites(db)
    .where('sites.id', '=', id)
    .where('sites.organization_id', '=', organizationId)
    .executeTakeFirst()
  return found && addressed(db, found)
}

/** Returns a site with its structure. */
export async function withStructure(db: Db, row: SiteRow): Promise<SiteWithSpaces> {
  return {
    row,
    spaces: await listLinkedSpaces(db, row),
    sections: await listSections(db, row),
    groups: await listGroups(db, row),
  }
}

/** Returns the oldest site of the organization that has the space. */
export async function findSiteShowing(
  db: Db,
  organizationId: OrganizationId,
  spaceId: SpaceId,
): Promise<SiteWithSpaces | undefined> {
  const found = await db
    .selectFrom('site_spaces')
    .innerJoin('sites', 'sites.id', 'site_spaces.site_id')
    .select('sites.id')
    .where('site_spaces.organization_id', '=', organizationId)
    .where('site_spaces.space_id', '=', spaceId)
    .where('sites.organization_id', '=', organizationId)
    .orderBy('sites.created_at')
    .orderBy('sites.id')
    .limit(1)
    .executeTakeFirst()
  return found && findSite(db, organizationId, found.id)
}

/** Returns the site of an organization hostname and a basename, case-insensitively. */
export async function findSiteByNames(
  db: Db,
  organizationHostname: string,
  basename: string,
): Promise<AddressedSite | undefined> {
  const organizationId = await findOrganizationIdByHostname(db, organizationHostname.toLowerCase())
  if (organizationId === undefined) return undefined
  const found = await addressedSites(db)
    .where('sites.organization_id', '=', organizationId)
    .where(sql<string>`lower(sites.basename)`, '=', basename.toLowerCase())
    .executeTakeFirst()
  return found && addressed(db, found)
}

/** Returns the site with this custom domain. */
export async function findSiteByHost(db: Db, host: string): Promise<AddressedSite | undefined> {
  const organizationId = await findInDirectory(db, host)
  if (organizationId === undefined) return undefined
  const found = await addressedSites(db)
    .where('sites.organization_id', '=', organizationId)
    .where('sites.hostname', '=', host)
    .executeTakeFirst()
  return found && addressed(db, found)
}

function addressedSites(db: Db) {
  return db
    .selectFrom('sites')
    .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
    .selectAll('sites')
    .select('organizations.hostname as organization_hostname')
}

async function addressed(
  db: Db,
  { organization_hostname: organizationHostname, ...row }: SiteRow & { organization_hostname: string },
): Promise<AddressedSite> {
  return { organizationHostname, ...(await withStructure(db, row)) }
}

/** True when the host is the custom domain of a site. */
export async function isSiteHost(db: Db, host: string): Promise<boolean> {
  return (await findInDirectory(db, host)) !== undefined
}

/** Lists the public sites of all organizations, the latest first, with the hostnames of their organizations. */
export function listPublicSites(
  db: Db,
  limit: number,
): Promise<(SiteRow & { readonly organization_hostname: string })[]> {
  return addressedSites(acrossOrganizations(db, 'public sites of all organizations'))
    .where('sites.published', '=', 1)
    .where('sites.visibility', '=', 'public')
    .orderBy('sites.published_at', 'desc')
    .orderBy('sites.id', 'desc')
    .limit(limit)
    .execute()
}

/** Lists those of the organization with this hostname. */
export async function listPublicSitesOf(
  db: Db,
  organizationHostname: string,
  limit: number,
): Promise<(SiteRow & { readonly organization_hostname: string })[]> {
  const organizationId = await findOrganizationIdByHostname(db, organizationHostname.toLowerCase())
  if (organizationId === undefined) return []
  return addressedSites(db)
    .where('sites.organization_id', '=', organizationId)
    .where('sites.published', '=', 1)
    .where('sites.visibility', '=', 'public')
    .orderBy('sites.id')
    .limit(limit)
    .execute()
}

/** Visibilities readable without an account by anyone who knows the URL. */
const openVisibilities: readonly string[] = ['public', 'unlisted']

/** True for a published site that is public or unlisted. */
export function isOpenSite({ published, visibility }: Pick<SiteRow, 'published' | 'visibility'>): boolean {
  return published === 1 && openVisibilities.includes(visibility)
}

/** Lists the published public and unlisted sites that have the space. */
export async function listOpenSitesOf(
  db: Db,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<SiteRow[]> {
  return (
    db
      .selectFrom('site_spaces')
      // In this order: SQLite would rather walk through all sites of the organization.
      .crossJoin('sites')
      .whereRef('sites.organization_id', '=', 'site_spaces.organization_id')
      .whereRef('sites.id', '=', 'site_spaces.site_id')
      .selectAll('sites')
      .where('site_spaces.organization_id', '=', organizationId)
      .where('site_spaces.space_id', '=', id)
      .where('sites.published', '=', 1)
      .where('sites.visibility', 'in', openVisibilities)
      .execute()
  )
}

/** Returns the links to a space on all sites of its organization. */
export function listLinksTo(
  db: Db,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<SiteSpaceRow[]> {
  return db
    .selectFrom('site_spaces')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', id)
    .execute()
}

export async function listLinkedSpaces(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
): Promise<LinkedSpace[]> {
  const ofSite = db
    .selectFrom('site_spaces')
    .where('site_spaces.organization_id', '=', organizationId)
    .where('site_spaces.site_id', '=', id)
  const links = await ofSite.selectAll().orderBy('position').orderBy('id').execute()
  if (links.length === 0) return []
  const rows = await ofSite
    // In this order: SQLite would rather walk through all spaces of the organization.
    .crossJoin('spaces')
    .whereRef('spaces.organization_id', '=', 'site_spaces.organization_id')
    .whereRef('spaces.id', '=', 'site_spaces.space_id')
    .selectAll('spaces')
    .execute()
  const spaces = new Map(rows.map((row) => [row.id, row]))
  // Outside of a transaction, a space may be deleted between the two statements; then its link is gone as well.
  return links.flatMap((link) => {
    const space = spaces.get(link.space_id)
    return space === undefined ? [] : [{ link, space }]
  })
}

export interface SiteFilter {
  readonly space?: string
  readonly title?: string
  readonly published?: boolean
  readonly type?: readonly string[]
}

/** Returns those of these sites that the user may see. */
export async function listVisibleSiteIds(db: Db, reader: Reader, ids: readonly SiteId[]): Promise<SiteId[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('sites')
    .select('sites.id as id')
    .where('sites.organization_id', '=', reader.organizationId)
    .where('sites.id', 'in', ids)
    .where((where) => isVisibleSite(where, reader))
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the sites of an organization that the user may see, oldest first. */
export function listVisibleSites(
  db: Db,
  reader: Reader,
  { page, limit, ...filter }: PageRequest & SiteFilter,
): Promise<ListPage<SiteRow>> {
  const { space, title, published, type } = filter
  let query = db
    .selectFrom('sites')
    .selectAll()
    .where('sites.organization_id', '=', reader.organizationId)
    .where((where) => isVisibleSite(where, reader))
  if (published !== undefined) query = query.where('sites.published', '=', published ? 1 : 0)
  if (type !== undefined && type.length > 0) query = query.where('sites.type', 'in', type)
  if (title !== undefined) {
    const pattern = `%${title.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    query = query.where(sql<boolean>`lower(sites.title) like ${pattern} escape '\\'`)
  }
  if (space !== undefined) {
    query = query.where('sites.id', 'in', (links) =>
      links
        .selectFrom('site_spaces')
        .select('site_spaces.site_id')
        .where('site_spaces.organization_id', '=', reader.organizationId)
        .where('site_spaces.space_id', '=', space as SpaceId),
    )
  }
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'sites.created_at', type: 'integer', direction: 'asc' }],
    id: 'sites.id',
  })
}

/** Returns the number of spaces of each of the organization's sites, without those in the trash. */
export async function countSiteSpaces(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly SiteId[],
): Promise<Map<SiteId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_spaces')
    // In this order: SQLite would rather walk through all spaces of the organization.
    .crossJoin('spaces')
    .whereRef('spaces.organization_id', '=', 'site_spaces.organization_id')
    .whereRef('spaces.id', '=', 'site_spaces.space_id')
    .select(({ fn }) => ['site_spaces.site_id as site_id', fn.countAll<number>().as('count')])
    .where('site_spaces.organization_id', '=', organizationId)
    .where('site_spaces.site_id', 'in', ids)
    .where('spaces.deleted_at', 'is', null)
    .groupBy('site_spaces.site_id')
    .execute()
  return new Map(rows.map(({ site_id, count }) => [site_id, count]))
}

/** Returns the ids of the spaces of each of the organization's sites, including those in the trash. */
export async function listSpaceIdsOfSites(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly SiteId[],
): Promise<Map<SiteId, SpaceId[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_spaces')
    .select(['site_id', 'space_id'])
    .where('organization_id', '=', organizationId)
    .where('site_id', 'in', ids)
    .execute()
  const bySite = groupBy(rows, ({ site_id: siteId }) => siteId)
  return new Map([...bySite].map(([id, links]) => [id, links.map(({ space_id: spaceId }) => spaceId)]))
}

/** True when another site of the organization has the basename, case-insensitively: readers type URLs in any case. */
export async function isBasenameTaken(
  db: Db,
  organizationId: OrganizationId,
  basename: string,
  except?: SiteId,
): Promise<boolean> {
  const row = await db
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql<string>`lower(basename)`, '=', basename.toLowerCase())
    .where('id', '!=', except ?? ('' as SiteId))
    .executeTakeFirst()
  return row !== undefined
}

export async function insertSite(tx: Tx, row: NewRow<'sites'>): Promise<SiteRow> {
  await addToDirectory(tx, 'site', row.organization_id, [row.id])
  if (row.hostname) await addToDirectory(tx, 'host', row.organization_id, [row.hostname])
  return tx.insertInto('sites').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateSite(
  tx: Tx,
  { organization_id: organizationId, id }: SiteKey,
  change: RowUpdate<'sites'>,
): Promise<SiteRow> {
  return tx
    .updateTable('sites')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertSiteSpace(
  tx: Tx,
  row: Omit<NewRow<'site_spaces'>, 'position'>,
): Promise<SiteSpaceRow> {
  const site = { organization_id: row.organization_id, id: row.site_id }
  return tx
    .insertInto('site_spaces')
    .values({ ...row, position: await lastPosition(linksIn(tx, site, row.section_id ?? null)) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a site with all its rows; an organization with it as default content falls back to its own start page. */
export async function deleteSite(
  tx: Tx,
  { organization_id: organizationId, id, hostname }: Pick<SiteRow, 'organization_id' | 'id' | 'hostname'>,
): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ default_content: null })
    .where('id', '=', organizationId)
    .where('default_content', '=', JSON.stringify({ type: 'site', site: id }))
    .execute()
  await tx.deleteFrom('sites').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await removeFromDirectory(tx, id)
  if (hostname !== null) await removeFromDirectory(tx, hostname)
}

/** Locks the live edits of all spaces of the site. */
export async function lockSpacesOf(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteKey,
): Promise<void> {
  await tx
    .updateTable('spaces')
    .set({ edit_mode: 'locked' })
    .where('organization_id', '=', organizationId)
    .where('edit_mode', '!=', 'locked')
    .where('id', 'in', (links) =>
      links
        .selectFrom('site_spaces')
        .select('space_id')
        .where('organization_id', '=', organizationId)
        .where('site_id', '=', siteId),
    )
    .execute()
}
