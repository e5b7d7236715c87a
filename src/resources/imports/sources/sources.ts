/** The formats of other programs on one screen, by the names that the API has for them. */
import type { ImportSource } from '../../../contract/imports.js'
import type { ArchiveItem } from '../archive.js'
import { convertConfluence } from './confluence.js'
import { convertDocuments } from './docx.js'
import { convertGithubWiki } from './github-wiki.js'
import { convertGoogleDocs } from './google-docs.js'
import { convertHtmlTree } from './html.js'
import { convertNotion } from './notion.js'
import type { ConvertSource, OpenItems, SourceContext } from './source.js'

/** What arrives as files; a website is fetched page by page. */
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

/** Yields what the files of another program are here. Throws an ApiError when they are not what they are said to be. */
export function convertItems(
  source: FileSource,
  open: OpenItems,
  context: SourceContext,
): AsyncIterable<ArchiveItem> {
  return sources[source](open, context)
}
