/**
 * Asking for a PDF: what is asked for the first time is written down for the worker, in one transaction with its job,
 * so that a server which stops in the middle goes on with it when it starts again.
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
import { type PdfSource, pdfKeyOf, pageIdOf } from './find.js'
import { PdfTooLarge } from './weight.js'

/** Makes what was asked for: a `PdfKey` with the change request. */
export const makePdfJob = 'make-pdf'

/** Milliseconds that a PDF is kept, and that one which could not be made is not tried again. */
export const pdfLifetime = 3 * 24 * 60 * 60 * 1_000
const failureRetryDelay = 60_000

type PdfServices = Pick<Services, 'database' | 'files'>

export type PdfJob = PdfKey & { readonly changeRequest: ChangeRequestId | null }

/**
 * Returns how far a PDF is, and has it begun where it is not. Throws 404 for a page that is none, 413 for too much, 429
 * where too many are made already, and 503 for one that cannot be made.
 */
export async function requestPdf(services: PdfServices, printed: PdfSource, now: number): Promise<PdfRow> {
  const { database, files } = services
  const key = pdfKeyOf(printed)
  const known = await findPdf(database.read, key)
  if (known?.state === 'complete' && known.hash !== null) {
    if ((await files.findSize(known.hash)) !== undefined) return known
    const { hash } = known
    await database.writeWithLocks({ organizations: [] }, (tx) => deletePdf(tx, key, hash))
  } else if (known?.state === 'failed' && known.problem === null) {
    throw new PdfTooLarge(known.done, known.total / 2)
  } else if (known?.state === 'failed' && known.asked_at > now - failureRetryDelay) {
    throw new ApiError('pdf_failed', { problem: known.problem! })
  } else if (known !== undefined && known.state !== 'failed') {
    if (await isJobPending(database.read, makePdfJob, jobKeyOf(key))) return known
  }
  const pages = await listPrintedPages(printed.content, printed.query)
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
        revision_id: printed.content.revision.id,
        page_id: pageIdOf(printed.query),
        only_page: printed.query.only === true ? 1 : 0,
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
        payload: { ...key, changeRequest: printed.changeRequest?.id ?? null },
        at: now,
      })
      return row
    },
  )
}

/** Of one space and another the keys may be the same. */
const jobKeyOf = ({ space_id, key }: PdfKey): string => `${space_id} ${key}`
