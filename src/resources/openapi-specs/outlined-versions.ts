/** Outlines of specification versions, from which pages are computed. */
import type { Hash, OpenApiSpecVersionId, OrganizationId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'

/** A version that has an outline. */
export interface OutlinedVersion {
  readonly slug: string
  readonly id: OpenApiSpecVersionId
  readonly createdAt: number
  /** Hash of its JSON text. */
  readonly hash: Hash
}

/** Returns the latest version of each of the specifications that has one. */
export async function findLatestVersions(
  db: Db,
  organizationId: OrganizationId,
  slugs: readonly string[],
): Promise<readonly OutlinedVersion[]> {
  if (slugs.length === 0) return []
  return selectOutlinedVersions(db, organizationId)
    .where('openapi_specs.slug', 'in', slugs)
    .whereRef('openapi_specs.last_version_id', '=', 'openapi_spec_versions.id')
    .execute()
}

/** A version, and the URL that its specification is fetched from. */
export interface FetchedVersion extends OutlinedVersion {
  readonly address: string
}

/**
 * Returns the latest version of the specification that is fetched from each URL: the first by slug when there are
 * several.
 */
export async function findLatestByAddress(
  db: Db,
  organizationId: OrganizationId,
  addresses: readonly string[],
): Promise<readonly FetchedVersion[]> {
  if (addresses.length === 0) return []
  const found = await selectOutlinedVersions(db, organizationId)
    .select('openapi_specs.source_url as address')
    .$narrowType<{ address: string }>()
    .where('openapi_specs.source_url', 'in', addresses)
    .whereRef('openapi_specs.last_version_id', '=', 'openapi_spec_versions.id')
    .orderBy('openapi_specs.slug', 'desc')
    .execute()
  return [...new Map(found.map((version) => [version.address, version])).values()]
}

/** Returns all retained versions of the specifications, oldest first. */
export async function findOutlinedVersions(
  db: Db,
  organizationId: OrganizationId,
  slugs: readonly string[],
): Promise<readonly OutlinedVersion[]> {
  if (slugs.length === 0) return []
  return selectOutlinedVersions(db, organizationId)
    .where('openapi_specs.slug', 'in', slugs)
    .orderBy('openapi_spec_versions.created_at')
    .orderBy('openapi_spec_versions.number')
    .orderBy('openapi_spec_versions.id')
    .execute()
}

function selectOutlinedVersions(db: Db, organizationId: OrganizationId) {
  return db
    .selectFrom('openapi_specs')
    .innerJoin('openapi_spec_versions', (join) =>
      join
        .onRef('openapi_spec_versions.organization_id', '=', 'openapi_specs.organization_id')
        .onRef('openapi_spec_versions.spec_id', '=', 'openapi_specs.id'),
    )
    .select([
      'openapi_specs.slug as slug',
      'openapi_spec_versions.id as id',
      'openapi_spec_versions.created_at as createdAt',
      'openapi_spec_versions.hash as hash',
    ])
    .where('openapi_specs.organization_id', '=', organizationId)
    .where('openapi_spec_versions.outline', 'is not', null)
}

/** Returns the outlines of versions, as JSON. */
export async function findOutlines(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly OpenApiSpecVersionId[],
): Promise<ReadonlyMap<OpenApiSpecVersionId, string>> {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('openapi_spec_versions')
          .select(['id', 'outline'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', ids)
          .execute()
  return new Map(rows.flatMap(({ id, outline }) => (outline === null ? [] : [[id, outline]])))
}
