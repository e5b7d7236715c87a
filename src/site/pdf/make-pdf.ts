/**
 * PDF job: renders the pages as on a site, in the same worker threads and with the same limits, and writes them and
 * their files into a folder; a separate process compiles the PDF there.
 *
 * A PDF depends on the content alone, so every reader of that content may receive it. The job of a killed process is
 * retried by the queue, and its folder is removed when the spool is cleaned.
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
import type { GiveUpHandlers, JobHandlers } from '../../store/jobs/worker.js'
import { type UploadDetail, PrintFailed, type Printer } from '../../store/printing/printer.js'
import { renderBody } from '../pages/page-body.js'
import { type VisibleContent, contentLanguage, openContent, readVisibleTexts } from '../pages/content.js'
import { previewSite } from '../routing/site.js'
import { wordsIn } from '../words/words.js'
import { type PdfJob, makePdfJob, pdfLifetime } from './request-pdf.js'
import type { Book, BookPage } from './book.js'
import { type PdfSource, loadRevisionContent } from './pdf-source.js'
import type { PrintJob } from './print-book.js'
import type { BookFile } from './pictures.js'
import { PdfTooLarge, maxPdfMemory, estimateMemory } from './memory-estimate.js'

export interface PdfJobServices {
  readonly services: Services
  readonly printer: Printer
  readonly now: () => number
}

/** Attempts of a job that fails for reasons other than its content. */
const maxAttempts = 3
/** Attempts to render a page, half a second apart, while the worker threads are busy. */
const maxRenderAttempts = 60

export function pdfJobHandlers(jobServices: PdfJobServices): JobHandlers {
  const { services, now } = jobServices
  const { database } = services
  return {
    async [makePdfJob](key, { job, signal }) {
      const row = await findPdf(database.read, key)
      if (row === undefined || row.state === 'complete') return
      const update = (changes: RowUpdate<'pdfs'>) =>
        database.writeWithLocks(noLocks, (tx) =>
          updatePdf(tx, key, { state: 'failed', asked_at: now(), ...changes }),
        )
      const fail = (problem: string) => update({ problem: problem.slice(0, 500) })
      const source = await reloadSource(services, row, key)
      // The space or its revision was deleted: the PDF cannot be requested any more.
      if (source === undefined) return void (await fail('its content is gone'))
      try {
        await makePdf(jobServices, source, row, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof PdfTooLarge) return void (await update({ problem: null, done: error.fitting }))
        const isHopeless = error instanceof PrintFailed || error instanceof ApiError
        if (!isHopeless && job.attempt < maxAttempts) throw error
        await fail(isHopeless ? error.message.replace(/\.$/, '') : 'the server failed at it')
        if (!isHopeless) throw error
      }
    },
  }
}

