/**
 * What becomes of a tree that another program exported: the items of its archive go in, those of a tree in the dialect
 * come out. An archive is opened as often as it is looked at, so that no more than a few files are held at a time.
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
  /** Whether a document with chapters becomes a page for each of them. */
  readonly splitsChapters: boolean
}

export type ConvertSource = (open: OpenItems, context: SourceContext) => AsyncIterable<ArchiveItem>

/** Returns an entry of bytes that are there. */
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

/** Returns one file as an archive of its own. */
export function singleFile(name: string, bytes: Uint8Array): OpenItems {
  return async function* () {
    yield bytesEntry(name, bytes)
  }
}

/** Answers the paths of all files of an archive, in their order. */
export async function listPaths(open: OpenItems): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const item of open()) if ('open' in item) paths.push(item.path)
  return paths
}

/** Answers the text of a file, undefined when it is not there. */
export async function textAt(open: OpenItems, path: string): Promise<string | undefined> {
  for await (const item of open())
    if ('open' in item && item.path === path) return decodeText(await item.open())
  return undefined
}

/** Where each file of the old tree stands in the new one, the places of no two being the same. */
export interface PathMapping {
  readonly of: ReadonlyMap<string, string>
  /** Returns a place that nothing has taken, and takes it. */
  take(old: string, wanted: string): string
  /** Says that another file of the old tree is what stands in a place. */
  join(old: string, place: string): void
}

export function createPathMapping(): PathMapping {
  const of = new Map<string, string>()
  // The table of contents is written anew.
  const taken = new Set(['summary.md'])
  const numberOf = createNumbering()
  return {
    of,
    take(old, wanted) {
      const dot = wanted.lastIndexOf('.')
      const stem = dot > wanted.lastIndexOf('/') ? wanted.slice(0, dot) : wanted
      const numbered = (number: number): string =>
        number === 0 ? wanted : `${stem}-${number}${wanted.slice(stem.length)}`
      const isFree = (number: number): boolean => !taken.has(numbered(number).toLowerCase())
      const place = numbered(numberOf(wanted.toLowerCase(), isFree))
      taken.add(place.toLowerCase())
      of.set(old, place)
      return place
    },
    join(old, place) {
      if (!of.has(old)) of.set(old, place)
    },
  }
}

export interface PageMove {
  readonly from: string
  readonly to: string
  readonly places: PathMapping
  /** The page of a folder, in the old tree. */
  readonly readme?: string
  /** Returns the old path and the fragment of what only this export writes so, such as an address of its own site. */
  readonly find?: (url: string) => { readonly path: string; readonly fragment?: string } | undefined
  /** Told the old path of each file that is pointed to. */
  readonly onReference?: (old: string) => void
  /** What the parts of the page at an old path are called now, where that is known; empty for its beginning. */
  readonly parts?: (old: string) => ReadonlyMap<string, string> | undefined
}

/** Returns where a destination leads in the new tree, undefined where it stays as it is. */
export function rewriteLink(
  url: string,
  { from, to, places, readme = 'README.md', find, onReference, parts }: PageMove,
): string | undefined {
  const found = find?.(url) ?? resolveFile(url, from, places, readme)
  if (found === undefined) return undefined
  const { path, fragment: named } = found
  onReference?.(path)
  const fragment = named && (parts?.(path)?.get(named) ?? named)
  return relativePath(to, places.of.get(path)!) + (fragment ? `#${encodeURIComponent(fragment)}` : '')
}

/** Returns the file of the old tree that a relative address means, and the part of it. */
export function resolveFile(
  url: string,
  from: string,
  places: PathMapping,
  readme: string,
): { readonly path: string; readonly fragment?: string } | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(url)) return undefined
  const resolved = resolveReference(from, url, { readme })
  if (resolved.kind !== 'file') return undefined
  const { path, alternatives = [], fragment } = resolved
  const old = [path, `${path}.html`, ...alternatives].find((one) => places.of.has(one))
  return old === undefined ? undefined : { path: old, ...(fragment !== undefined && { fragment }) }
}

/** Yields a page that was read from another format: its pictures, its text with the links of the new tree, what it lost. */
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

/** Yields the pictures that stood in a page itself, and returns where they lead from its text. */
export async function* storeEmbeddedImages(
  page: HtmlPage,
  { from, to, places }: PageMove,
): AsyncGenerator<ArchiveItem, ReadonlyMap<string, string>> {
  const table = new Map<string, string>()
  for (const { name, bytes } of page.embedded) {
    const wanted = `.gitbook/assets/${slugify(nameOf(to).replace(/\.md$/, ''))}-${name}`
    const place = places.take(`${from}\n${name}`, wanted)
    yield bytesEntry(place, bytes)
    table.set(`embedded:${name}`, relativePath(to, place))
  }
  return table
}

/** Answers the text of a page with the links of the new tree. */
export async function pageEntry(
  { title: own, markdown, destinations }: Pick<HtmlPage, 'title' | 'markdown' | 'destinations'>,
  pictures: ReadonlyMap<string, string>,
  title: string,
  move: PageMove,
  { reader }: SourceContext,
): Promise<ArchiveEntry> {
  const table = new Map(pictures)
  for (const url of destinations) {
    const led = rewriteLink(url, move)
    if (led !== undefined && led !== url) table.set(url, led)
  }
  const text = own === undefined ? withTitle(title, markdown) : markdown
  return textEntry(move.to, table.size === 0 ? text : await reader.redirect(text, table))
}

/** Returns a text below a title that it does not say itself. */
export function withTitle(title: string, markdown: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return `# ${line.replace(/[\\`*_[\]<>]/g, '\\$&')}\n\n${markdown}`
}

/** Answers a text of Markdown with its destinations as they are in its new place. */
export async function rewriteLinks(
  markdown: string,
  move: PageMove,
  { reader }: SourceContext,
): Promise<string> {
  const { links } = await reader.describe(markdown)
  const { references } = JSON.parse(decodeText(links)) as { references: readonly { readonly url: string }[] }
  const table = new Map<string, string>()
  for (const { url } of references) {
    const led = rewriteLink(url, move)
    if (led !== undefined && led !== url) table.set(url, led)
  }
  return table.size === 0 ? markdown : reader.redirect(markdown, table)
}

/** Yields the files that pages point to, in their places; folders of others are told. */
export async function* referencedFiles(
  open: OpenItems,
  {
    places,
    isPage,
    isReferenced,
  }: { places: PathMapping; isPage: (path: string) => boolean; isReferenced: (path: string) => boolean },
): AsyncGenerator<ArchiveItem> {
  const others = new Map<string, number>()
  for await (const item of open()) {
    if (!('open' in item)) yield item
    else if (isPage(item.path)) continue
    else if (isReferenced(item.path)) yield { ...item, path: places.of.get(item.path)! }
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

/** An entry of a table of contents that is a page. */
export type PageItem = Extract<SummaryItem, { kind: 'page' }>

/** Returns an entry of a table of contents. */
export function pageItem(title: string, file: string, children: readonly SummaryItem[] = []): PageItem {
  return { kind: 'page', title, file, children }
}

export function noPagesError(what: string): ApiError {
  return new ApiError('import_failed', { problem: `it holds no ${what}` })
}
