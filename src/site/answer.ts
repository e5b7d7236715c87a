/**
 * Request handler of a published site: the response to a path below the site's base, and the only entry point of this
 * folder.
 *
 * The caller has authorized the reader, and does sending, caching and headers. A response depends on the site's
 * fingerprint, the variant's revision and the address alone, except for searches, so all others may be cached under
 * these as key.
 */
import type { Visitor } from '../core/visitor/visitor.js'
import type { Services } from '../access/route/scope.js'
import { ApiError } from '../contract/errors.js'
import type { SiteScript } from '../contract/site-scripts.js'
import { readFullText } from './feeds/llms-full.js'
import { formatLlms } from './feeds/llms.js'
import { readMarkdown } from './feeds/markdown.js'
import { formatNotFoundNote } from './feeds/not-found-note.js'
import { formatRobots } from './feeds/robots.js'
import { readRss } from './feeds/rss.js'
import { formatSitemap, formatSitemapIndex } from './feeds/sitemap.js'
import { readWithTree } from './feeds/listed-pages.js'
import { renderBranch } from './layout/navigation.js'
import { errorPage, notFoundPage } from './layout/message-pages.js'
import { type SearchResults, searchPage } from './layout/search-page.js'
import type { SiteView } from './layout/view.js'
import { wordsIn } from './words/words.js'
import { renderSocialImage, renderSiteIcon } from './pages/social-image.js'
import { type VisibleContent, contentLanguage, openContent, readAncestors } from './pages/content.js'
import { resolvePath } from './pages/resolve-path.js'
import { readBranch, readNavigation, titleInLists } from './pages/navigation.js'
import { readTextDownload } from './pages/text-download.js'
import { renderPageDocument } from './pages/page.js'
import { maxQueryLength, searchSite } from './pages/search.js'
import { themeSheet } from './pages/customization-view.js'
import { findSimilar } from './pages/similar.js'
import { type Assets, siteFrame, siteView } from './pages/site-view.js'
import { variantsInLanguageOf, variantsInOtherLanguages } from './routing/languages.js'
import { belowBase } from './routing/linker.js'
import { type VariantChoice, type Feed, matchPath } from './routing/match-path.js'
import type { PublishedSite, Variant } from './routing/site.js'

export interface SiteResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Target of a redirect. */
  readonly location?: string
  /** False for what crawlers must not index, whatever its markup says. */
  readonly isIndexed: boolean
  /** True when the body contains text of the request. */
  readonly echoesRequest?: true
  /** False for an incomplete response: a later one may be complete, so it is not cached. */
  readonly isFinal?: false
  /** True when the response waited in a queue: the reader's access is checked again before it is sent. */
  readonly needsAccessRecheck?: true
  /** True when the response depends on the accepted content type: see `wantsMarkdown`. */
  readonly variesByAccept?: true
  /** True when the content of this address never changes. */
  readonly isImmutable?: true
  /** True for pages that other pages of their origin may frame. */
  readonly isFramable?: true
  /** Origins that the page may connect to besides its own. */
  readonly connects?: readonly string[]
  /** Third-party scripts that the page runs. */
  readonly scripts?: readonly SiteScript[]
}

export interface SiteRequest {
  /** Below the base, percent-encoded, without leading slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** The visitor, as far as the site knows them. */
  readonly visitor: Visitor
  /** True for clients that prefer Markdown. */
  readonly wantsMarkdown?: boolean
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
}

const htmlType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'
/** Longer paths match nothing; in UTF-16 units. */
const maxPathLength = 2048

