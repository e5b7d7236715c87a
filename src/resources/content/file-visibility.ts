/**
 * File visibility on adaptive sites: a file is hidden when everything that uses it is hidden from the visitor. A file
 * that no page uses is visible to everyone, because no condition applies to it.
 */
import { resolveReference } from '../../core/links/resolve.js'
import { parsePage } from '../../core/markdown/parse.js'
import { count } from '../../core/merkle/map.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findSources } from '../../core/pages/affected-links.js'
import { entryAt, findPages, listFiles } from '../../core/pages/read.js'
import type { DocumentPage, FileRecord } from '../../core/pages/types.js'
import type { ContentContext } from './content.js'
import { type VisibilityFilter, visibilityFilterOf } from './visibility.js'

/** A file used by more texts than this is hidden without checking them. */
const maxUses = 2_000
/** Depth of nested includes. */
const maxIncludeDepth = 4

/** Returns whether the file is visible to the visitor. */
export async function isFileVisible(
  filter: VisibilityFilter,
  content: ContentContext,
  file: FileRecord,
): Promise<boolean> {
  const used = { names: [file.path, `/files/${file.id}`], path: file.path, id: file.id }
  return (await usageOf({ filter, content }, used, async () => true, 0)) !== 'closed'
}

/** Returns all files of the content that are visible to the reader, by id. */
export async function listVisibleFiles(content: ContentContext): Promise<FileRecord[]> {
  const { run, revision } = content
  const { snapshot } = revision
  const files = await run(listFiles(snapshot, { limit: await run(count(snapshot.files)) }))
  const filter = await visibilityFilterOf(content)
  if (filter === undefined) return files
  const open: FileRecord[] = []
  for (const file of files) if (await isFileVisible(filter, content, file)) open.push(file)
  return open
}

interface VisibilityContext {
  readonly filter: VisibilityFilter
  readonly content: ContentContext
}

interface FileReference {
  /** Every name of the file in the link index. */
  readonly names: readonly string[]
  readonly path: string
  readonly id?: string
}

/** Returns how the reference is used; `inside` returns whether a page that includes the using text is visible with it. */
async function usageOf(
  { filter, content }: VisibilityContext,
  used: FileReference,
  inside: (page: DocumentPage) => Promise<boolean>,
  depth: number,
): Promise<'open' | 'closed' | 'unused'> {
  const { run, revision } = content
  const { snapshot } = revision
  const sources = await run(findSources(snapshot, new Set(used.names)))
  if (sources.length === 0) return 'unused'
  if (sources.length > maxUses || depth > maxIncludeDepth) return 'closed'
  const shows = (text: string, from: string, page: DocumentPage): boolean => {
    const open = filter.text(text, page)
    return open === text || refersTo(open, from, used, snapshot.config)
  }
  const ids = sources.flatMap((source) => ('page' in source ? [source.page] : []))
  for (const page of await run(findPages(snapshot, ids))) {
    if (page?.type !== 'document' || page.text === undefined) continue
    if (!(await filter.isVisibleInTree(content, page))) continue
    const [text] = await run(loadTexts([page.text]))
    if (shows(text!, page.file, page) && (await inside(page))) return 'open'
  }
  for (const source of sources) {
    if (!('text' in source)) continue
    const { text: path } = source
    const entry = await run(entryAt(snapshot, path))
    if (entry === undefined || !('text' in entry)) continue
    const [text] = await run(loadTexts([entry.text]))
    const includer = { names: [path], path }
    const use = await usageOf(
      { filter, content },
      includer,
      async (page) => shows(text!, path, page) && (await inside(page)),
      depth + 1,
    )
    if (use !== 'closed') return 'open'
  }
  return 'closed'
}

/** True when the text links to the file. */
function refersTo(
  text: string,
  from: string,
  { path, id }: FileReference,
  config: Parameters<typeof resolveReference>[2],
): boolean {
  return parsePage(text).references.some(({ url }) => {
    const meant = resolveReference(from, url, config)
    if (meant.kind === 'upload') return meant.file === id
    return meant.kind === 'file' && (meant.path === path || meant.alternatives?.includes(path) === true)
  })
}
