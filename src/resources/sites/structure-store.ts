/** Tables of sections and section groups, and positions among siblings. */
import type {
  OrganizationId,
  SiteId,
  SiteSectionGroupId,
  SiteSectionId,
  SiteSpaceId,
} from '../../core/ids.js'
import type { Position } from '../../core/order/position.js'
import type { Bit } from '../../store/db/columns.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type Siblings, lastPosition } from '../../store/db/sibling-order.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type SectionRow = Row<'site_sections'>
export type SectionGroupRow = Row<'site_section_groups'>

/** Primary key of a site. */
export interface SiteKey {
  readonly organization_id: OrganizationId
  readonly id: SiteId
}

/** Primary key of a part of a site. */
interface PartKey<Id> {
  readonly organization_id: OrganizationId
  readonly site_id: SiteId
  readonly id: Id
}

type SectionKey = PartKey<SiteSectionId>
type GroupKey = PartKey<SiteSectionGroupId>
type LinkKey = PartKey<SiteSpaceId>

/** Returns the sections of a site; those of one group are in order. */
export function listSections(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
): Promise<SectionRow[]> {
  return db
    .selectFrom('site_sections')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Returns the groups of a site; those of one group are in order. */
export function listGroups(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
): Promise<SectionGroupRow[]> {
  return db
    .selectFrom('site_section_groups')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Returns the children of a group, or of the site itself, without `except`. */
export function siblingsIn(
  db: Db,
  { organization_id: organizationId, id: siteId }: SiteKey,
  group: SiteSectionGroupId | null,
  except = '',
): Siblings {
  const sections = db
    .selectFrom('site_sections')
    .select(['id', 'position'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('group_id', group === null ? 'is' : '=', group)
    .where('id', '!=', except as SiteSectionId)
  const groups = db
    .selectFrom('site_section_groups')
    .select(['id', 'position'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('parent_id', group === null ? 'is' : '=', group)
    .where('id', '!=', except as SiteSectionGroupId)
  return [
    { rows: sections, within: ['organization_id', 'site_id', 'group_id'] },
    { rows: groups, within: ['organization_id', 'site_id', 'parent_id'] },
  ]
}

/** Writes the position of the section or group with the id. */
export async function setPosition(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteKey,
  id: string,
  position: Position,
): Promise<void> {
  for (const table of ['site_sections', 'site_section_groups'] as const) {
    await tx
      .updateTable(table)
      .set({ position })
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', siteId)
      .where('id', '=', id as never)
      .execute()
  }
}

/** Returns the links of a section, or of a site without sections, without `except`. */
export function linksIn(
  db: Db,
  { organization_id: organizationId, id: siteId }: SiteKey,
  section: SiteSectionId | null,
  except = '',
): Siblings {
  const rows = db
    .selectFrom('site_spaces')
    .select(['id', 'position'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('section_id', section === null ? 'is' : '=', section)
    .where('id', '!=', except as SiteSpaceId)
  return [{ rows, within: ['organization_id', 'site_id', 'section_id'] }]
}

/** Adds a section at the end of its group, or of the site. */
export async function insertSection(
  tx: Tx,
  row: Omit<NewRow<'site_sections'>, 'position'>,
): Promise<SectionRow> {
  const site = { organization_id: row.organization_id, id: row.site_id }
  const position = await lastPosition(siblingsIn(tx, site, row.group_id ?? null))
  return tx
    .insertInto('site_sections')
    .values({ ...row, position })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds a group at the end of its parent group, or of the site. */
export async function insertGroup(
  tx: Tx,
  row: Omit<NewRow<'site_section_groups'>, 'position'>,
): Promise<SectionGroupRow> {
  const site = { organization_id: row.organization_id, id: row.site_id }
  const position = await lastPosition(siblingsIn(tx, site, row.parent_id ?? null))
  return tx
    .insertInto('site_section_groups')
    .values({ ...row, position })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateSection(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId, id }: SectionKey,
  change: RowUpdate<'site_sections'>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx
    .updateTable('site_sections')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

export async function updateGroup(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId, id }: GroupKey,
  change: RowUpdate<'site_section_groups'>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx
    .updateTable('site_section_groups')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

export async function updateLink(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId, id }: LinkKey,
  change: RowUpdate<'site_spaces'>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx
    .updateTable('site_spaces')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

/** Moves all links of a site into its first section. */
export async function gatherLinks(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteKey,
  section: SiteSectionId,
): Promise<void> {
  await tx
    .updateTable('site_spaces')
    .set({ section_id: section })
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .execute()
}

/** Deletes a section with its links. */
export async function deleteSectionRow(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId, id }: SectionKey,
): Promise<void> {
  await tx
    .deleteFrom('site_sections')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

/** Deletes an empty group. */
export async function deleteGroupRow(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId, id }: GroupKey,
): Promise<void> {
  await tx
    .deleteFrom('site_section_groups')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

export async function deleteLinkRow(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId, id }: LinkKey,
): Promise<void> {
  await tx
    .deleteFrom('site_spaces')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

/** Returns the first link of a section, or of a site without sections. */
export function findFirstLink(
  db: Db,
  { organization_id: organizationId, id: siteId }: SiteKey,
  section: SiteSectionId | null,
): Promise<Row<'site_spaces'> | undefined> {
  return db
    .selectFrom('site_spaces')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('section_id', section === null ? 'is' : '=', section)
    .orderBy('position')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Makes a section the default of the site. */
export async function setDefaultSection(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteKey,
  id: SiteSectionId,
): Promise<void> {
  const set = (value: Bit) =>
    tx
      .updateTable('site_sections')
      .set({ is_default: value })
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', siteId)
  await set(0).where('id', '!=', id).execute()
  await set(1).where('id', '=', id).execute()
}

/** Makes a link the default of its section, or of a site without sections. */
export async function setDefaultLink(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteKey,
  { id, section_id: section }: Pick<Row<'site_spaces'>, 'id' | 'section_id'>,
): Promise<void> {
  const set = (value: Bit) =>
    tx
      .updateTable('site_spaces')
      .set({ is_default: value })
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', siteId)
  await set(0)
    .where('section_id', section === null ? 'is' : '=', section)
    .where('id', '!=', id)
    .execute()
  await set(1).where('id', '=', id).execute()
}
