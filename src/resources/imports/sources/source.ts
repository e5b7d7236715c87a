/**
 * Source converters, shared parts: a converter maps the items of another program's export to those of a tree in our
 * Markdown dialect. An archive is reopened for each pass, so that only a few files are in memory.
 */
import type { HtmlPage } from '../../../core/html/convert.js'
import { relativePath } from '../../../core/links/relative.js'
import { resolveReference } from '../../../core/links/resolve.js'
import { type SummaryItem, formatSummary } from '../../../core/markdown/summary-format.js'
import { createNumbering } from '../../../core/pages/free-numbers.js'
import { folderOf, joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import { ApiError } from '../../../contract/errors.js'
import { decodeText, encodeText } from '../../../store/content/encoding.js'
import type { TextReader } from '../../../store/reading/reader.js'
import type { ArchiveEntry, ArchiveItem } from '../archive.js'

export type OpenItems = () => AsyncIterable<ArchiveItem>

export interface SourceContext {
  readonly reader: TextReader
  /** Whether a document with chapters becomes one page for each chapter. */
  readonly splitsChapters: boolean
}

export type ConvertSource = (open: OpenItems, context: SourceContext) => AsyncIterable<ArchiveItem>

/** Returns an entry of bytes in memory. */
export function bytesEntry(path: string, bytes: Uint8Array): ArchiveEntry {
  return {
    path,
    size: bytes.length,
    open: async () => bytes,
    async *stream() {
      yield bytes
    },
  }
}

export function textEntry(path: string, text: string): ArchiveEntry {
  return bytesEntry(path, encodeText(text))
}

/** Returns a single file as an archive. */
export function singleFile(name: string, bytes: Uint8Array): OpenItems {
  return async function* () {
    yield bytesEntry(name, bytes)
  }
}

/** Returns the paths of all files of an archive, in order. */
export async function listPaths(open: OpenItems): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const item of open()) if ('open' in item) paths.push(item.path)
  return paths
}

/** Returns the text of a file, undefined when it does not exist. */
export async function textAt(open: OpenItems, path: string): Promise<string | undefined> {
  for await (const item of open())
    if ('open' in item && item.path === path) return decodeText(await item.open())
  return undefined
}

/** Maps the old path of each file to a unique new path. */
export interface PathMapping {
  readonly newPaths: ReadonlyMap<string, string>
  /** Assigns and returns a new path that is not in use. */
  assign(old: string, wanted: string): string
  /** Maps another old path to a new path that is already assigned. */
  alias(old: string, newPath: string): void
}

export function createPathMapping(): PathMapping {
  const newPaths = new Map<string, string>()
  // The table of contents is generated.
  const taken = new Set(['summary.md'])
  const numberOf = createNumbering()
  return {
    newPaths,
    assign(old, wanted) {
      const dot = wanted.lastIndexOf('.')
      const stem = dot > wanted.lastIndexOf('/') ? wanted.slice(0, dot) : wanted
      const numbered = (number: number): string =>
        number === 0 ? wanted : `${stem}-${number}${wanted.slice(stem.length)}`
      const isFree = (number: number): boolean => !taken.has(numbered(number).toLowerCase())
      const newPath = numbered(numberOf(wanted.toLowerCase(), isFree))
      taken.add(newPath.toLowerCase())
      newPaths.set(old, newPath)
      return newPath
    },
    alias(old, newPath) {
      if (!newPaths.has(old)) newPaths.set(old, newPath)
    },
  }
}

export interface PageMove {
  readonly from: string
  readonly to: string
  readonly mapping: PathMapping
  /** File name of a folder's page in the old tree. */
  readonly readme?: string
  /**
   * Resolves URLs that are specific to this export, such as absolute URLs of its own site, to an old path and a
   * fragment.
   */
  readonly find?: (url: string) => { readonly path: string; readonly fragment?: string } | undefined
  /** Called with the old path of each file that is referenced. */
  readonly onReference?: (old: string) => void
  /**
   * Returns the new fragment names of the page at an old path, where known; an empty name is the beginning of the
   * page.
   */
  readonly parts?: (old: string) => ReadonlyMap<string, string> | undefined
}

/** Returns the URL of a link in the new tree, undefined when it stays unchanged. */
export function rewriteLink(
  url: string,
  { from, to, mapping, readme = 'README.md', find, onReference, parts }: PageMove,
): string | undefined {
  const found = find?.(url) ?? resolveFile(url, from, mapping, readme)
  if (found === undefined) return undefined
  const { path, fragment: named } = found
  onReference?.(path)
  const fragment = named && (parts?.(path)?.get(named) ?? named)
  return relativePath(to, mapping.newPaths.get(path)!) + (fragment ? `#${encodeURIComponent(fragment)}` : '')
}