/** Returns the response to a request to the site. No request makes it throw. */
export async function answerSite(
  services: Services,
  site: PublishedSite,
  request: SiteRequest,
  assets: Assets,
): Promise<SiteResponse> {
  const { path, query } = request
  if (path.length > maxPathLength) {
    const frame = siteFrame(site, assets)
    const words = wordsIn(frame.language)
    const body = errorPage(frame, { title: words.addressTooLong, message: words.addressTooLongMessage })
    return { status: 400, contentType: htmlType, body, isIndexed: false }
  }
  const match = matchPath(site, path)
  if (match.kind === 'feed')
    return (await answerFeed(services, site, match.feed, request.signal)) ?? notFound(site, assets)
  if (match.kind === 'none' || match.kind === 'beacon') return notFound(site, assets)
  // The caller sends files: it knows where their bytes are stored.
  if (match.kind === 'file' || match.kind === 'specification') return notFound(site, assets)
  if (match.kind === 'stylesheet') return answerStylesheet(site, match.hash) ?? notFound(site, assets)
  if (match.kind === 'visitor') return answerVisitor(request.visitor)
  const { choice } = match
  if (match.kind === 'variant')
    return redirectTo(site.base + belowBase(choice.variant) + choice.rest, true, query)

  if (match.kind === 'mcp') return offersMcp(site) ? mcpNotice(site) : notFound(site, assets)

  if (match.kind === 'icon') return answerImage(site, await renderSiteIcon(services, site, request.signal))

  const visible = await openContent(services, site, choice.variant)
  if (match.kind === 'picture') {
    const image = await renderSocialImage(services, visible, match.pageId, request.signal)
    return image === undefined ? notFound(site, assets) : answerImage(site, image)
  }
  if (match.kind === 'branch') return answerBranch(visible, match.path, assets)
  if (match.kind === 'text') {
    const text = await readTextDownload(visible, match.download)
    if (text === undefined) return notFound(site, assets)
    return { status: 200, contentType: markdownType, body: text, isIndexed: false }
  }
  const search = () =>
    searchSite(services, visible, {
      query: (query.get('q') ?? '').slice(0, maxQueryLength),
      page: Number(query.get('page')),
      signal: request.signal,
    })
  if (match.kind === 'search') {
    const body = JSON.stringify(await search())
    const contentType = 'application/json; charset=utf-8'
    return { status: 200, contentType, body, isIndexed: false, echoesRequest: true, needsAccessRecheck: true }
  }
  const answer = await answerPage(services, visible, { ...request, choice, search }, assets)
  return { ...answer, ...allowedScripts(site, answer), ...(site.isFramable && { isFramable: true }) }
}

/** Returns the scripts that a response may run: HTML pages of a site with scripts have some. */
export function allowedScripts(
  { scripts }: PublishedSite,
  { contentType }: Pick<SiteResponse, 'contentType'>,
): Pick<SiteResponse, 'scripts'> {
  return scripts.length > 0 && contentType === htmlType ? { scripts } : {}
}

function answerImage({ visibility }: PublishedSite, image: Uint8Array | 'busy'): SiteResponse {
  if (image === 'busy') {
    const body = 'Too many pictures are drawn: ask again in a moment.\n'
    return { status: 503, contentType: 'text/plain; charset=utf-8', body, isIndexed: false }
  }
  const isIndexed = visibility === 'public'
  return { status: 200, contentType: 'image/png', body: image, isIndexed, needsAccessRecheck: true }
}

/** The visitor's own claims as the site received them; on an adaptive site, as cut by its schema. */
function answerVisitor({ claims, unsigned }: Visitor): SiteResponse {
  const body = JSON.stringify({ visitor: { claims: { ...claims, unsigned } } })
  const contentType = 'application/json; charset=utf-8'
  return { status: 200, contentType, body, isIndexed: false, echoesRequest: true }
}

/** The page of results, or an error page while the search is overloaded. */
async function answerResults(view: SiteView, search: () => Promise<SearchResults>): Promise<SiteResponse> {
  const answer = (status: number, body: string): SiteResponse => {
    return {
      status,
      contentType: htmlType,
      body,
      isIndexed: false,
      echoesRequest: true,
      needsAccessRecheck: true,
    }
  }
  try {
    return answer(200, searchPage(view, await search()))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const words = wordsIn(view.language)
    const page = { title: words.searchBusy, message: words.searchBusyMessage }
    return answer(error.status, errorPage(view, page))
  }
}

