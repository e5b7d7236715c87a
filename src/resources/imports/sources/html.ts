/**
 * HTML import: a single page or a tree of pages, as documentation generators write them. Every page becomes a page at
 * its path, relative links are preserved, and the menu of the first page becomes the table of contents.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { HtmlPage } from '../../../core/html/convert.js'
import type { NavigationItem } from '../../../core/html/navigation.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { folderOf, joinPath, nameOf } from '../../../core/pages/paths.js'
import { decodeText, encodeText } from '../../../store/content/encoding.js'
import type { ArchiveItem } from '../archive.js'
import { type PageRelations, type PageTreeNode, pageNode, buildTreeFromRelations } from '../page-relations.js'
import {
  type PageMove,
  type OpenItems,
  type PathMapping,
  type SourceContext,
  createPathMapping,
  resolveFile,
  listPaths,
  noPagesError,
  pageItem,
  referencedFiles,
  storeEmbeddedImages,
  pageEntry,
  summaryEntry,
} from './source.js'

/** Generated pages that are not content: indexes of words, search and error pages. */
const generatedPage = /(?:^|\/)(?:genindex(?:-[\w-]{1,40})?|search|py-modindex|404|modindex|print)\.x?html?$/i
const html = /\.x?html?$/i
/** The menu of a book (mdBook) that its pages show in a frame. */
const menuPage = /(?:^|\/)toc\.x?html?$/i
const readme = 'index.html'

/** Options of the conversion of a tree. */
export interface HtmlTree {
  readonly mapping: PathMapping
  /** Whether the file at a path is a page. */
  readonly isPage: (path: string) => boolean
  /** The id of the element that contains the content. */
  readonly content?: string
  /** Titles by path, where the export has them outside of the pages. */
  readonly titles?: ReadonlyMap<string, string>
  /** Resolves URLs that are specific to this export, such as absolute URLs of its own site. */
  readonly find?: (url: string) => { readonly path: string; readonly fragment?: string } | undefined
  /** The table of contents, where the export has one. */
  readonly summary?: readonly SummaryItem[]
}

export async function* convertHtmlTree(open: OpenItems, context: SourceContext): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const isPage = (path: string): boolean =>
    html.test(path) && !generatedPage.test(path) && !menuPage.test(path)
  const pages = paths.filter(isPage)
  if (pages.length === 0) throw noPagesError('page of HTML')
  const mapping = createPathMapping()
  // Other files keep their paths.
  for (const path of paths) if (!html.test(path)) mapping.assign(path, path)
  for (const path of pages) mapping.assign(path, newPathOf(path, pages.length === 1))
  for (const path of paths)
    if (generatedPage.test(path))
      yield { path, leftOut: 'Made by a program for itself, such as an index of words: left out.' }
  yield* convertTree(open, { mapping, isPage: (path) => html.test(path) }, isPage, context)
}

/** Maximum length of a page that only redirects by `<meta http-equiv="refresh">`. */
const maxRedirectLength = 200

/**
 * A page with links to fragments of other pages, whose new names are known only when all pages are read; until then
 * it is in memory, compressed.
 */
interface DeferredPage {
  readonly own: string | undefined
  readonly packed: Uint8Array
  readonly destinations: readonly string[]
  readonly pictures: ReadonlyMap<string, string>
  readonly title: string
  readonly move: PageMove
}

/** Yields the pages of a tree whose paths are assigned, then the files that they reference. */
export async function* convertTree(
  open: OpenItems,
  tree: HtmlTree,
  isWanted: (path: string) => boolean,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const { mapping, isPage, content, titles, summary, find } = tree
  const referenced = new Set<string>()
  const pageInfos = new Map<string, PageInfo>()
  const parts = new Map<string, ReadonlyMap<string, string>>()
  const deferred: DeferredPage[] = []
  let menu: MenuSource | undefined
  let first: { readonly path: string; readonly page: HtmlPage } | undefined
  for await (const item of open()) {
    if (!('open' in item) || !(isWanted(item.path) || menuPage.test(item.path))) continue
    const { path } = item
    const knownTitle = titles?.get(path)
    const options = {
      name: nameOf(path),
      ...(content !== undefined && { content }),
      ...(knownTitle !== undefined && { title: knownTitle }),
    }
    const page = await context.reader.convert(await item.open(), options)
    if (menuPage.test(path)) {
      menu ??= { from: path, items: page.navigation }
      continue
    }
    if (page.refresh !== undefined && page.markdown.length < maxRedirectLength) {
      yield { path, leftOut: `A page that only leads to ${page.refresh}: left out.` }
      continue
    }
    const title = knownTitle ?? page.title ?? nameOf(path).replace(html, '')
    pageInfos.set(path, { title, next: page.next, up: page.up, trail: page.trail })
    const isFirst =
      first === undefined ||
      depthOf(path) < depthOf(first.path) ||
      (isIndex(path) && !isIndex(first.path) && depthOf(path) === depthOf(first.path))
    if (isFirst) first = { path, page: { ...page, markdown: '', embedded: [] } }
    const move = {
      from: path,
      to: mapping.newPaths.get(path)!,
      mapping,
      readme,
      ...(find && { find }),
      onReference: (old: string) => void referenced.add(old),
      parts: (old: string) => parts.get(old),
    }
    if (page.parts.length > 0) parts.set(path, new Map(page.parts))
    const pictures = yield* storeEmbeddedImages(page, move)
    for (const what of page.lost) yield { path: move.to, notice: `Not carried over: ${what}.` }
    const { title: own, markdown, destinations } = page
    if (destinations.some((url) => url.indexOf('#') > 0)) {
      const packed = deflateRawSync(encodeText(markdown))
      deferred.push({ own, packed, destinations, pictures, title, move })
    } else yield await pageEntry(page, pictures, title, move, context)
  }
  for (const { own, packed, destinations, pictures, title, move } of deferred) {
    const markdown = decodeText(inflateRawSync(packed))
    yield await pageEntry(
      { ...(own && { title: own }), markdown, destinations },
      pictures,
      title,
      move,
      context,
    )
  }
  yield* referencedFiles(open, { mapping, isPage, isReferenced: (path) => referenced.has(path) })
  if (first !== undefined) menu ??= { from: first.path, items: first.page.navigation }
  const items =
    summary ?? (first && summaryOf(first.path, first.page.links, menu!, { pageInfos: pageInfos, mapping }))
  if (items !== undefined && items.length > 0) yield summaryEntry(items)
}

