/** OpenAPI specifications and their versions on the wire. */
import { reaches } from '../../access/rules/levels.js'
import type { Addresses, UrlViewer } from '../../contract/addresses.js'
import type { OpenApiSpec, OpenApiSpecVersion } from '../../contract/openapi-specs.js'
import type { Role } from '../../contract/shapes.js'
import type { SpecRow, VersionRow } from './store.js'

type Errors = NonNullable<OpenApiSpec['lastProcessedErrors']>

const pathOf = ({ organization_id, slug }: SpecRow): string => `/orgs/${organization_id}/openapi/${slug}`

/** `role` is the reader's role in the organization. */
export function presentSpec(addresses: Addresses, role: Role | null | undefined, row: SpecRow): OpenApiSpec {
  const errors = row.errors === null ? null : (JSON.parse(row.errors) as Errors)
  return {
    object: 'openapi-spec',
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    slug: row.slug,
    ...(row.source_url !== null && { sourceURL: row.source_url }),
    processingState: row.processing_state,
    visibility: row.visibility,
    ...(row.last_version_id !== null && { lastVersion: row.last_version_id }),
    ...(row.last_processed_at !== null && { lastProcessedAt: new Date(row.last_processed_at).toISOString() }),
    ...(row.error_code !== null && { lastProcessErrorCode: row.error_code }),
    ...(errors !== null && { lastProcessedErrors: errors }),
    lastProcessedErrorCount: errors?.length ?? 0,
    permissions: { view: (role ?? null) !== null, edit: reaches(role, 'create') },
    urls: {
      location: addresses.api(pathOf(row)),
      app: addresses.app(`/o/${row.organization_id}/openapi/${row.slug}/`),
      ...(row.visibility === 'public' && {
        published: addresses.specification(row.organization_id, row.slug),
      }),
    },
  }
}

export function presentVersion(
  addresses: Addresses,
  spec: SpecRow,
  row: VersionRow,
  viewer: UrlViewer,
): OpenApiSpecVersion {
  return {
    object: 'openapi-spec-version',
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    url: urlOf(addresses, spec, row, viewer),
    urls: { location: addresses.api(`${pathOf(spec)}/versions/${row.id}`) },
  }
}

function urlOf(addresses: Addresses, spec: SpecRow, { id, hash }: VersionRow, viewer: UrlViewer): string {
  if (spec.visibility === 'public') return addresses.specification(spec.organization_id, spec.slug, { id })
  return addresses.specification(spec.organization_id, spec.slug, {
    id,
    hash,
    specId: spec.id,
    asker: viewer,
  })
}

/**
 * Returns the JSON before and after the text of a version in a content response. Readers of a site get neither its
 * source URL nor a signed URL.
 */
export function contentEnvelope(
  addresses: Addresses,
  spec: SpecRow,
  version: VersionRow,
  viewer: UrlViewer | 'reader',
): readonly [string, string] {
  const isForReaders = viewer === 'reader'
  const url = isForReaders
    ? addresses.specification(spec.organization_id, spec.slug, { id: version.id })
    : urlOf(addresses, spec, version, viewer)
  const urls = {
    source: (isForReaders ? null : spec.source_url) ?? url,
    public: spec.visibility === 'public' ? url : null,
  }
  const file = JSON.stringify({ dir: '.', isEntrypoint: true, references: [], filename: 'openapi.json' })
  const rest = JSON.stringify({ url, urls })
  return [`{"filesystem":[${file.slice(0, -1)},"specification":`, `}],${rest.slice(1)}`]
}