async function answerPage(
  services: Services,
  visible: VisibleContent,
  request: SiteRequest & { readonly choice: VariantChoice; readonly search: () => Promise<SearchResults> },
  assets: Assets,
): Promise<SiteResponse> {
  const { site } = visible
  const { query, choice, wantsMarkdown } = request
  const isSearch = query.has('q')
  // Also in a space without pages.
  if (isSearch && choice.rest === '') return answerResults(siteView(visible, assets), request.search)
  const resolved = await resolvePath(services, visible, request)
  if (resolved.kind === 'missing') return answerMissing(services, visible, request, assets)
  // An external target has a query of its own.
  if (resolved.kind === 'redirect')
    return redirectTo(resolved.href, resolved.isPermanent, resolved.isExternal ? undefined : query)
  if (resolved.kind === 'rss') {
    const rss = await readRss(visible, resolved.page)
    if (rss === undefined) return answerMissing(services, visible, request, assets)
    return okResponse(rss.text, 'application/rss+xml; charset=utf-8', rss)
  }
  if (isSearch && resolved.kind === 'page') return answerResults(siteView(visible, assets), request.search)
  if (resolved.kind === 'markdown' || wantsMarkdown === true) {
    const { text, isFinal } = await readMarkdown(visible, resolved.page)
    return {
      ...okResponse(text, markdownType, { isFinal }),
      ...(resolved.kind === 'page' && { variesByAccept: true }),
    }
  }
  const { html, isFinal, connects } = await renderPageDocument(services, visible, resolved.page, assets)
  return {
    ...okResponse(html, htmlType, { isFinal, isIndexed: site.visibility === 'public' }),
    variesByAccept: true,
    ...(connects.length > 0 && { connects }),
  }
}

function okResponse(
  body: string,
  contentType: string,
  { isFinal, isIndexed = false }: { readonly isFinal: boolean; readonly isIndexed?: boolean },
): SiteResponse {
  return { status: 200, contentType, body, isIndexed, ...(!isFinal && { isFinal }) }
}

/**
 * Not found: names pages with similar addresses. Clients that ask for Markdown get a note with status 200, since many of
 * them ignore the body of an error.
 */
async function answerMissing(
  services: Services,
  visible: VisibleContent,
  { choice, wantsMarkdown, signal }: SiteRequest & { readonly choice: VariantChoice },
  assets: Assets,
): Promise<SiteResponse> {
  // In a large space this queries the search index.
  const recheck = visible.tree === undefined ? ({ needsAccessRecheck: true } as const) : {}
  const similar = await findSimilar(services, visible, { path: choice.rest, signal })
  if (wantsMarkdown === true || /\.md$/i.test(choice.rest)) {
    const body = formatNotFoundNote(visible.site, similar)
    const about = {
      contentType: markdownType,
      isIndexed: false,
      isFinal: false,
      variesByAccept: true,
    } as const
    return { status: 200, body, ...about, ...recheck }
  }
  const suggestions = await Promise.all(
    similar.map(async (one) => ({
      title: titleInLists(one.page),
      href: one.visible.linker.page(one.page),
      path: [
        ...(one.visible.variant === visible.variant ? [] : [one.visible.variant.title]),
        ...(await readAncestors(one.visible, one.page)).map(titleInLists),
      ],
    })),
  )
  const body = notFoundPage(siteView(visible, assets), await readNavigation(visible, []), suggestions)
  return { status: 404, contentType: htmlType, body, isIndexed: false, variesByAccept: true, ...recheck }
}

