/** Page selection of a PDF: the whole tree in order, or a page and its descendants. */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { PdfQuery } from '../../contract/pdfs.js'
import type { PageId } from '../../core/ids.js'
import { count } from '../../core/merkle/map.js'
import { children, findPage } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { ContentContext } from '../content/content.js'

export interface PrintedPage {
  readonly page: PageRecord
  /** 1 for the outermost. */
  readonly level: number
}

/** Returns the pages in order; a hidden one only when requested itself. Throws 404 for an unknown page, and 413 for too many. */
export async function listPrintedPages(
  content: ContentContext,
  { page: id, only = false }: PdfQuery,
): Promise<readonly PrintedPage[]> {
  const { snapshot } = content.revision
  const pageCount = id === undefined ? await content.run(count(snapshot.pages)) : 0
  if (pageCount > limits.pdfPages)
    throw tooMany(`${pageCount} pages, and up to ${limits.pdfPages} are possible`)
  const printed: PrintedPage[] = []
  const add = async (page: PageRecord, level: number): Promise<void> => {
    // A link page has no content to print.
    if (page.type === 'link') return
    if (printed.push({ page, level }) > limits.pdfPages)
      throw tooMany(`more than the ${limits.pdfPages} pages that are possible`)
    if (!only) await addBelow(page.id, level + 1)
  }
  const addBelow = async (parent: PageId | null, level: number): Promise<void> => {
    for (const page of await content.run(children(snapshot, parent))) {
      if (page.hidden !== true) await add(page, level)
    }
  }
  if (id === undefined) {
    if (only) throw new ApiError('invalid_request', { problem: 'The query member "only" needs a "page".' })
    await addBelow(null, 1)
    return printed
  }
  const page = await content.run(findPage(snapshot, id as PageId))
  if (page === undefined || page.type === 'link') throw new ApiError('not_found', { thing: 'page' })
  await add(page, 1)
  return printed
}

const tooMany = (pages: string) => new ApiError('pdf_too_large', { problem: `it has ${pages}` })
