/** Google Docs downloads: an HTML page with its images in a zip, or a Word document. */
import type { ArchiveItem } from '../archive.js'
import { convertDocuments } from './docx.js'
import { convertHtmlTree } from './html.js'
import { type OpenItems, type SourceContext, listPaths } from './source.js'

export async function* convertGoogleDocs(
  open: OpenItems,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const isWord = paths.some((path) => /\.docx$/i.test(path)) && !paths.some((path) => /\.html$/i.test(path))
  yield* isWord ? convertDocuments(open, context) : convertHtmlTree(open, context)
}
