/** The rows of running and finished imports, and of fetched pages; see tables.ts. */
import type { Generated } from 'kysely'
import type {
  ChangeRequestId,
  ImportRunId,
  OrganizationId,
  PageId,
  RevisionId,
  SpaceId,
  UserId,
} from '../../core/ids.js'
import type { JsonText, Milliseconds } from './columns.js'

export interface ImportTables {
  import_runs: ImportRunsTable
  import_fetches: ImportFetchesTable
}

/** An import from an address. */
export interface ImportRunsTable {
  organization_id: OrganizationId
  id: ImportRunId
  space_id: SpaceId
  /** Null for an import into the space itself. */
  change_request_id: ChangeRequestId | null
  /** The parent page; null for the whole content. */
  page_id: PageId | null
  user_id: UserId
  source: string
  url: string
  /** Whether documents are split into pages; null for the default. */
  split: 'headings' | 'none' | null
  /** Whether content that the source does not have stays or is removed. */
  mode: 'update' | 'replace'
  /** The credential that requested it; null for one that is not resumed. */
  credential_type: 'token' | 'session' | null
  credential_id: string | null
  /** Number of times that a process started it. */
  attempts: Generated<number>
  status: 'in-progress' | 'completed' | 'failed' | 'cancelled'
  stage: Generated<'fetching' | 'placing'>
  /** Processed items, of the known total. */
  done: Generated<number>
  found: Generated<number>
  began_at: Milliseconds
  /** Heartbeat of the process that runs it: stale when none does. */
  beat_at: Milliseconds
  ended_at: Milliseconds | null
  /** Written with the head that contains it. */
  revision_id: RevisionId | null
  /** The result, once it is known. */
  result: JsonText | null
  /** Status and message of the error that ended it. */
  error: JsonText | null
}

/** The result for one address, until the import is finished. */
export interface ImportFetchesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  run_id: ImportRunId
  /** Hash of the kind and the address. */
  name: string
  fetched: JsonText
  fetched_at: Milliseconds
}
