/** The rows of PDFs; see tables.ts. */
import type { Hash, OrganizationId, PageId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Bit, Milliseconds } from './columns.js'

export interface PdfTables {
  pdfs: PdfsTable
}

export interface PdfsTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** Follows from all that is in it: what says the same is the same PDF. */
  key: string
  /** One that holds the content: another may hold the same. */
  revision_id: RevisionId
  /** Null for all pages. */
  page_id: PageId | null
  /** Without those below it. */
  only_page: Bit
  state: 'pending' | 'progress' | 'complete' | 'failed'
  /**
   * Steps that are done, of how many: each page twice. Of one that is too heavy: the pages from the first one that could
   * be set.
   */
  done: number
  total: number
  /** The bytes, of one that is complete. */
  hash: Hash | null
  size: number | null
  /** Of one that failed: a sentence without its full stop; null where it is too heavy to be made at all. */
  problem: string | null
  asked_at: Milliseconds
  expires_at: Milliseconds
}
