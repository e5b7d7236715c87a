/**
 * A path below a site's base, answered: the one way into this floor.
 *
 * Who may read the site has been decided, and sending, caching and headers belong to whoever asks. An
 * answer follows from the site's fingerprint, the variant's revision and the address alone, except for
 * searches, so everything else may be kept under these.
 */
import type { Visitor } from '../core/visitor/visitor.js'
import type { Services } from '../access/route/scope.js'
import { ApiError } from '../contract/errors.js'
import type { SiteScript } from '../contract/site-scripts.js'
import { readFullText } from './feeds/llms-full.js'
import { formatLlms } from './feeds/llms.js'
import { readMarkdown } from './feeds/markdown.js'
import { formatMissing } from './feeds/missing.js'
import { formatRobots } from './feeds/robots.js'
import { readRss } from './feeds/rss.js'
import { formatSitemap, formatSitemapIndex } from './feeds/sitemap.js'
import { readWhole } from './feeds/listed-pages.js'
import { renderBranch } from './layout/navigation.js'
import { errorPage, notFoundPage } from './layout/other-pages.js'
import { type SearchResults, searchPage } from './layout/search-page.js'
import type { SiteView } from './layout/view.js'
import { wordsIn } from './words/words.js'
import { pictureOf, signOf } from './pages/social-image.js'
import { type ShownContent, contentLanguage, openContent, readAncestors } from './pages/content.js'
import { findPlace } from './pages/find-place.js'
import { readBranch, readNavigation, titleInLists } from './pages/navigation.js'
import { readOffered } from './pages/offered-text.js'
import { renderPageDocument } from './pages/page.js'
import { longestQuery, searchSite } from './pages/search.js'
import { sheetOf } from './pages/customized.js'
import { findSimilar } from './pages/similar.js'
import { type Assets, frameOf, siteView } from './pages/site-view.js'
import { variantsInLanguageOf, variantsInOtherLanguages } from './routing/languages.js'
import { belowBase } from './routing/linker.js'
import { type Choice, type Feed, meaningOf } from './routing/match-path.js'
import type { ShownSite, Variant } from './routing/site.js'

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Where a redirect leads. */
  readonly location?: string
  /** False for what crawlers shall not keep, whatever they find in it. */
  readonly isIndexed: boolean
  /** True for what shows words of the request. */
  readonly repeatsRequest?: true
  /** False for what may be answered in full another time, and is not kept. */
  readonly isFinal?: false
  /** True when others may have been answered first: who may read is looked at once more. */
  readonly hasWaited?: true
  /** True when another form is answered to who takes one: see `wantsMarkdown`. */
  readonly hasForms?: true
  /** True for what never changes under its address. */
  readonly isForEver?: true
  /** Origins that a page may ask besides its own. */
  readonly connects?: readonly string[]
  /** Scripts of others that a page runs. */
  readonly scripts?: readonly SiteScript[]
}

export interface Asked {
  /** Below the base, percent-encoded, without leading slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** Who asks, as far as the site is told. */
  readonly visitor: Visitor
  /** True for programs that would rather have a page as Markdown. */
  readonly wantsMarkdown?: boolean
  /** Aborted when whoever asks has gone. */
  readonly signal: AbortSignal
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
    const frame = frameOf(site, assets)
    const words = wordsIn(frame.language)
    const body = errorPage(frame, { title: words.addressTooLong, message: words.addressTooLongMessage })
    return { status: 400, contentType: htmlType, body, isIndexed: false }
  }
  const meaning = meaningOf(site, path)
  if (meaning.kind === 'feed')
    return (await answerFeed(services, site, meaning.feed, asked.signal)) ?? nothingHere(site, assets)
  if (meaning.kind === 'nothing' || meaning.kind === 'told') return nothingHere(site, assets)
  // Bytes are sent by whoever asks, who knows where they are.
  if (meaning.kind === 'file' || meaning.kind === 'specification') return nothingHere(site, assets)
  if (meaning.kind === 'sheet') return answerSheet(site, meaning.hash) ?? nothingHere(site, assets)
  if (meaning.kind === 'visitor') return answerVisitor(asked.visitor)
  const { choice } = meaning
  if (meaning.kind === 'variant')
    return redirectTo(site.base + belowBase(choice.variant) + choice.rest, true, query)

  if (meaning.kind === 'mcp') return offersTools(site) ? toolsHere(site) : nothingHere(site, assets)

  if (meaning.kind === 'sign') return answerPicture(site, await signOf(services, site, asked.signal))

  const shown = await openContent(services, site, choice.variant)
  if (meaning.kind === 'picture') {
    const picture = await pictureOf(services, shown, meaning.pageId, asked.signal)
    return picture === undefined ? nothingHere(site, assets) : answerPicture(site, picture)
  }
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
    return { status: 200, contentType, body, isIndexed: false, repeatsRequest: true, hasWaited: true }
  }
  const answer = await answerPage(services, shown, { ...asked, choice, search }, assets)
  return { ...answer, ...allowedOn(site, answer) }
}

