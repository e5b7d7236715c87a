/** The rows of PDFs; see tables.ts. */
import type { Hash, OrganizationId, PageId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Bit, Milliseconds } from './columns.js'

export interface PdfTables {
  pdfs: PdfsTable
}

export interface PdfsTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** Hash of everything in it: equal content is the same PDF. */
  key: string
  /** A revision with the content: others may have the same. */
  revision_id: RevisionId
  /** Null for all pages. */
  page_id: PageId | null
  /** Without its subpages. */
  only_page: Bit
  state: 'pending' | 'progress' | 'complete' | 'failed'
  /**
   * Completed steps: two for each page. For a PDF that is too large: the number of pages from the first that fit.
   */
  done: number
  total: number
  /** The file of a complete one. */
  hash: Hash | null
  size: number | null
  /** Of a failed one: a sentence without its full stop; null when it is too large. */
  problem: string | null
  asked_at: Milliseconds
  expires_at: Milliseconds
}
