/**
 * PDF downloads: `/~octavo/pdf/<space>/<name>.pdf`, for readers of the content that they are made from.
 *
 * The first request starts the job that makes the PDF. A request for JSON gets its progress; a browser gets a page that
 * shows the progress and reloads; every other client waits for the file, and gets 202 with `retry-after` where that
 * takes too long.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { limits } from '../../contract/limits.js'
import type { ChangeRequestId, FileId, RevisionId, SpaceId } from '../../core/ids.js'
import type { PdfRow } from '../../resources/pdfs/store.js'
import { signedInReader } from '../../site/reader-access.js'
import { progressPage } from '../../site/layout/progress-page.js'
import { requestPdf } from '../../site/pdf/request-pdf.js'
import { findPdfSource } from '../../site/pdf/pdf-source.js'
import { noStore } from '../http/headers.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'
import { productFrame } from './product-frame.js'
import { createFileSender } from './send-file.js'

interface PdfPath {
  readonly Params: { readonly spaceId: SpaceId; readonly name: string }
  readonly Querystring: {
    readonly revision?: RevisionId
    readonly changeRequest?: ChangeRequestId
    readonly page?: string
    readonly only?: string
    readonly token?: string
  }
}

interface PdfProgress {
  readonly pdf: PdfRow
  /** Language of the content, used by the waiting page. */
  readonly language: string | null
}

/** Milliseconds between two polls, and until a browser gets the waiting page instead of waiting for the PDF. */
const pollInterval = 250
const pageTimeout = 1_500
/** Requests that wait in this process; others get 202 immediately. */
const maxWaiting = 50

export function mountPdfs(server: FastifyInstance, { services, signIn, now }: MountOptions): void {
  const fileSender = createFileSender(services)
  let waitingRequests = 0

  /** Polls until the PDF is complete or the timeout, in milliseconds, has passed. */
  async function waitForPdf(
    request: FastifyRequest<PdfPath>,
    timeout: number,
  ): Promise<PdfProgress | undefined> {
    const { spaceId } = request.params
    const { revision, changeRequest, page, only, token } = request.query
    const address = { spaceId, revision, changeRequest, page, only: only === '1', token }
    const asker = signedInReader(() => signIn(request))
    const startedAt = performance.now()
    for (;;) {
      const readContext = await services.caches.readContext(request.raw)
      // Checked with each poll: a reader who loses access while waiting gets nothing.
      const content = await findPdfSource(asker, address, { services, readContext, now: now() })
      if (content === undefined) return undefined
      const pdf = await requestPdf(services, content, now())
      if (pdf.state === 'complete' || performance.now() - startedAt >= timeout)
        return { pdf, language: content.space.language }
      await pause(pollInterval, undefined, { signal: request.signal })
    }
  }

  async function answer(request: FastifyRequest<PdfPath>, reply: FastifyReply): Promise<FastifyReply | void> {
    const format = requestedFormat(request)
    const mayWait = format !== 'state' && waitingRequests < maxWaiting
    const timeout = !mayWait ? 0 : format === 'page' ? pageTimeout : limits.pdfSeconds * 1_000
    if (mayWait) waitingRequests++
    let progress: PdfProgress | undefined
    try {
      progress = await waitForPdf(request, timeout)
    } finally {
      if (mayWait) waitingRequests--
    }
    if (progress === undefined) return reply.callNotFound()
    const { pdf, language } = progress
    if (pdf.state === 'complete' && format !== 'state') return send(request, reply, pdf)
    const { state, done, total } = pdf
    reply.headers({ ...noStore, vary: 'accept', ...(state !== 'complete' && { 'retry-after': '2' }) })
    if (format === 'page') {
      const frame = await productFrame()
      const localizedFrame = { ...frame, language: language ?? frame.language }
      const body = progressPage(localizedFrame, { title: request.params.name, done, total })
      const page = { status: 202, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
      return sendAnswer(request, reply, readyAnswer(page, 'private'))
    }
    return reply.code(state === 'complete' ? 200 : 202).send({ object: 'pdf', state, done, total })
  }

  function send(request: FastifyRequest, reply: FastifyReply, { hash, size }: PdfRow): Promise<FastifyReply> {
    const { name } = request.params as PdfPath['Params']
    const file = {
      id: '' as FileId,
      path: name,
      name,
      contentType: 'application/pdf',
      hash: hash!,
      size: size!,
    }
    return fileSender.send(request, reply, { file, width: undefined, isPublic: false, isImmutable: false })
  }

  server.route<PdfPath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/pdf/:spaceId/:name',
    handler: answer,
  })
}

/** Content negotiation: the progress as JSON, the PDF or a waiting page, or the PDF alone. */
function requestedFormat({ headers: { accept = '' } }: FastifyRequest): 'state' | 'page' | 'pdf' {
  if (/application\/json/i.test(accept)) return 'state'
  return /text\/html/i.test(accept) ? 'page' : 'pdf'
}
