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
  /** Where it is fetched from; null for one whose text was handed in. */
  source_url: string | null
  /** The text that was handed in last, as a file; null for one that is fetched. */
  source_hash: Hash | null
  /** How often somebody asked for it to be processed: work that was begun for an earlier asking is thrown away. */
  asked: number
  processing_state: 'pending' | 'progress' | 'complete'
  last_version_id: OpenApiSpecVersionId | null
  last_processed_at: Milliseconds | null
  /** Null when the last processing succeeded. */
  error_code: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' | null
  errors: JsonText | null
  /**
   * When it is looked at again: one with an address, to see whether it changed; one that is being processed, to see
   * whether anybody still does. Null for a text that is done.
   */
  due_at: Milliseconds | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** A content that a specification had; never changed. */
export interface OpenApiSpecVersionsTable {
  organization_id: OrganizationId
  id: OpenApiSpecVersionId
  spec_id: OpenApiSpecId
  /** 1 for the first, and so on. */
  number: number
  /** The specification as one JSON text, as a file. */
  hash: Hash
  size: number
  /** The text as it was written. */
  raw_hash: Hash
  raw_size: number
  format: 'json' | 'yaml'
  /** What it is about, in short: see core/openapi/outline.ts. Null for one that was read before there were any. */
  outline: JsonText | null
  created_at: Milliseconds
}
