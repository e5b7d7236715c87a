/** Rows of OpenAPI specifications and their versions. */
import type { Hash, OpenApiSpecVersionId, OrganizationId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type SpecRow = Row<'openapi_specs'>
export type VersionRow = Omit<Row<'openapi_spec_versions'>, 'outline'>
/** All columns except the outline, which may be megabytes. */
const versionColumns = [
  'organization_id',
  'id',
  'spec_id',
  'number',
  'hash',
  'size',
  'raw_hash',
  'raw_size',
  'format',
  'created_at',
] as const
export type SpecKey = Pick<SpecRow, 'organization_id' | 'id'>

export function findSpec(db: Db, organizationId: OrganizationId, slug: string): Promise<SpecRow | undefined> {
  return db
    .selectFrom('openapi_specs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

export function findSpecById(db: Db, { organization_id, id }: SpecKey): Promise<SpecRow | undefined> {
  return db
    .selectFrom('openapi_specs')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the specifications of an organization, oldest first. */
export function listSpecs(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<SpecRow>> {
  const query = db.selectFrom('openapi_specs').selectAll().where('organization_id', '=', organizationId)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'openapi_specs.created_at', type: 'integer', direction: 'asc' }],
    id: 'openapi_specs.id',
  })
}

export async function countSpecs(db: Db, organizationId: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('openapi_specs')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertSpec(tx: Tx, row: NewRow<'openapi_specs'>): Promise<SpecRow> {
  return tx.insertInto('openapi_specs').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateSpec(
  tx: Tx,
  { organization_id, id }: SpecKey,
  change: RowUpdate<'openapi_specs'>,
): Promise<SpecRow> {
  return tx
    .updateTable('openapi_specs')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a specification; its versions are deleted by cascade. */
export async function deleteSpec(tx: Tx, { organization_id, id }: SpecKey): Promise<void> {
  await tx
    .deleteFrom('openapi_specs')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Returns specifications that are due for a check, of all organizations, longest due first. */
export function loadDueSpecs(db: Db, now: number, limit: number): Promise<SpecRow[]> {
  return acrossOrganizations(db, 'time comes for all alike')
    .selectFrom('openapi_specs')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

export function findVersion(
  db: Db,
  { organization_id, id: specId }: SpecKey,
  id: OpenApiSpecVersionId,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('openapi_spec_versions')
    .select(versionColumns)
    .where('organization_id', '=', organization_id)
    .where('spec_id', '=', specId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the versions of a specification, the latest first. */
export function listVersions(
  db: Db,
  { organization_id, id }: SpecKey,
  list: PageRequest,
): Promise<ListPage<VersionRow>> {
  const query = db
    .selectFrom('openapi_spec_versions')
    .select(versionColumns)
    .where('organization_id', '=', organization_id)
    .where('spec_id', '=', id)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'openapi_spec_versions.number', type: 'integer', direction: 'desc' }],
    id: 'openapi_spec_versions.id',
  })
}

export function insertVersion(tx: Tx, row: NewRow<'openapi_spec_versions'>): Promise<VersionRow> {
  return tx
    .insertInto('openapi_spec_versions')
    .values(row)
    .returning(versionColumns)
    .executeTakeFirstOrThrow()
}

/** Deletes the versions up to a number, and returns how many. */
export async function deleteVersions(
  tx: Tx,
  { organization_id, id }: SpecKey,
  upTo: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('openapi_spec_versions')
    .where('organization_id', '=', organization_id)
    .where('spec_id', '=', id)
    .where('number', '<=', upTo)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns the slugs and URLs of the public specifications. */
export async function findPublicNames(db: Db, organizationId: OrganizationId): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('openapi_specs')
    .select(['slug', 'source_url'])
    .where('organization_id', '=', organizationId)
    .where('visibility', '=', 'public')
    .execute()
  return new Set(found.flatMap(({ slug, source_url: address }) => [slug, address ?? slug]))
}

export interface LatestVersion {
  readonly slug: string
  /** Source URL; null for a specification that was uploaded as text. */
  readonly address: string | null
  readonly visibility: SpecRow['visibility']
  /** Hash and bytes of its JSON text. */
  readonly hash: Hash
  readonly size: number
}

/** Returns the latest versions of all specifications of an organization that have one, by slug. */
export function listLatestVersions(db: Db, organizationId: OrganizationId): Promise<LatestVersion[]> {
  return db
    .selectFrom('openapi_specs as spec')
    .innerJoin('openapi_spec_versions as version', (join) =>
      join
        .onRef('version.organization_id', '=', 'spec.organization_id')
        .onRef('version.spec_id', '=', 'spec.id')
        .onRef('version.id', '=', 'spec.last_version_id'),
    )
    .select(['spec.slug', 'spec.source_url as address', 'spec.visibility', 'version.hash', 'version.size'])
    .where('spec.organization_id', '=', organizationId)
    .orderBy('spec.slug')
    .execute()
}

/** Sets the outline of a version that has none; returns whether it had none. */
export async function setOutline(
  tx: Tx,
  { organization_id, id }: VersionRow,
  outline: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('openapi_spec_versions')
    .set({ outline })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('outline', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
