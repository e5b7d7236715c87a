/** The rows of imports that are under way or over, and of what they have fetched; see tables.ts. */
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
  /** Null when it goes into the space itself. */
  change_request_id: ChangeRequestId | null
  /** What it goes below; null for the whole content. */
  page_id: PageId | null
  user_id: UserId
  source: string
  url: string
  /** Whether documents become several pages; null where that was not said. */
  split: 'headings' | 'none' | null
  /** By what it was asked for; null where it does not go on by itself. */
  credential_type: 'token' | 'session' | null
  credential_id: string | null
  /** How often somebody began to do it. */
  attempts: Generated<number>
  status: 'in-progress' | 'completed' | 'failed' | 'cancelled'
  stage: Generated<'fetching' | 'placing'>
  /** Things that were looked at, of those that are known so far. */
  done: Generated<number>
  found: Generated<number>
  began_at: Milliseconds
  /** When whoever does it last said so: long ago, nobody does it any more. */
  beat_at: Milliseconds
  ended_at: Milliseconds | null
  /** Written with the head that shows it. */
  revision_id: RevisionId | null
  /** The answer, once it is known. */
  result: JsonText | null
  /** Status and sentence of what ended it. */
  error: JsonText | null
}

/** What came of one address, until the import is over. */
export interface ImportFetchesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  run_id: ImportRunId
  /** Of the kind and the address, by its hash. */
  name: string
  fetched: JsonText
  fetched_at: Milliseconds
}
