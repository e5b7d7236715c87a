/**
 * PDFs: `/~octavo/pdf/<space>/<name>.pdf`, for whoever may read the content that they are made of.
 *
 * Asking for one has it made. Who asks for JSON is told how far it is; a browser gets a page that says so and asks
 * again; everybody else waits for it, as for any other file, and is told to come again where that takes too long.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { limits } from '../../contract/limits.js'
import type { ChangeRequestId, FileId, RevisionId, SpaceId } from '../../core/ids.js'
import type { PdfRow } from '../../resources/pdfs/store.js'
import { signedInAsker } from '../../site/enter.js'
import { waitingPage } from '../../site/layout/waiting.js'
import { askForPdf } from '../../site/pdf/ask.js'
import { findPrinted } from '../../site/pdf/find.js'
import { keptByNobody } from '../http/headers.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'
import { productFrame } from './product-frame.js'
import { createFileSending } from './send-file.js'

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

interface Asked {
  readonly pdf: PdfRow
  /** Of the content, whose words the page that waits has. */
  readonly language: string | null
}

/** Milliseconds between two looks, and until a page that asks again is shown instead of a blank one. */
const lookEvery = 250
const soonEnough = 1_500
/** Requests that wait in this process: others are told to come again. */
const mostWaiting = 50

export function mountPdfs(server: FastifyInstance, { services, signIn, now }: Mounting): void {
  const sending = createFileSending(services)
  let waiting = 0

  /** Looks until it is made, for as long as whoever asks waits. */
  async function waitFor(request: FastifyRequest<PdfPath>, patience: number): Promise<Asked | undefined> {
    const { spaceId } = request.params
    const { revision, changeRequest, page, only, token } = request.query
    const address = { spaceId, revision, changeRequest, page, only: only === '1', token }
    const asker = signedInAsker(() => signIn(request))
    const begun = performance.now()
    for (;;) {
      const look = await services.caches.look(request.raw)
      // Whoever may not read it any more is told so, however long they wait.
      const printed = await findPrinted(asker, address, { services, look, now: now() })
      if (printed === undefined) return undefined
      const pdf = await askForPdf(services, printed, now())
      if (pdf.state === 'complete' || performance.now() - begun >= patience)
        return { pdf, language: printed.space.language }
      await pause(lookEvery, undefined, { signal: request.signal })
    }
  }

  async function answer(request: FastifyRequest<PdfPath>, reply: FastifyReply): Promise<FastifyReply | void> {
    const wish = wishOf(request)
    const isWaiting = wish !== 'state' && waiting < mostWaiting
    const patience = !isWaiting ? 0 : wish === 'page' ? soonEnough : limits.pdfSeconds * 1_000
    if (isWaiting) waiting++
    let asked: Asked | undefined
    try {
      asked = await waitFor(request, patience)
    } finally {
      if (isWaiting) waiting--
    }
    if (asked === undefined) return reply.callNotFound()
    const { pdf, language } = asked
    if (pdf.state === 'complete' && wish !== 'state') return send(request, reply, pdf)
    const { state, done, total } = pdf
    reply.headers({ ...keptByNobody, vary: 'accept', ...(state !== 'complete' && { 'retry-after': '2' }) })
    if (wish === 'page') {
      const frame = await productFrame()
      const spoken = { ...frame, language: language ?? frame.language }
      const body = waitingPage(spoken, { title: request.params.name, done, total })
      const given = { status: 202, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
      return sendAnswer(request, reply, readyAnswer(given, 'private'))
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
    return sending.send(request, reply, { file, width: undefined, isForAll: false, isVersion: false })
  }

  server.route<PdfPath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/pdf/:spaceId/:name',
    handler: answer,
  })
}

/** What is asked for: how far it is, the PDF or a page that tells, or the PDF. */
function wishOf({ headers: { accept = '' } }: FastifyRequest): 'state' | 'page' | 'pdf' {
  if (/application\/json/i.test(accept)) return 'state'
  return /text\/html/i.test(accept) ? 'page' : 'pdf'
}
