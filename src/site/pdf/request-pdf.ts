/**
 * PDF requests: the first request of a PDF inserts its row together with its job, in one transaction, so that a restarted
 * server resumes it.
 */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { ChangeRequestId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { listPrintedPages } from '../../resources/pdfs/pages.js'
import {
  type PdfKey,
  type PdfRow,
  countUnfinished,
  deletePdf,
  findPdf,
  putPdf,
} from '../../resources/pdfs/store.js'
import { findSpace } from '../../resources/spaces/store.js'
import { enqueue, isJobPending } from '../../store/jobs/outbox.js'
import { type PdfSource, pdfKeyOf, pageIdOf } from './pdf-source.js'
import { PdfTooLarge } from './memory-estimate.js'

/** Job that generates a PDF; the payload is a `PdfJob`. */
export const makePdfJob = 'make-pdf'

/** Milliseconds for which a PDF is stored, and before a failed one is retried. */
export const pdfLifetime = 3 * 24 * 60 * 60 * 1_000
const failureRetryDelay = 60_000

type PdfServices = Pick<Services, 'database' | 'files'>

export type PdfJob = PdfKey & { readonly changeRequest: ChangeRequestId | null }

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [makePdfJob]: PdfJob
  }
}

/**
 * Returns the state of a PDF, and starts its generation if it does not exist. Throws 404 for an unknown page, 413 if it
 * is too large, 429 if too many are in progress, and 503 if it failed.
 */
export async function requestPdf(services: PdfServices, source: PdfSource, now: number): Promise<PdfRow> {
  const { database, files } = services
  const key = pdfKeyOf(source)
  const existing = await findPdf(database.read, key)
  if (existing?.state === 'complete' && existing.hash !== null) {
    if ((await files.findSize(existing.hash)) !== undefined) return existing
    const { hash } = existing
    await database.writeWithLocks({ organizations: [] }, (tx) => deletePdf(tx, key, hash))
  } else if (existing?.state === 'failed' && existing.problem === null) {
    throw new PdfTooLarge(existing.done, existing.total / 2)
  } else if (existing?.state === 'failed' && existing.asked_at > now - failureRetryDelay) {
    throw new ApiError('pdf_failed', { problem: existing.problem! })
  } else if (existing !== undefined && existing.state !== 'failed') {
    if (await isJobPending(database.read, makePdfJob, jobKeyOf(key))) return existing
  }
  const pages = await listPrintedPages(source.content, source.query)
  return database.writeWithLocks(
    { organizations: [key.organization_id], space: key.space_id },
    async (tx) => {
      const space = await findSpace(tx, key.organization_id, key.space_id)
      if (space === undefined || space.deleted_at !== null)
        throw new ApiError('not_found', { thing: 'space' })
      const count = await countUnfinished(tx, key.organization_id)
      if (count >= limits.pdfsAtOnce) throw new ApiError('pdfs_busy', { count })
      const row: PdfRow = {
        ...key,
        revision_id: source.content.revision.id,
        page_id: pageIdOf(source.query),
        only_page: source.query.only === true ? 1 : 0,
        state: 'pending',
        done: 0,
        total: pages.length * 2,
        hash: null,
        size: null,
        problem: null,
        asked_at: now,
        expires_at: now + pdfLifetime,
      }
      const current = await findPdf(tx, key)
      if (current !== undefined && (current.state === 'progress' || current.state === 'complete')) {
        if (current.state === 'complete' || (await isJobPending(tx, makePdfJob, jobKeyOf(key))))
          return current
      }
      await putPdf(tx, row)
      await enqueue(tx, {
        organizationId: key.organization_id,
        type: makePdfJob,
        key: jobKeyOf(key),
        payload: { ...key, changeRequest: source.changeRequest?.id ?? null },
        at: now,
      })
      return row
    },
  )
}

/** Includes the space: keys are unique within a space only. */
const jobKeyOf = ({ space_id, key }: PdfKey): string => `${space_id} ${key}`
