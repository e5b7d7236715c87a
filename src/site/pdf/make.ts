/**
 * Making a PDF: the worker's part. The pages are composed as a site shows them, by the same threads and with the same
 * limits, and what they name is written into a folder; a process of its own makes the PDF there.
 *
 * What is made follows from the content alone, so whoever may read that content may have it. A process that is killed
 * gives its job back by itself, and what it left in the folder of the spool is removed with the rest of it.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '../../contract/limits.js'
import type { FileId } from '../../core/ids.js'
import type { DocumentPage, FileRecord, PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { findChangeRequest } from '../../resources/change-requests/store.js'
import { type PrintedPage, listPrintedPages } from '../../resources/pdfs/pages.js'
import { type PdfRow, findPdf, updatePdf } from '../../resources/pdfs/store.js'
import { findSpace } from '../../resources/spaces/store.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import { insertBlobs } from '../../store/content/blobs.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { RowUpdate } from '../../store/db/tables.js'
import { makePrivateFolder, privateFileMode } from '../../store/files/private-permissions.js'
import type { JobHandler, WorkerOptions } from '../../store/jobs/worker.js'
import { type UploadDetail, PrintFailed, type Printer } from '../../store/printing/printer.js'
import { renderBody } from '../pages/page-body.js'
import { type VisibleContent, contentLanguage, openContent, readVisibleTexts } from '../pages/content.js'
import { previewSite } from '../routing/site.js'
import { wordsIn } from '../words/words.js'
import { type PdfJob, makePdfJob, pdfLifetime } from './ask.js'
import type { Book, BookPage } from './book.js'
import { type PdfSource, loadRevisionContent } from './find.js'
import type { PrintJob } from './print.js'
import type { BookFile } from './pictures.js'
import { PdfTooLarge, maxPdfMemory, estimateMemory } from './weight.js'

export interface PdfJobServices {
  readonly services: Services
  readonly printer: Printer
  readonly now: () => number
}

/** Times that a job is tried which fails for another reason than what it prints. */
const maxAttempts = 3
/** Times that a page is asked for again, half a second apart, when too much else is being composed. */
const maxRenderAttempts = 60

export function pdfJobHandlers(jobServices: PdfJobServices): Readonly<Record<string, JobHandler>> {
  const { services, now } = jobServices
  const { database } = services
  return {
    async [makePdfJob](payload, { job, signal }) {
      const key = payload as unknown as PdfJob
      const row = await findPdf(database.read, key)
      if (row === undefined || row.state === 'complete') return
      const tell = (about: RowUpdate<'pdfs'>) =>
        database.writeWithLocks(noLocks, (tx) =>
          updatePdf(tx, key, { state: 'failed', asked_at: now(), ...about }),
        )
      const fail = (problem: string) => tell({ problem: problem.slice(0, 500) })
      const printed = await reloadSource(services, row, key)
      // The space or its revision is gone: nobody can ask for it any more.
      if (printed === undefined) return void (await fail('its content is gone'))
      try {
        await makePdf(jobServices, printed, row, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof PdfTooLarge) return void (await tell({ problem: null, done: error.fitting }))
        const isHopeless = error instanceof PrintFailed || error instanceof ApiError
        if (!isHopeless && job.attempt < maxAttempts) throw error
        await fail(isHopeless ? error.message.replace(/\.$/, '') : 'the server failed at it')
        if (!isHopeless) throw error
      }
    },
  }
}

/** Tells of PDFs as failed whose jobs are given up, as of servers that were ended each time. */
export function pdfGiveUpHandlers({
  services: { database },
  now,
}: Pick<PdfJobServices, 'services' | 'now'>): NonNullable<WorkerOptions['onGiveUp']> {
  return {
    async [makePdfJob](payload) {
      const failed = {
        state: 'failed',
        asked_at: now(),
        problem: 'the server came to no end with it',
      } as const
      await database.writeWithLocks(noLocks, (tx) => updatePdf(tx, payload as unknown as PdfJob, failed))
    },
  }
}

