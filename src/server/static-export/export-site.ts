/**
 * Static export of a published site: files that any web server can serve, below any path.
 *
 * Every page of the site is rendered (`render-pages.ts`), and everything that a page refers to is requested from the
 * site (`fetch-internal.ts`, `rewrite-links.ts`). Redirects become pages that forward the browser. Search works with
 * index files made of the pages' Markdown.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { byteLength } from '../../core/bytes.js'
import { decodePercent } from '../../core/links/resolve.js'
import { parsePage } from '../../core/markdown/parse.js'
import { type PageNode, pageTree } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { createStaticIndexBuilder } from '../../core/search/static-index.js'
import { collectSections } from '../../core/search/sections.js'
import { trimBothOf } from '../../core/trim.js'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import { escapeHtml } from '../../site/html.js'
import { type VisibleContent, isVisible, openContent } from '../../site/pages/content.js'
import { titleInLists } from '../../site/pages/navigation.js'
import { type ReadablePage, isReadable } from '../../site/routing/destination.js'
import { belowBase, encodePath } from '../../site/routing/linker.js'
import { sectionHeading } from '../../site/routing/languages.js'
import type { Variant } from '../../site/routing/site.js'
import { relativePath } from '../../site/static-export/file-names.js'
import type { Settings } from '../settings/settings.js'
import { createPageRenderer } from './render-page.js'
import { type FetchableSite, type ExportedResponse, createInternalFetch, textOf } from './fetch-internal.js'
import { type ExportFolder, StaticExportRefused, exportMarker, writeExportFolder } from './folder.js'
import { listRedirectingPaths } from './redirecting-paths.js'
import { type MarkdownCache, createMarkdownCache } from './markdown-cache.js'
import { notFoundScript } from './not-found-page.js'
import { openSite } from './open-site.js'
import { renderPages } from './render-pages.js'
import type { SiteAddress } from './site-addresses.js'
import { type LinkRewriter, createLinkRewriter, searchPath } from './rewrite-links.js'

export interface StaticExportRequest {
  readonly services: Services
  /** Serves everything that readers may request. */
  readonly server: FastifyInstance
  readonly site: AddressedSite
  readonly target: string
  /** Absolute address at which the export will be served; without one, absolute links refer to the site itself. */
  readonly publicUrl?: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** With which worker threads open the same data to render pages; without them, this thread does everything. */
  readonly settings?: Settings
  readonly progress?: (done: number, total: number) => void
}

export interface StaticExport {
  readonly pages: number
  readonly files: number
  readonly bytes: number
  readonly redirects: number
  /** Bytes of the search index, and of the Markdown that it was made of. */
  readonly searchBytes: number
  readonly textBytes: number
  /** Addresses of broken links on pages of the site. */
  readonly missing: readonly string[]
}

/** Files at the top of a site besides its pages; a site may lack some. */
const feeds = [
  'robots.txt',
  'sitemap.xml',
  'sitemap-pages.xml',
  'llms.txt',
  'llms-full.txt',
  'sitemap.md',
  '.well-known/sitemap.md',
]
/** Assets that only scripts load. */
const scriptAssets = ['finding.js', 'dialogs.js', 'dialogs.css']
/** Bytes of an index that is never shortened, however small a site is. */
const minIndexBytes = 20_000
/** Files that are being written while the next page is rendered. */
const maxConcurrentWrites = 16

/** Writes the export and returns its size; throws `StaticExportRefused` for a site that not every visitor may read. */
export async function writeStaticExport(request: StaticExportRequest): Promise<StaticExport> {
  const { services, server, site: addressed, now } = request
  const site = await openSite(services, addressed, now)
  if (site === undefined) throw notOpen()
  const fetchPath = createInternalFetch(server, services, addressed)
  const cache = createMarkdownCache(services, { site, fetchPath })
  const source = { site, fetchPath: cache.fetchPath }
  return writeExportFolder(request.target, async (folder) => fill(request, { source, cache }, folder))
}

function notOpen(): StaticExportRefused {
  return new StaticExportRefused(
    'The site is not open to everybody: publish it, public or unlisted, and try again.',
  )
}

interface ListedPage {
  readonly visible: VisibleContent
  readonly page: ReadablePage
  readonly address: SiteAddress
  readonly markdown: SiteAddress
  readonly isSearchable: boolean
}

