/**
 * Whether a file is for the reader of an adaptive site: not when everything that uses it is closed to them. What no
 * page uses is closed to nobody, because nothing says for whom it is.
 */
import { resolveReference } from '../../core/links/resolve.js'
import { parsePage } from '../../core/markdown/parse.js'
import { count } from '../../core/merkle/map.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findSources } from '../../core/pages/link-touch.js'
import { entryAt, findPages, listFiles } from '../../core/pages/read.js'
import type { DocumentPage, FileRecord } from '../../core/pages/types.js'
import type { ContentHere } from './content.js'
import { type Opening, openingOf } from './visibility.js'

/** More texts that use one file are not looked at: it is closed then. */
const mostUses = 2_000
/** Texts that stand in one another. */
const deepest = 4

/** Returns whether the reader may have the file. */
export async function isFileOpen(opening: Opening, content: ContentHere, file: FileRecord): Promise<boolean> {
  const used = { names: [file.path, `/files/${file.id}`], path: file.path, id: file.id }
  return (await useOf({ opening, content }, used, async () => true, 0)) !== 'closed'
}

/** Returns all files of the content that whoever asks may have, in the order of their ids. */
export async function listOpenFiles(content: ContentHere): Promise<FileRecord[]> {
  const { run, revision } = content
  const { snapshot } = revision
  const files = await run(listFiles(snapshot, { limit: await run(count(snapshot.files)) }))
  const opening = await openingOf(content)
  if (opening === undefined) return files
  const open: FileRecord[] = []
  for (const file of files) if (await isFileOpen(opening, content, file)) open.push(file)
  return open
}

interface Here {
  readonly opening: Opening
  readonly content: ContentHere
}

interface Used {
  /** Every name by which the index of links knows it. */
  readonly names: readonly string[]
  readonly path: string
  readonly id?: string
}

/** `inside` says whether a page shows what is used, where it shows the text that uses it. */
async function useOf(
  { opening, content }: Here,
  used: Used,
  inside: (page: DocumentPage) => Promise<boolean>,
  depth: number,
): Promise<'open' | 'closed' | 'unused'> {
  const { run, revision } = content
  const { snapshot } = revision
  const sources = await run(findSources(snapshot, new Set(used.names)))
  if (sources.length === 0) return 'unused'
  if (sources.length > mostUses || depth > deepest) return 'closed'
  const shows = (text: string, from: string, page: DocumentPage): boolean => {
    const open = opening.text(text, page)
    return open === text || names(open, from, used, snapshot.config)
  }
  const ids = sources.flatMap((source) => ('page' in source ? [source.page] : []))
  for (const page of await run(findPages(snapshot, ids))) {
    if (page?.type !== 'document' || page.text === undefined) continue
    if (!(await opening.isReachable(content, page))) continue
    const [text] = await run(loadTexts([page.text]))
    if (shows(text!, page.file, page) && (await inside(page))) return 'open'
  }
  for (const source of sources) {
    if (!('text' in source)) continue
    const { text: path } = source
    const entry = await run(entryAt(snapshot, path))
    if (entry === undefined || !('text' in entry)) continue
    const [text] = await run(loadTexts([entry.text]))
    const around = { names: [path], path }
    const use = await useOf(
      { opening, content },
      around,
      async (page) => shows(text!, path, page) && (await inside(page)),
      depth + 1,
    )
    if (use !== 'closed') return 'open'
  }
  return 'closed'
}

/** True when a text says a destination that means it. */
function names(
  text: string,
  from: string,
  { path, id }: Used,
  config: Parameters<typeof resolveReference>[2],
): boolean {
  return parsePage(text).references.some(({ url }) => {
    const meant = resolveReference(from, url, config)
    if (meant.kind === 'upload') return meant.file === id
    return meant.kind === 'file' && (meant.path === path || meant.alternatives?.includes(path) === true)
  })
}