/** Returns the old path and the fragment that a relative URL refers to. */
export function resolveFile(
  url: string,
  from: string,
  mapping: PathMapping,
  readme: string,
): { readonly path: string; readonly fragment?: string } | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(url)) return undefined
  const resolved = resolveReference(from, url, { readme })
  if (resolved.kind !== 'file') return undefined
  const { path, alternatives = [], fragment } = resolved
  const old = [path, `${path}.html`, ...alternatives].find((one) => mapping.newPaths.has(one))
  return old === undefined ? undefined : { path: old, ...(fragment !== undefined && { fragment }) }
}

/** Yields a converted page: its embedded images, its text with rewritten links, and notices of what was lost. */
export async function* convertPage(
  page: HtmlPage,
  title: string,
  move: PageMove,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const pictures = yield* storeEmbeddedImages(page, move)
  yield await pageEntry(page, pictures, title, move, context)
  for (const what of page.lost) yield { path: move.to, notice: `Not carried over: ${what}.` }
}

/** Yields the images that were embedded in a page, and returns their new URLs by their placeholders. */
export async function* storeEmbeddedImages(
  page: HtmlPage,
  { from, to, mapping }: PageMove,
): AsyncGenerator<ArchiveItem, ReadonlyMap<string, string>> {
  const table = new Map<string, string>()
  for (const { name, bytes } of page.embedded) {
    const wanted = `.gitbook/assets/${slugify(nameOf(to).replace(/\.md$/, ''))}-${name}`
    const newPath = mapping.assign(`${from}\n${name}`, wanted)
    yield bytesEntry(newPath, bytes)
    table.set(`embedded:${name}`, relativePath(to, newPath))
  }
  return table
}

/** Returns the entry of a page with the links of the new tree. */
export async function pageEntry(
  { title: own, markdown, destinations }: Pick<HtmlPage, 'title' | 'markdown' | 'destinations'>,
  pictures: ReadonlyMap<string, string>,
  title: string,
  move: PageMove,
  { reader }: SourceContext,
): Promise<ArchiveEntry> {
  const table = new Map(pictures)
  for (const url of destinations) {
    const target = rewriteLink(url, move)
    if (target !== undefined && target !== url) table.set(url, target)
  }
  const text = own === undefined ? withTitle(title, markdown) : markdown
  return textEntry(move.to, table.size === 0 ? text : await reader.redirect(text, table))
}

/** Returns a text with a title heading above it. */
export function withTitle(title: string, markdown: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return `# ${line.replace(/[\\`*_[\]<>{]/g, '\\$&')}\n\n${markdown}`
}

/** Returns a Markdown text with its links rewritten for its new path. */
export async function rewriteLinks(
  markdown: string,
  move: PageMove,
  { reader }: SourceContext,
): Promise<string> {
  const { links } = await reader.describe(markdown)
  const { references } = JSON.parse(decodeText(links)) as { references: readonly { readonly url: string }[] }
  const table = new Map<string, string>()
  for (const { url } of references) {
    const target = rewriteLink(url, move)
    if (target !== undefined && target !== url) table.set(url, target)
  }
  return table.size === 0 ? markdown : reader.redirect(markdown, table)
}

/** Yields the files that pages reference, at their new paths; the others are reported as left out, by folder. */
export async function* referencedFiles(
  open: OpenItems,
  {
    mapping,
    isPage,
    isReferenced,
  }: { mapping: PathMapping; isPage: (path: string) => boolean; isReferenced: (path: string) => boolean },
): AsyncGenerator<ArchiveItem> {
  const others = new Map<string, number>()
  for await (const item of open()) {
    if (!('open' in item)) yield item
    else if (isPage(item.path)) continue
    else if (isReferenced(item.path)) yield { ...item, path: mapping.newPaths.get(item.path)! }
    else {
      const folder = folderOf(item.path)
      others.set(folder, (others.get(folder) ?? 0) + 1)
    }
  }
  for (const [folder, count] of others) {
    const files = count === 1 ? 'A file' : `${count} files`
    yield {
      path: joinPath(folder, ''),
      leftOut: `${files} that no page shows, such as styles and scripts: left out.`,
    }
  }
}

/** Returns the table of contents as a file. */
export function summaryEntry(items: readonly SummaryItem[]): ArchiveEntry {
  return textEntry('SUMMARY.md', formatSummary(items))
}

/** A page entry of a table of contents. */
export type PageItem = Extract<SummaryItem, { kind: 'page' }>

/** Returns a page entry of a table of contents. */
export function pageItem(title: string, file: string, children: readonly SummaryItem[] = []): PageItem {
  return { kind: 'page', title, file, children }
}

export function noPagesError(what: string): ApiError {
  return new ApiError('import_failed', { problem: `it holds no ${what}` })
}
