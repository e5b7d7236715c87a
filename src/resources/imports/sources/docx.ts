/**
 * Documents of Word: each is one page, called as its title says, else as its file. A file is unpacked here, where sizes
 * are bounded, before anything reads it.
 */
import type { DocumentParts } from '../../../store/reading/docx.js'
import { folderOf, joinPath } from '../../../core/pages/paths.js'
import { ApiError } from '../../../contract/errors.js'
import { type ArchiveEntry, type ArchiveItem } from '../archive.js'
import { readZip } from '../read-zip.js'
import { type OpenItems, type SourceContext, createPlaces, listPaths, noPages, placePage } from './source.js'

const word = /\.docx$/i

/** Texts are read as a whole, pictures are bytes; the rest of a document is small. */
const limits = { maxFiles: 5_000, maxFileBytes: 60_000_000, maxTotalBytes: 300_000_000 }
const longestText = 40_000_000

export async function* convertDocuments(
  open: OpenItems,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const documents = paths.filter((path) => word.test(path))
  if (documents.length === 0) throw noPages('document of Word (.docx)')
  const places = createPlaces()
  for (const path of paths) {
    if (!word.test(path)) places.take(path, path)
    else
      places.take(
        path,
        documents.length === 1 ? joinPath(folderOf(path), 'README.md') : path.replace(word, '.md'),
      )
  }
  for await (const item of open()) {
    if (!('open' in item) || !word.test(item.path)) {
      yield item
      continue
    }
    const page = await context.reader.convertDocument(await unpack(item))
    const title = item.path.slice(item.path.lastIndexOf('/') + 1).replace(word, '')
    yield* placePage(page, title, { from: item.path, to: places.of.get(item.path)!, places }, context)
  }
}

async function unpack(document: ArchiveEntry): Promise<DocumentParts> {
  const parts = new Map<string, Uint8Array>()
  for await (const item of readZip(await document.open(), { limits })) {
    if (!('open' in item)) continue
    if (item.path.endsWith('.xml') && item.size > longestText) {
      throw new ApiError('archive_too_large', {
        problem: `the part "${item.path}" is larger than ${longestText} bytes`,
      })
    }
    parts.set(item.path, await item.open())
  }
  return parts
}
