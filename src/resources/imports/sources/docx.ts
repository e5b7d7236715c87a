/**
 * Word documents (DOCX): each becomes a page, titled by its title or else its file name, with a child page for each
 * chapter. A file is unpacked in this module, where sizes are limited, before any parser reads it.
 */
import type { DocumentParts } from '../../../store/reading/docx-elements.js'
import { readChapterLink } from '../../../core/html/split-chapters.js'
import type { HtmlPage } from '../../../core/html/convert.js'
import { decodePercent } from '../../../core/links/resolve.js'
import { folderOf, joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import { ApiError } from '../../../contract/errors.js'
import { type ArchiveEntry, type ArchiveItem } from '../archive.js'
import { readZip } from '../read-zip.js'
import {
  type OpenItems,
  type PageItem,
  type PathMapping,
  type SourceContext,
  createPathMapping,
  listPaths,
  noPagesError,
  pageItem,
  convertPage,
  summaryEntry,
} from './source.js'

const word = /\.docx$/i

/** XML parts are parsed as a whole, images are plain bytes; the other parts are small. */
const limits = { maxFiles: 5_000, maxFileBytes: 60_000_000, maxTotalBytes: 300_000_000 }
const maxPartBytes = 40_000_000

export async function* convertDocuments(
  open: OpenItems,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const documents = paths.filter((path) => word.test(path))
  if (documents.length === 0) throw noPagesError('document of Word (.docx)')
  const mapping = createPathMapping()
  const summary: PageItem[] = []
  for (const path of paths) {
    if (!word.test(path)) mapping.assign(path, path)
    else
      mapping.assign(
        path,
        documents.length === 1 ? joinPath(folderOf(path), 'README.md') : path.replace(word, '.md'),
      )
  }
  for await (const item of open()) {
    if (!('open' in item) || !word.test(item.path)) {
      yield item
      continue
    }
    const pages = await context.reader.convertDocument(await unpack(item), context.splitsChapters)
    const document = { path: item.path, pages, isOnly: documents.length === 1 }
    summary.push(yield* convertDocument(document, mapping, context))
  }
  if (summary.some(({ children }) => children.length > 0)) yield summaryEntry(summary)
}

interface ConvertedDocument {
  readonly path: string
  /** The text before the first chapter, and then each chapter. */
  readonly pages: readonly HtmlPage[]
  readonly isOnly: boolean
}

/** Yields the pages of a document, and returns its entry of the table of contents. */
async function* convertDocument(
  { path, pages, isOnly }: ConvertedDocument,
  mapping: PathMapping,
  context: SourceContext,
): AsyncGenerator<ArchiveItem, PageItem> {
  const newPath = mapping.newPaths.get(path)!
  const name = nameOf(path).replace(word, '')
  const folder = isOnly ? folderOf(newPath) : newPath.replace(/\.md$/, '')
  const titles = pages.map(({ title }, at) => title ?? (at === 0 ? name : `${name}, ${at}`))
  const keyOf = (at: number): string => (at === 0 ? path : `${path}\n${at}`)
  for (const at of pages.keys())
    if (at > 0) mapping.assign(keyOf(at), joinPath(folder, `${slugify(titles[at]!)}.md`))
  const find = (url: string) => {
    const link = readChapterLink(url)
    const target = link && pages[link.chapter]
    if (target === undefined) return undefined
    const anchor = decodePercent(link!.fragment)
    const fragment = new Map(target.parts).get(anchor) ?? anchor
    return { path: keyOf(link!.chapter), ...(fragment !== '' && { fragment }) }
  }
  for (const [at, page] of pages.entries()) {
    const move = { from: keyOf(at), to: mapping.newPaths.get(keyOf(at))!, mapping, find }
    yield* convertPage(page, titles[at]!, move, context)
  }
  const items = titles.map((title, at) => pageItem(title, mapping.newPaths.get(keyOf(at))!))
  return { ...items[0]!, children: items.slice(1) }
}

async function unpack(document: ArchiveEntry): Promise<DocumentParts> {
  const parts = new Map<string, Uint8Array>()
  for await (const item of readZip(await document.open(), { limits })) {
    if (!('open' in item)) continue
    if (item.path.endsWith('.xml') && item.size > maxPartBytes) {
      throw new ApiError('archive_too_large', {
        problem: `the part "${item.path}" is larger than ${maxPartBytes} bytes`,
      })
    }
    parts.set(item.path, await item.open())
  }
  return parts
}
