/** `octavo export --pdf`: the content of a space, or a page of it, as one file, without a running server. */
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SpaceId } from '../../core/ids.js'
import { listPrintedPages } from '../../resources/pdfs/pages.js'
import { findSpaceAnywhere } from '../../resources/spaces/store.js'
import { loadRevisionContent } from '../../site/pdf/pdf-source.js'
import { printPdf } from '../../site/pdf/make-pdf.js'
import { makePrivateFolder } from '../../store/files/private-permissions.js'
import { openPrinter } from '../start/printer.js'
import { CommandError, type CommandContext, exists } from './command-context.js'

export interface PdfFlags {
  readonly space: string
  readonly page: string | undefined
  readonly only: boolean
  readonly force: boolean
}

export async function exportPdf(
  { database, services, report }: CommandContext,
  target: string,
  { space: id, page, only, force }: PdfFlags,
): Promise<void> {
  if (!force && (await exists(target))) throw new CommandError(`${target} exists: say --force to replace it.`)
  const space = await findSpaceAnywhere(database.read, id as SpaceId)
  const loaded = space && (await loadRevisionContent(services, space, space.revision_id))
  if (space === undefined || loaded === undefined) throw new CommandError(`There is no space ${id}.`)
  const query = { ...(page !== undefined && { page }), only }
  const pages = await listPrintedPages(loaded.content, query)
  const folder = join(services.spoolFolder, `pdf-${randomUUID()}`)
  const task = report.startTask('Printing', pages.length * 2)
  const partPath = `${target}.${process.pid}.part`
  try {
    await makePrivateFolder(folder)
    const { path, sheets } = await printPdf(folder, {
      services,
      printer: openPrinter(),
      source: { space, ...loaded, query },
      pages,
      signal: new AbortController().signal,
      reportProgress: async (done) => task.advance(done),
    })
    await mkdir(dirname(target), { recursive: true })
    await copyFile(path, partPath)
    await rename(partPath, target)
    report.result(`${pages.length} pages of the space ${id} are in ${target}, on ${sheets} of paper`, {
      space: id,
      revision: space.revision_id,
      pages: pages.length,
      sheets,
      target,
    })
  } finally {
    task.end()
    await rm(folder, { recursive: true, force: true })
    await rm(partPath, { force: true })
  }
}