async function fill(
  request: StaticExportRequest,
  { source, cache }: { readonly source: FetchableSite; readonly cache: MarkdownCache },
  folder: ExportFolder,
): Promise<StaticExport> {
  const { services, site: addressed, publicUrl, progress } = request
  const { site, fetchPath } = source
  await requireOpen()
  const { write, done, written } = createWriter(folder)
  const assets = `${new URL(services.addresses.base).pathname.replace(/\/$/, '')}/~octavo/assets/`
  const revisions = site.variants.map(({ revisionId }) => revisionId)
  const { body: script } = await fetchPath(`${assets}finding.js`)
  // Cache busting: a browser that cached the index of an earlier export loads it again.
  const version = shortHash(`${shortHash(script)} ${site.fingerprint} ${revisions.join(' ')}`)
  const searchScript = { name: '~octavo/assets/finding.js', version }
  const rewriter = createLinkRewriter(source, {
    serverBase: services.addresses.base,
    publicUrl,
    searchScript,
    write,
  })
  const { parse, pageName, markdownName, resolveOrReport, rewrite } = rewriter

  const { listed, contents, pagesOf } = await listPages(request, source, rewriter)
  for (const name of scriptAssets) await resolveOrReport(assets + name)
  await resolveOrReport('/favicon.ico')

  const index = createStaticIndexBuilder()
  let textBytes = 0
  let current: Variant | undefined
  const addresses = listed.map(({ address, markdown }) => ({
    page: address.href,
    markdown: markdown.href,
  }))
  let number = 0
  const render = await createPageRenderer(services, site)
  for await (const forms of renderPages(render, addresses, request)) {
    const one = listed[number]!
    const { variant } = one.visible
    if (variant !== current) {
      current = variant
      const section = sectionHeading(site, variant)
      index.begin({
        language: variant.language,
        group: site.sections.findIndex(({ variants }) => variants.includes(variant)),
        isDefault: variant.isDefault,
        isHidden: variant.isHidden,
        ...(section !== undefined && { section }),
      })
      await writeSearchPage(variant)
    }
    cache.add(one.markdown.href, forms.markdown)
    await writePage(one.address, forms.page)
    const text = await writeMarkdown(one, forms.markdown)
    if (text !== undefined && one.isSearchable) {
      textBytes += byteLength(text)
      index.add(indexEntryOf(one, text))
    }
    number += 1
    progress?.(number, listed.length)
  }
  for (const feed of feeds) await rewriter.resolve(site.base + feed)
  await writeNotFoundPage()
  await writeQueuedPages()
  const redirects = await writeRedirects()
  let searchBytes = 0
  for (const [name, text] of index.finish(Math.max(minIndexBytes, Math.floor(textBytes / 3)))) {
    searchBytes += byteLength(text)
    await write(`${searchPath}/${name}`, text)
  }
  await requireOpen()
  await write('.nojekyll', '')
  await write(exportMarker, `${JSON.stringify({ site: site.title, pages: listed.length })}\n`)
  await done()
  const { files, bytes } = folder
  const missing = [...rewriter.brokenLinks]
  return { pages: listed.length, files, bytes, redirects, searchBytes, textBytes, missing }

  async function requireOpen(): Promise<void> {
    if ((await fetchPath(site.base)).status !== 200) throw notOpen()
  }

  async function writePage({ path }: SiteAddress, response: ExportedResponse): Promise<void> {
    const name = `${pageName(path)}index.html`
    if (response.status === 200) await write(name, await rewrite(name, response))
  }

  /** Writes pages that are in no table of contents and that other pages link to. */
  async function writeQueuedPages(): Promise<void> {
    for (let queue = rewriter.takeQueuedPages(); queue.length > 0; queue = rewriter.takeQueuedPages())
      for (const address of queue) await writePage(address, await fetchPath(address.href))
  }

  /** Writes the Markdown of a page and returns it as the site serves it. */
  async function writeMarkdown(
    { markdown: { path } }: ListedPage,
    response: ExportedResponse,
  ): Promise<string | undefined> {
    if (response.status !== 200) return undefined
    const name = markdownName(path)
    await write(name, await rewrite(name, response))
    return textOf(response)
  }

  function indexEntryOf({ visible, page, address }: ListedPage, text: string) {
    // A page generated from a specification has more searchable text than its Markdown.
    const searchText = visible.content.searchTexts?.get(page.id) ?? text
    const parsed = parsePage(searchText)
    const sections = collectSections(parsed.document, page.title)
    const otherTitles = [titleInLists(page), parsed.title?.text ?? ''].filter((one) => one !== page.title)
    const headings = sections.filter(({ anchor }) => anchor !== undefined).map(({ heading }) => heading)
    return {
      title: page.title,
      href: relativePath('', pageName(address.path)),
      headings: [...otherTitles, ...headings],
      body: sections.map(({ body }) => body).join('\n'),
    }
  }

  async function writeSearchPage(variant: Variant): Promise<void> {
    const root = belowBase(variant)
    const response = await fetchPath(`${site.base}${root}?q=`)
    if (response.status !== 200) return
    const name = `${pageName(root)}${searchPath}/index.html`
    const source = `${relativePath(name, searchScript.name)}?v=${version}&page#${site.variants.indexOf(variant)}`
    const markup = await rewrite(name, response)
    const script = `<script type="module" src="${escapeHtml(source)}"></script>\n</head>`
    await write(
      name,
      markup
        .toString()
        .replace('</head>', () => script)
        .replace('</main>', () => '<noscript><p>This search needs JavaScript.</p></noscript></main>'),
    )
  }

  /** Servers return it for paths of any depth: a script finds the top of the export. */
  async function writeNotFoundPage(): Promise<void> {
    const markup = await rewrite('404.html', await fetchPath(`${site.base}~octavo/nothing-here`))
    const script = `<script>${notFoundScript(publicUrl)}</script>\n</head>`
    await write(
      '404.html',
      markup.toString().replace('</head>', () => script),
    )
  }

  /** Writes a forwarding page for each address that the site redirects, and `_redirects` for servers that read it; returns their number. */
  async function writeRedirects(): Promise<number> {
    const lines: string[] = []
    const top = publicUrl === undefined ? '/' : new URL(publicUrl).pathname
    for (const path of await listRedirectingPaths(services, addressed, { site, contents, pagesOf })) {
      const { address } = parse(site.base + path)
      if (address === undefined || address.path === '') continue
      const { status, location } = await fetchPath(address.href)
      const name = `${pageName(address.path)}index.html`
      if (location === undefined || written.has(name)) continue
      const isExternal = parse(location).address === undefined
      const link = isExternal
        ? { target: { href: location }, fragment: '' }
        : await rewriter.resolve(location)
      if (link === undefined) continue
      // A name with a number appended, because another address has the plain one, is at no address that readers use.
      if (name === `${decodePercent(trimBothOf(address.path, '/'))}/index.html`)
        await write(name, forwardingPage(rewriter.relativeHref(name, link)))
      const to =
        'href' in link.target
          ? link.target.href
          : top + relativePath('', link.target.name).replace(/^\.\/$/, '')
      lines.push(`${top}${trimBothOf(address.path, '/')} ${to}${link.fragment} ${status}`)
    }
    await writeQueuedPages()
    if (lines.length > 0) await write('_redirects', `${lines.join('\n')}\n`)
    return lines.length
  }
}

