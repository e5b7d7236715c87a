/** Registry of source converters, by the names that the API has for them. */
import type { ImportSource } from '../../../contract/imports.js'
import type { ArchiveItem } from '../archive.js'
import { convertConfluence } from './confluence.js'
import { convertDocuments } from './docx.js'
import { convertGithubWiki } from './github-wiki.js'
import { convertGoogleDocs } from './google-docs.js'
import { convertHtmlTree } from './html.js'
import { convertNotion } from './notion.js'
import type { ConvertSource, OpenItems, SourceContext } from './source.js'

/** Sources that are files; a website is crawled instead. */
export type FileSource = Exclude<ImportSource, 'website'>

const sources: { readonly [Source in FileSource]: ConvertSource } = {
  zip: (open) => open(),
  markdown: (open) => open(),
  html: convertHtmlTree,
  docx: convertDocuments,
  confluence: convertConfluence,
  notion: convertNotion,
  'google-docs': convertGoogleDocs,
  'github-wiki': convertGithubWiki,
}

/** Yields the converted items of a source. Throws an ApiError when its files are not in the declared format. */
export function convertItems(
  source: FileSource,
  open: OpenItems,
  context: SourceContext,
): AsyncIterable<ArchiveItem> {
  return sources[source](open, context)
}
