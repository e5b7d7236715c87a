/**
 * A path below a site's base, answered: the one way into this floor.
 *
 * Who may read the site has been decided, and sending, caching and headers belong to whoever asks. An
 * answer follows from the site's fingerprint, the variant's revision and the address alone, except for
 * searches, so everything else may be kept under these.
 */
import { pageTree } from '../core/pages/read.js'
import type { Visitor } from '../core/visitor/visitor.js'
import type { Services } from '../access/route/scope.js'
import { ApiError } from '../contract/errors.js'
import { formatLlms } from './feeds/llms.js'
import { readMarkdown } from './feeds/markdown.js'
import { formatRobots } from './feeds/robots.js'
import { formatSitemap } from './feeds/sitemap.js'
import { renderBranch } from './layout/navigation.js'
import { errorPage, notFoundPage } from './layout/other-pages.js'
import { type SearchResults, searchPage } from './layout/search-page.js'
import type { SiteView } from './layout/view.js'
import { type ShownContent, isOpen, openContent } from './pages/content.js'
import { readBranch, readNavigation } from './pages/navigation.js'
import { readOffered } from './pages/offered-text.js'
import { renderPageDocument } from './pages/page.js'
import { findFormer, findSiteRedirect } from './pages/site-redirect.js'
import { longestQuery, searchSite } from './pages/search.js'
import { type Assets, frameOf, siteStylesheet, siteView } from './pages/site-view.js'
import { findDestination } from './routing/destination.js'
import { belowBase } from './routing/linker.js'
import { type Choice, type Feed, meaningOf } from './routing/meaning.js'
import type { ShownSite, Variant } from './routing/site.js'

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  /** Where a redirect leads. */
  readonly location?: string
  /** False for what crawlers shall not keep, whatever they find in it. */
  readonly isIndexed: boolean
  /** True for what shows words of the request. */
  readonly repeatsRequest?: true
  /** False for what may be answered in full another time, and is not kept. */
  readonly isFinal?: false
}

export interface Asked {
  /** Below the base, percent-encoded, without leading slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** Who asks, as far as the site is told. */
  readonly visitor: Visitor
  /** Aborted when whoever asks has gone. */
  readonly signal: AbortSignal
}

/** True where the index is asked, of which the answer follows as well as from the site. */
export function isSearch(site: ShownSite, { path, query }: Pick<Asked, 'path' | 'query'>): boolean {
  return query.has('q') || meaningOf(site, path).kind === 'search'
}

const htmlType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'
/** Longer addresses name nothing; in UTF-16 units. */
const longestPath = 2048

/** Returns the answer to a request for something of the site. Never throws for what is asked. */
export async function answerSite(
  services: Services,
  site: ShownSite,
  asked: Asked,
  assets: Assets,
): Promise<Answer> {
  const { path, query } = asked
  if (path.length > longestPath) {
    const body = errorPage(frameOf(site, assets), {
      title: 'The address is too long',
      message: 'No page has an address as long as this one.',
    })
    return { status: 400, contentType: htmlType, body, isIndexed: false }
  }
  const meaning = meaningOf(site, path)
  if (meaning.kind === 'feed')
    return (await answerFeed(services, site, meaning.feed)) ?? nothingHere(site, assets)
  if (meaning.kind === 'nothing') return nothingHere(site, assets)
  if (meaning.kind === 'visitor') return answerVisitor(asked.visitor)
  const { choice } = meaning
  if (meaning.kind === 'variant')
    return redirectTo(site.base + belowBase(choice.variant) + choice.rest, true, query)

  const shown = await openContent(services, site, choice.variant)
  if (meaning.kind === 'branch') return answerBranch(shown, meaning.path, assets)
  if (meaning.kind === 'text') {
    const text = await readOffered(shown, meaning.offered)
    if (text === undefined) return nothingHere(site, assets)
    return { status: 200, contentType: markdownType, body: text, isIndexed: false }
  }
  const search = () =>
    searchSite(services, shown, {
      query: (query.get('q') ?? '').slice(0, longestQuery),
      page: Number(query.get('page')),
      signal: asked.signal,
    })
  if (meaning.kind === 'search') {
    const body = JSON.stringify(await search())
    const contentType = 'application/json; charset=utf-8'
    return { status: 200, contentType, body, isIndexed: false, repeatsRequest: true }
  }
  if (query.has('q') && choice.rest === '') {
    return answerResults(siteView(shown, assets), search)
  }
  return answerPage(services, shown, { path, query, choice }, assets)
}