/** Marks PDFs as failed whose jobs exhausted their attempts, for example because the server stopped each time. */
export function pdfGiveUpHandlers({
  services: { database },
  now,
}: Pick<PdfJobServices, 'services' | 'now'>): GiveUpHandlers {
  return {
    async [makePdfJob](key) {
      const failed = {
        state: 'failed',
        asked_at: now(),
        problem: 'the server came to no end with it',
      } as const
      await database.writeWithLocks(noLocks, (tx) => updatePdf(tx, key, failed))
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
  source: PdfSource,
  row: PdfRow,
  signal: AbortSignal,
): Promise<void> {
  const { database, files } = services
  const pages = await listPrintedPages(source.content, source.query)
  const total = pages.length * 2
  let reported = 0
  // At most twenty reports: each is a transaction.
  const reportProgress = async (done: number): Promise<void> => {
    if (done < total && (done - reported) * 20 < total && reported > 0) return
    reported = done
    await database.writeWithLocks(noLocks, (tx) => updatePdf(tx, row, { state: 'progress', done, total }))
  }
  const folder = join(services.spoolFolder, `pdf-${randomUUID()}`)
  try {
    await makePrivateFolder(folder)
    const file = await printPdf(folder, { services, printer, source, pages, signal, reportProgress })
    const stored = await files.put(createReadStream(file.path))
    await database.writeWithLocks(noLocks, async (tx) => {
      const at = now()
      await insertBlobs(tx, files, row.organization_id, [stored], at)
      const completed = {
        state: 'complete',
        done: total,
        total,
        problem: null,
        expires_at: at + pdfLifetime,
      } as const
      await updatePdf(tx, row, { ...completed, hash: stored.hash, size: stored.size })
      // After its expiry, garbage collection deletes its bytes.
      await scheduleCollection(tx, row.organization_id, at)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface PrintTask {
  readonly services: Services
  readonly printer: Printer
  readonly source: PdfSource
  readonly pages: readonly PrintedPage[]
  readonly signal: AbortSignal
  /** Receives the number of finished steps: each page counts twice, once rendered and once typeset. */
  reportProgress(done: number): Promise<void>
}

/** Generates the PDF in a folder, and returns its path and number of pages. Throws `PdfTooLarge` and `PrintFailed`. */
export async function printPdf(
  folder: string,
  { services, printer, source, pages, signal, reportProgress }: PrintTask,
): Promise<{ readonly path: string; readonly sheets: number }> {
  const composed = await composeBook(services, source, pages, signal, reportProgress)
  const { files, cares } = await writePictures(services, folder, composed, signal)
  const job: PrintJob = { book: composed.book, files }
  await writeFile(join(folder, 'book.json'), JSON.stringify(job), { mode: privateFileMode })
  let pendingReport: Promise<void> | undefined
  const sheets = await printer.print({
    folder,
    cares,
    signal,
    progress(done) {
      pendingReport ??= reportProgress(pages.length + done).finally(() => (pendingReport = undefined))
    },
  })
  await pendingReport
  return { path: join(folder, 'book.pdf'), sheets }
}

interface ComposedBook {
  readonly book: Book
  /** Files by their URLs in the markup. */
  readonly named: ReadonlyMap<string, FileRecord>
}

async function composeBook(
  services: Services,
  source: PdfSource,
  pages: readonly PrintedPage[],
  signal: AbortSignal,
  reportProgress: (done: number) => Promise<void>,
): Promise<ComposedBook> {
  const { space, changeRequest, query } = source
  const named = new Map<string, FileRecord>()
  const inside = new Set(pages.map(({ page }) => page.id))
  const visible = await openPdfContent(services, source, { named, inside })
  const language = contentLanguage(visible)
  const bookPages: BookPage[] = []
  let left = maxPdfMemory
  await reportProgress(0)
  for (const { page, level } of pages) {
    signal.throwIfAborted()
    const bookPage = await composePage(visible, page, level)
    left -= estimateMemory(bookPage.markup)
    if (left < 0) throw new PdfTooLarge(bookPages.length, pages.length)
    bookPages.push(bookPage)
    await reportProgress(bookPages.length)
  }
  const changeRequestTitle =
    changeRequest === undefined ? undefined : `#${changeRequest.number} ${changeRequest.subject}`.trim()
  const first = bookPages[0]
  const isPart = query.page !== undefined && first !== undefined
  const subtitle = [isPart ? space.title : undefined, changeRequestTitle]
    .filter((one) => one !== undefined)
    .join(' · ')
  const book: Book = {
    title: isPart ? first.title : space.title,
    ...(subtitle !== '' && { subtitle }),
    ...(visible.site.emoji !== undefined && !isPart && { emoji: visible.site.emoji }),
    language,
    words: { contents: wordsIn(language).contents },
    hasCover: query.only !== true,
    pagePrefix: pagePrefixOf(services),
    pages: bookPages,
  }
  return { book, named }
}

const pagePrefixOf = ({ addresses }: Pick<Services, 'addresses'>): string =>
  `${addresses.base}/~octavo/pdf-page/`

/** The content as in a preview of the space, except that URLs are internal links of the PDF or absolute. */
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
  const visible = await openContent(services, site, { ...variant!, revisionId })
  const { linker } = visible
  return {
    ...visible,
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

async function composePage(visible: VisibleContent, page: PageRecord, level: number): Promise<BookPage> {
  const { id, title, emoji, icon } = page
  const description = page.type === 'document' ? page.description : undefined
  const details = {
    id,
    level,
    isGroup: page.type === 'group',
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
  }
  const body = page.type === 'document' ? await composeBody(visible, page) : undefined
  return { ...details, title: body?.title ?? title, markup: body?.html.toString() ?? '' }
}

async function composeBody(visible: VisibleContent, page: DocumentPage) {
  if (page.text === undefined) return undefined
  const [text] = await readVisibleTexts(visible, page, [page.text])
  for (let attempt = 1; ; attempt++) {
    const body = await renderBody(visible, page, text!)
    // A fallback caused by busy workers must not end up in a PDF.
    if (body.isFinal || attempt === maxRenderAttempts) return body
    await pause(500)
  }
}

/**
 * Writes the files that the markup uses as pictures; other files are only linked. Returns them with the detail levels to
 * try in order: all, drawings rasterized, no pictures.
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
