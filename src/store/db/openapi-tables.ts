/** The rows of OpenAPI specifications and their versions; see tables.ts. */
import type { Hash, OpenApiSpecId, OpenApiSpecVersionId, OrganizationId } from '../../core/ids.js'
import type { JsonText, Milliseconds } from './columns.js'

export interface OpenApiTables {
  openapi_specs: OpenApiSpecsTable
  openapi_spec_versions: OpenApiSpecVersionsTable
}

export interface OpenApiSpecsTable {
  organization_id: OrganizationId
  id: OpenApiSpecId
  slug: string
  visibility: 'private' | 'public'
  /** The address from which it is fetched; null for an uploaded one. */
  source_url: string | null
  /** The file of the last uploaded text; null for a fetched one. */
  source_hash: Hash | null
  /** Number of processing requests: results of an earlier request are discarded. */
  asked: number
  processing_state: 'pending' | 'progress' | 'complete'
  last_version_id: OpenApiSpecVersionId | null
  last_processed_at: Milliseconds | null
  /** Null when the last processing succeeded. */
  error_code: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' | null
  errors: JsonText | null
  /**
   * Time of the next check: for changes of one with an address, and for a dead process of one that is being processed. Null
   * for a finished uploaded text.
   */
  due_at: Milliseconds | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** A version of a specification; immutable. */
export interface OpenApiSpecVersionsTable {
  organization_id: OrganizationId
  id: OpenApiSpecVersionId
  spec_id: OpenApiSpecId
  /** 1 for the first, and so on. */
  number: number
  /** The file of the bundled JSON text. */
  hash: Hash
  size: number
  /** The file of the original text. */
  raw_hash: Hash
  raw_size: number
  format: 'json' | 'yaml'
  /** Its outline: see core/openapi/outline.ts. Null for versions from before outlines existed. */
  outline: JsonText | null
  created_at: Milliseconds
}