/** Tells somebody what the site was told of them. */
function answerVisitor({ claims, unsigned }: Visitor): Answer {
  const body = JSON.stringify({ visitor: { claims: { ...claims, unsigned } } })
  const contentType = 'application/json; charset=utf-8'
  return { status: 200, contentType, body, isIndexed: false, repeatsRequest: true }
}

/** The page of results; where there are none because too many search, a page that says so. */
async function answerResults(view: SiteView, search: () => Promise<SearchResults>): Promise<Answer> {
  const answer = (status: number, body: string): Answer => {
    return { status, contentType: htmlType, body, isIndexed: false, repeatsRequest: true }
  }
  try {
    return answer(200, searchPage(view, await search()))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, message } = error
    return answer(status, errorPage(view, { title: 'The search did not answer', message }))
  }
}

async function answerPage(
  services: Services,
  shown: ShownContent,
  { path, query, choice }: Pick<Asked, 'path' | 'query'> & { readonly choice: Choice },
  assets: Assets,
): Promise<Answer> {
  const { content, linker, site } = shown
  const destination = await content.run(findDestination(content.revision.snapshot, linker, choice))
  if (destination.kind === 'redirect') return redirectTo(destination.href, destination.isSame, query)
  if (destination.kind === 'missing' || !isOpen(shown, destination.page)) {
    const former = await findFormer(services, site, path)
    if (former !== undefined) return redirectTo(former, false, query)
    const led = await findSiteRedirect(services, site, path)
    if (led !== undefined) return redirectTo(led.href, led.isPermanent, led.isElsewhere ? undefined : query)
    const body = notFoundPage(siteView(shown, assets), await readNavigation(shown, null))
    return { status: 404, contentType: htmlType, body, isIndexed: false }
  }
  const { page } = destination
  if (destination.kind === 'markdown') {
    const { text, isFinal } = await readMarkdown(shown, page)
    return {
      status: 200,
      contentType: markdownType,
      body: text,
      isIndexed: false,
      ...(!isFinal && { isFinal }),
    }
  }
  const { html, isFinal } = await renderPageDocument(shown, page, assets)
  const isIndexed = site.visibility === 'public'
  return { status: 200, contentType: htmlType, body: html, isIndexed, ...(!isFinal && { isFinal }) }
}

/** What a program puts into the tree of a page that has it open. */
async function answerBranch(shown: ShownContent, path: string, assets: Assets): Promise<Answer> {
  const nodes = await readBranch(shown, path)
  if (nodes === undefined) return nothingHere(shown.site, assets)
  return { status: 200, contentType: htmlType, body: renderBranch(nodes), isIndexed: false }
}

/** Hidden variants are read by those who have their address. */
function isFed({ isHidden }: Variant): boolean {
  return !isHidden
}

/** What stands beside the pages, at the root of the site. */
async function answerFeed(services: Services, site: ShownSite, feed: Feed): Promise<Answer | undefined> {
  const whole = async () =>
    Promise.all(
      site.variants.filter(isFed).map(async (variant) => {
        const shown = await openContent(services, site, variant)
        const { snapshot } = shown.content.revision
        return { shown, tree: shown.tree ?? (await shown.content.run(pageTree(snapshot))) }
      }),
    )
  const text = (body: string, contentType: string): Answer => ({
    status: 200,
    contentType: `${contentType}; charset=utf-8`,
    body,
    isIndexed: site.visibility === 'public',
  })
  switch (feed) {
    case 'robots.txt':
      return text(formatRobots(site), 'text/plain')
    case 'sitemap.xml':
      // A site that is not for crawlers does not list its pages for them either.
      return site.visibility === 'public' ? text(formatSitemap(await whole()), 'application/xml') : undefined
    case 'llms.txt':
      return text(formatLlms(site.title, await whole()), 'text/markdown')
    case '~octavo/theme.css':
      return text(siteStylesheet(site.customization), 'text/css')
  }
}

function nothingHere(site: ShownSite, assets: Assets): Answer {
  return {
    status: 404,
    contentType: htmlType,
    body: notFoundPage(frameOf(site, assets)),
    isIndexed: false,
  }
}

/** `isSame`: the address was only written otherwise. What was asked besides the path goes along. */
export function redirectTo(href: string, isSame: boolean, query = new URLSearchParams()): Answer {
  const [path, fragment] = href.split('#') as [string, string?]
  const asked = query.size > 0 ? `?${query.toString()}` : ''
  return {
    status: isSame ? 308 : 307,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    location: path + asked + (fragment === undefined ? '' : `#${fragment}`),
    isIndexed: false,
  }
}