/** Lists the pages that a reader may read, hidden ones too, and registers them with the link rewriter. */
async function listPages(
  { services }: StaticExportRequest,
  { site }: FetchableSite,
  { parse, register, pageName, markdownName }: LinkRewriter,
) {
  const listed: ListedPage[] = []
  const contents: VisibleContent[] = []
  const pagesOf = new Map<string, string[]>()
  for (const variant of site.variants) {
    const visible = await openContent(services, site, variant)
    const paths: string[] = []
    contents.push(visible)
    pagesOf.set(variant.id, paths)
    const { linker, content } = visible
    const tree = await content.run(pageTree(content.revision.snapshot))
    for (const [page, isSearchable] of openPages(visible, tree)) {
      if (!isReadable(page)) continue
      const { address } = parse(linker.page(page))
      const { address: markdown } = parse(linker.markdown(page))
      if (address === undefined || markdown === undefined) continue
      register(address.href, { name: pageName(address.path) })
      register(markdown.href, { name: markdownName(markdown.path) })
      listed.push({ visible, page, address, markdown, isSearchable })
      paths.push(encodePath(page.path))
    }
  }
  return { listed, contents, pagesOf }
}

/** Yields the pages of a tree, each with whether search finds it. */
function* openPages(
  visible: VisibleContent,
  nodes: readonly PageNode[],
  isSearchable = true,
): Generator<readonly [PageRecord, boolean]> {
  for (const { page, children } of nodes) {
    const isChildSearchable = isSearchable && !(page.type === 'document' && page.noIndex === true)
    if (isVisible(visible, page)) yield [page, isChildSearchable]
    yield* openPages(visible, children, isChildSearchable)
  }
}

/** Writes files concurrently with the rendering of the next page; none twice. */
function createWriter(folder: ExportFolder) {
  const written = new Set<string>()
  const writing = new Set<Promise<void>>()
  return {
    written,
    async write(name: string, content: string | Uint8Array): Promise<void> {
      if (written.has(name)) return
      written.add(name)
      if (writing.size >= maxConcurrentWrites) await Promise.race(writing)
      const one = folder.write(name, content).then(() => void writing.delete(one))
      // Awaited by the next write or `done`: a rejection before that is not unhandled.
      one.catch(() => {})
      writing.add(one)
    },
    done: async () => void (await Promise.all(writing)),
  }
}

function shortHash(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}

function forwardingPage(target: string): string {
  const href = escapeHtml(target)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Moved</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${href}"></head>
<body><p><a href="${href}">This page has moved.</a></p></body></html>
`
}