async function reloadSource(services: Services, row: PdfRow, job: PdfJob): Promise<PdfSource | undefined> {
  const { read } = services.database
  const space = await findSpace(read, row.organization_id, row.space_id)
  if (space === undefined || space.deleted_at !== null) return undefined
  const changeRequest =
    job.changeRequest === null ? undefined : await findChangeRequest(read, space, job.changeRequest)
  if (changeRequest === undefined && job.changeRequest !== null) return undefined
  const opened = await loadRevisionContent(services, space, row.revision_id)
  const query = { ...(row.page_id !== null && { page: row.page_id }), only: row.only_page === 1 }
  return opened && { space, ...opened, query, ...(changeRequest !== undefined && { changeRequest }) }
}

async function makePdf(
  { services, printer, now }: PdfJobServices,
  printed: PdfSource,
  row: PdfRow,
  signal: AbortSignal,
): Promise<void> {
  const { database, files } = services
  const pages = await listPrintedPages(printed.content, printed.query)
  const total = pages.length * 2
  let reported = 0
  // Told twenty times at most: each is a transaction.
  const reportProgress = async (done: number): Promise<void> => {
    if (done < total && (done - reported) * 20 < total && reported > 0) return
    reported = done
    await database.writeWithLocks(noLocks, (tx) => updatePdf(tx, row, { state: 'progress', done, total }))
  }
  const folder = join(services.spoolFolder, `pdf-${randomUUID()}`)
  try {
    await makePrivateFolder(folder)
    const file = await printPdf(folder, { services, printer, printed, pages, signal, tell: reportProgress })
    const stored = await files.put(createReadStream(file.path))
    await database.writeWithLocks(noLocks, async (tx) => {
      const at = now()
      await insertBlobs(tx, files, row.organization_id, [stored], at)
      const made = {
        state: 'complete',
        done: total,
        total,
        problem: null,
        expires_at: at + pdfLifetime,
      } as const
      await updatePdf(tx, row, { ...made, hash: stored.hash, size: stored.size })
      // When it has expired its bytes go, with whatever else nothing names by then.
      await scheduleCollection(tx, row.organization_id, at)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface PrintTask {
  readonly services: Services
  readonly printer: Printer
  readonly printed: PdfSource
  readonly pages: readonly PrintedPage[]
  readonly signal: AbortSignal
  /** Told how much is done: each page twice, once composed and once set. */
  tell(done: number): Promise<void>
}

/** Makes the PDF in a folder, and returns where it is and how many pages it has. Throws `PdfTooHeavy` and `PrintFailed`. */
export async function printPdf(
  folder: string,
  { services, printer, printed, pages, signal, tell }: PrintTask,
): Promise<{ readonly path: string; readonly sheets: number }> {
  const composed = await composeBook(services, printed, pages, signal, tell)
  const { files, cares } = await writePictures(services, folder, composed, signal)
  const job: PrintJob = { book: composed.book, files }
  await writeFile(join(folder, 'book.json'), JSON.stringify(job), { mode: privateFileMode })
  let pendingReport: Promise<void> | undefined
  const sheets = await printer.print({
    folder,
    cares,
    signal,
    progress(done) {
      pendingReport ??= tell(pages.length + done).finally(() => (pendingReport = undefined))
    },
  })
  await pendingReport
  return { path: join(folder, 'book.pdf'), sheets }
}

interface ComposedBook {
  readonly book: Book
  /** By the addresses that they have in the markup. */
  readonly named: ReadonlyMap<string, FileRecord>
}

async function composeBook(
  services: Services,
  printed: PdfSource,
  pages: readonly PrintedPage[],
  signal: AbortSignal,
  tell: (done: number) => Promise<void>,
): Promise<ComposedBook> {
  const { space, changeRequest, query } = printed
  const named = new Map<string, FileRecord>()
  const inside = new Set(pages.map(({ page }) => page.id))
  const shown = await openPdfContent(services, printed, { named, inside })
  const language = contentLanguage(shown)
  const made: BookPage[] = []
  let left = maxPdfMemory
  await tell(0)
  for (const { page, level } of pages) {
    signal.throwIfAborted()
    const one = await composePage(shown, page, level)
    left -= estimateMemory(one.markup)
    if (left < 0) throw new PdfTooLarge(made.length, pages.length)
    made.push(one)
    await tell(made.length)
  }
  const about =
    changeRequest === undefined ? undefined : `#${changeRequest.number} ${changeRequest.subject}`.trim()
  const first = made[0]
  const isPart = query.page !== undefined && first !== undefined
  const subtitle = [isPart ? space.title : undefined, about].filter((one) => one !== undefined).join(' · ')
  const book: Book = {
    title: isPart ? first.title : space.title,
    ...(subtitle !== '' && { subtitle }),
    ...(shown.site.emoji !== undefined && !isPart && { emoji: shown.site.emoji }),
    language,
    words: { contents: wordsIn(language).contents },
    hasCover: query.only !== true,
    pagePrefix: pagePrefixOf(services),
    pages: made,
  }
  return { book, named }
}

const pagePrefixOf = ({ addresses }: Pick<Services, 'addresses'>): string => `${addresses.base}/~octavo/pdf-page/`

/** The content as a preview of the space shows it, but that its addresses are of the PDF, or say their host. */
async function openPdfContent(
  services: Services,
  { space, content, specifications }: PdfSource,
  { named, inside }: { readonly named: Map<string, FileRecord>; readonly inside: ReadonlySet<string> },
): Promise<VisibleContent> {
  const { addresses } = services
  const preview = previewSite(addresses, space, specifications)
  const [variant] = preview.variants
  const revisionId = content.revision.id
  const site = { ...preview, fingerprint: `pdf ${preview.fingerprint}` }
  const shown = await openContent(services, site, { ...variant!, revisionId })
  const { linker } = shown
  return {
    ...shown,
    linker: {
      ...linker,
      page(page, fragment) {
        if (page.type === 'link') return page.url
        if (!inside.has(page.id)) return linker.absolute(linker.page(page, fragment))
        return `${pagePrefixOf(services)}${page.id}${fragment === undefined || fragment === '' ? '' : `#${encodeURIComponent(fragment)}`}`
      },
      file(file) {
        const href = addresses.file(space.id, file.id, file.hash, file.name)
        named.set(href, file)
        return href
      },
      sizes: () => [],
      text: (path, hash) => linker.absolute(linker.text(path, hash)),
    },
  }
}

async function composePage(shown: VisibleContent, page: PageRecord, level: number): Promise<BookPage> {
  const { id, title, emoji, icon } = page
  const description = page.type === 'document' ? page.description : undefined
  const about = {
    id,
    level,
    isGroup: page.type === 'group',
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
  }
  const body = page.type === 'document' ? await composeBody(shown, page) : undefined
  return { ...about, title: body?.title ?? title, markup: body?.html.toString() ?? '' }
}

async function composeBody(shown: VisibleContent, page: DocumentPage) {
  if (page.text === undefined) return undefined
  const [text] = await readVisibleTexts(shown, page, [page.text])
  for (let asked = 1; ; asked++) {
    const body = await renderBody(shown, page, text!)
    // What was too busy to be composed must not stay in a PDF as the text it is.
    if (body.isFinal || asked === maxRenderAttempts) return body
    await pause(500)
  }
}

/**
 * Files of pictures are written where the markup names them as such; others are only linked to. Returns them, and what
 * is worth a try with less of them: drawings as pixels, and then without any.
 */
async function writePictures(
  { files }: Services,
  folder: string,
  { book, named }: ComposedBook,
  signal: AbortSignal,
): Promise<{ readonly files: readonly BookFile[]; readonly cares: readonly UploadDetail[] }> {
  const used = new Map<FileId, { readonly file: FileRecord; readonly source: string }>()
  for (const { markup } of book.pages) {
    for (const [, attributes] of markup.matchAll(/<img ([^<>]*)>/g)) {
      const [, source] = /(?:^| )src="([^"]*)"/.exec(attributes!) ?? []
      if (source === undefined) continue
      const href = source.replaceAll('&amp;', '&')
      const file = named.get(href)
      if (file !== undefined) used.set(file.id, { file, source: href })
    }
  }
  const written: BookFile[] = []
  let hasDrawings = false
  let left: number = limits.pdfPictureBytes
  for (const { file, source } of used.values()) {
    signal.throwIfAborted()
    if (file.size > left) continue
    const bytes = await files.open(file.hash)
    if (bytes === undefined) continue
    left -= file.size
    const path = `picture-${written.length + 1}`
    await pipeline(bytes, createWriteStream(join(folder, path), { mode: privateFileMode }))
    written.push({ source, path })
    hasDrawings ||= file.contentType === 'image/svg+xml'
  }
  const less: UploadDetail[] = hasDrawings ? ['pixels', 'none'] : ['none']
  return { files: written, cares: written.length === 0 ? ['all'] : ['all', ...less] }
}