function newPathOf(path: string, isOnly: boolean): string {
  if (isIndex(path) || isOnly) return joinPath(folderOf(path), 'README.md')
  return path.replace(html, '.md')
}

function isIndex(path: string): boolean {
  return /^index\.x?html?$/i.test(nameOf(path))
}

function depthOf(path: string): number {
  return path.split('/').length
}

interface MenuSource {
  /** The page that contains the menu. */
  readonly from: string
  readonly items: readonly NavigationItem[]
}

/** Title and link relations of a page. */
interface PageInfo extends PageRelations {
  readonly title: string
}

/**
 * Returns the table of contents from the menu of the first page, else from link relations, else from the links of the
 * first page in order; undefined when each of them lists less than half of the pages.
 */
function summaryOf(
  from: string,
  links: readonly string[],
  menu: MenuSource,
  {
    pageInfos,
    mapping,
  }: { readonly pageInfos: ReadonlyMap<string, PageInfo>; readonly mapping: PathMapping },
): readonly SummaryItem[] | undefined {
  if (pageInfos.size < 2) return undefined
  const pathOf = (url: string | undefined, at = from): string | undefined => {
    const path = url === undefined ? undefined : resolveFile(url, at, mapping, readme)?.path
    return path !== undefined && pageInfos.has(path) ? path : undefined
  }
  for (const buildNodes of [
    () => fromMenu(menu, from, pathOf),
    () => [pageNode(from), ...buildTreeFromRelations(from, pageInfos, pathOf)],
    () => fromLinks(links, from, pathOf),
  ]) {
    const nodes = buildNodes()
    const listed = new Set<string>()
    const items = itemsOf(nodes, pageInfos, mapping, listed)
    if (listed.size * 2 < pageInfos.size) continue
    const rest = [...pageInfos.keys()].filter((page) => !listed.has(page))
    return [...items, ...itemsOf(rest.map(pageNode), pageInfos, mapping, listed)]
  }
  return undefined
}

type PathOf = (url: string | undefined, at?: string) => string | undefined

/** The first page comes before its menu. */
function fromMenu(menu: MenuSource, from: string, pathOf: PathOf): readonly PageTreeNode[] {
  const nodesOf = (items: readonly NavigationItem[]): PageTreeNode[] =>
    items.map(({ title, url, children }) => {
      const page = pathOf(url, menu.from)
      return { title, ...(page !== undefined && { page }), children: nodesOf(children) }
    })
  return [pageNode(from), ...nodesOf(menu.items)]
}

function fromLinks(links: readonly string[], from: string, pathOf: PathOf): readonly PageTreeNode[] {
  const paths = links.flatMap((url) => pathOf(url) ?? [])
  return [from, ...paths].map(pageNode)
}

/** Lists each page once; groups exist only at the top level. */
function itemsOf(
  nodes: readonly PageTreeNode[],
  pageInfos: ReadonlyMap<string, PageInfo>,
  mapping: PathMapping,
  listed: Set<string>,
  isTop = true,
): SummaryItem[] {
  return nodes.flatMap(({ page: path, title, children }): SummaryItem[] => {
    const isNew = path !== undefined && !listed.has(path)
    if (isNew) listed.add(path)
    const inner = itemsOf(children, pageInfos, mapping, listed, false)
    if (isNew) return [pageItem(pageInfos.get(path)!.title, mapping.newPaths.get(path)!, inner)]
    return isTop && inner.length > 0 && path === undefined
      ? [{ kind: 'group', title, children: inner }]
      : inner
  })
}