/** A style sheet is named by its content hash, so browsers cache it for ever. */
function answerStylesheet(
  { customization, variantCustomizations }: PublishedSite,
  hash: string,
): SiteResponse | undefined {
  const themed = [customization, ...variantCustomizations.values()].find(
    (one) => themeSheet(one).hash === hash,
  )
  if (themed === undefined) return undefined
  const body = themeSheet(themed).css
  return { status: 200, contentType: 'text/css; charset=utf-8', body, isIndexed: false, isImmutable: true }
}

/** A branch of the navigation tree, as HTML that the browser program inserts. */
async function answerBranch(visible: VisibleContent, path: string, assets: Assets): Promise<SiteResponse> {
  const nodes = await readBranch(visible, path)
  if (nodes === undefined) return notFound(visible.site, assets)
  return {
    status: 200,
    contentType: htmlType,
    body: renderBranch(nodes, contentLanguage(visible)),
    isIndexed: false,
  }
}

/** Feeds and other files for programs; undefined where the site has none. */
async function answerFeed(
  services: Services,
  site: PublishedSite,
  feed: Feed,
  signal: AbortSignal,
): Promise<SiteResponse | undefined> {
  const text = (body: string, contentType: string): SiteResponse => ({
    status: 200,
    contentType: `${contentType}; charset=utf-8`,
    body,
    isIndexed: site.visibility === 'public',
  })
  const read = async (variant: Variant) => readWithTree(await openContent(services, site, variant))
  switch (feed.name) {
    case 'robots.txt':
      return text(formatRobots(site), 'text/plain')
    case 'sitemap.xml':
      // A site that is not public lists no pages for crawlers.
      return site.visibility === 'public' ? text(formatSitemapIndex(site), 'application/xml') : undefined
    case 'sitemap-pages.xml':
      if (site.visibility !== 'public' || feed.variant.isHidden) return undefined
      return text(await formatSitemap(await read(feed.variant)), 'application/xml')
    case 'llms.txt': {
      const { variant } = feed
      const listed = variant === undefined ? [] : variantsInLanguageOf(site, variant)
      const others = variant === undefined ? [] : variantsInOtherLanguages(site, variant)
      const contents = await Promise.all(listed.map(read))
      return text(await formatLlms({ site, variant, contents, others }), 'text/markdown')
    }
    case 'llms-full.txt': {
      const fullText = await readFullText(services, site, { ...feed, signal })
      if (fullText === undefined) return undefined
      if (fullText === 'busy') {
        const body = 'Too many are reading whole sites: ask again in a moment.\n'
        return { ...text(body, 'text/plain'), status: 503, isIndexed: false }
      }
      const { isFinal } = fullText
      return {
        ...text(fullText.text, 'text/markdown'),
        needsAccessRecheck: true,
        ...(!isFinal && { isFinal }),
      }
    }
    case '~octavo/theme.css':
      return text(themeSheet(site.customization).css, 'text/css')
  }
}

/** True when the site serves the Model Context Protocol. */
export function offersMcp({ customization }: PublishedSite): boolean {
  return customization.pageActions.mcp
}

/** The MCP endpoint takes messages by POST; a GET is answered with 405. */
function mcpNotice({ url }: PublishedSite): SiteResponse {
  const body = `Language models ask this site here, by the Model Context Protocol over HTTP: ${url}~octavo/mcp\n`
  return { status: 405, contentType: 'text/plain; charset=utf-8', body, isIndexed: false }
}

function notFound(site: PublishedSite, assets: Assets): SiteResponse {
  return {
    status: 404,
    contentType: htmlType,
    body: notFoundPage(siteFrame(site, assets)),
    isIndexed: false,
  }
}

/** `isPermanent`: the same page under its canonical address. The request's query is appended. */
export function redirectTo(href: string, isPermanent: boolean, query = new URLSearchParams()): SiteResponse {
  const [path, fragment] = href.split('#') as [string, string?]
  const request = query.size > 0 ? `?${query.toString()}` : ''
  return {
    status: isPermanent ? 308 : 307,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    location: path + request + (fragment === undefined ? '' : `#${fragment}`),
    isIndexed: false,
  }
}