/** Returns the scripts that an answer may run: pages around content of the site name them. */
export function allowedOn(
  { scripts }: ShownSite,
  { contentType }: Pick<Answer, 'contentType'>,
): Pick<Answer, 'scripts'> {
  return scripts.length > 0 && contentType === htmlType ? { scripts } : {}
}

function answerPicture({ visibility }: ShownSite, picture: Uint8Array | 'busy'): Answer {
  if (picture === 'busy') {
    const body = 'Too many pictures are drawn: ask again in a moment.\n'
    return { status: 503, contentType: 'text/plain; charset=utf-8', body, isIndexed: false }
  }
  const isIndexed = visibility === 'public'
  return { status: 200, contentType: 'image/png', body: picture, isIndexed, hasWaited: true }
}

/** Tells somebody what the site was told of them; an adaptive one, what it knows. */
function answerVisitor({ claims, unsigned }: Visitor): Answer {
  const body = JSON.stringify({ visitor: { claims: { ...claims, unsigned } } })
  const contentType = 'application/json; charset=utf-8'
  return { status: 200, contentType, body, isIndexed: false, repeatsRequest: true }
}

/** The page of results; where there are none because too many search, a page that says so. */
async function answerResults(view: SiteView, search: () => Promise<SearchResults>): Promise<Answer> {
  const answer = (status: number, body: string): Answer => {
    return { status, contentType: htmlType, body, isIndexed: false, repeatsRequest: true, hasWaited: true }
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
  shown: ShownContent,
  asked: Asked & { readonly choice: Choice; readonly search: () => Promise<SearchResults> },
  assets: Assets,
): Promise<Answer> {
  const { site } = shown
  const { query, choice, wantsMarkdown } = asked
  const isSearched = query.has('q')
  // Also in a space without pages.
  if (isSearched && choice.rest === '') return answerResults(siteView(shown, assets), asked.search)
  const place = await findPlace(services, shown, asked)
  if (place.kind === 'missing') return answerMissing(services, shown, asked, assets)
  // What is elsewhere has a query of its own.
  if (place.kind === 'led')
    return redirectTo(place.href, place.isPermanent, place.isElsewhere ? undefined : query)
  if (place.kind === 'rss') {
    const rss = await readRss(shown, place.page)
    if (rss === undefined) return answerMissing(services, shown, asked, assets)
    return made(rss.text, 'application/rss+xml; charset=utf-8', rss)
  }
  if (isSearched && place.kind === 'page') return answerResults(siteView(shown, assets), asked.search)
  if (place.kind === 'markdown' || wantsMarkdown === true) {
    const { text, isFinal } = await readMarkdown(shown, place.page)
    return {
      ...made(text, markdownType, { isFinal }),
      ...(place.kind === 'page' && { hasForms: true }),
    }
  }
  const { html, isFinal, connects } = await renderPageDocument(services, shown, place.page, assets)
  return {
    ...made(html, htmlType, { isFinal, isIndexed: site.visibility === 'public' }),
    hasForms: true,
    ...(connects.length > 0 && { connects }),
  }
}

function made(
  body: string,
  contentType: string,
  { isFinal, isIndexed = false }: { readonly isFinal: boolean; readonly isIndexed?: boolean },
): Answer {
  return { status: 200, contentType, body, isIndexed, ...(!isFinal && { isFinal }) }
}

/**
 * No page stands at the address: those like it are named. Programs that ask for Markdown get a note that they read,
 * since many of them read nothing of what is answered with an error.
 */
async function answerMissing(
  services: Services,
  shown: ShownContent,
  { choice, wantsMarkdown, signal }: Asked & { readonly choice: Choice },
  assets: Assets,
): Promise<Answer> {
  // In a large space the index is asked.
  const waited = shown.tree === undefined ? ({ hasWaited: true } as const) : {}
  const similar = await findSimilar(services, shown, { path: choice.rest, signal })
  if (wantsMarkdown === true || /\.md$/i.test(choice.rest)) {
    const body = formatMissing(shown.site, similar)
    const about = { contentType: markdownType, isIndexed: false, isFinal: false, hasForms: true } as const
    return { status: 200, body, ...about, ...waited }
  }
  const suggestions = await Promise.all(
    similar.map(async (one) => ({
      title: titleInLists(one.page),
      href: one.shown.linker.page(one.page),
      path: [
        ...(one.shown.variant === shown.variant ? [] : [one.shown.variant.title]),
        ...(await readAncestors(one.shown, one.page)).map(titleInLists),
      ],
    })),
  )
  const body = notFoundPage(siteView(shown, assets), await readNavigation(shown, []), suggestions)
  return { status: 404, contentType: htmlType, body, isIndexed: false, hasForms: true, ...waited }
}

/** A sheet is named by its content: a browser that has it need not ask again. */
function answerSheet({ customization, looks }: ShownSite, hash: string): Answer | undefined {
  const look = [customization, ...looks.values()].find((one) => sheetOf(one).hash === hash)
  if (look === undefined) return undefined
  const body = sheetOf(look).css
  return { status: 200, contentType: 'text/css; charset=utf-8', body, isIndexed: false, isForEver: true }
}

/** What a program puts into the tree of a page that has it open. */
async function answerBranch(shown: ShownContent, path: string, assets: Assets): Promise<Answer> {
  const nodes = await readBranch(shown, path)
  if (nodes === undefined) return nothingHere(shown.site, assets)
  return {
    status: 200,
    contentType: htmlType,
    body: renderBranch(nodes, contentLanguage(shown)),
    isIndexed: false,
  }
}

/** What stands beside the pages; undefined for what is not there. */
async function answerFeed(
  services: Services,
  site: ShownSite,
  feed: Feed,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const text = (body: string, contentType: string): Answer => ({
    status: 200,
    contentType: `${contentType}; charset=utf-8`,
    body,
    isIndexed: site.visibility === 'public',
  })
  const read = async (variant: Variant) => readWhole(await openContent(services, site, variant))
  switch (feed.name) {
    case 'robots.txt':
      return text(formatRobots(site), 'text/plain')
    case 'sitemap.xml':
      // A site that is not for crawlers does not list its pages for them either.
      return site.visibility === 'public' ? text(formatSitemapIndex(site), 'application/xml') : undefined
    case 'sitemap-pages.xml':
      if (site.visibility !== 'public' || feed.variant.isHidden) return undefined
      return text(await formatSitemap(await read(feed.variant)), 'application/xml')
    case 'llms.txt': {
      const { variant } = feed
      const told = variant === undefined ? [] : variantsInLanguageOf(site, variant)
      const others = variant === undefined ? [] : variantsInOtherLanguages(site, variant)
      const contents = await Promise.all(told.map(read))
      return text(await formatLlms({ site, variant, contents, others }), 'text/markdown')
    }
    case 'llms-full.txt': {
      const written = await readFullText(services, site, { ...feed, signal })
      if (written === undefined) return undefined
      if (written === 'busy') {
        const body = 'Too many are reading whole sites: ask again in a moment.\n'
        return { ...text(body, 'text/plain'), status: 503, isIndexed: false }
      }
      const { isFinal } = written
      return { ...text(written.text, 'text/markdown'), hasWaited: true, ...(!isFinal && { isFinal }) }
    }
    case '~octavo/theme.css':
      return text(sheetOf(site.customization).css, 'text/css')
  }
}

/** True when language models may ask the site itself. */
export function offersTools({ customization }: ShownSite): boolean {
  return customization.pageActions.mcp
}

/** Messages are sent there; whoever only looks is told so. */
function toolsHere({ url }: ShownSite): Answer {
  const body = `Language models ask this site here, by the Model Context Protocol over HTTP: ${url}~octavo/mcp\n`
  return { status: 405, contentType: 'text/plain; charset=utf-8', body, isIndexed: false }
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
