/**
 * Web crawler: fetches the pages of a site with limited concurrency, within its robots.txt rules and crawl delay.
 *
 * Every page is converted to Markdown as it arrives, its text is stored as an object, and the result is recorded in a
 * journal: a resumed crawl fetches only the URLs that the journal lacks. Other URLs of a page (redirects, canonical
 * URLs, duplicates) are recorded as aliases, so that every link resolves.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Hash } from '../../../core/ids.js'
import type { HtmlPage } from '../../../core/html/convert.js'
import type { NavigationItem } from '../../../core/html/navigation.js'
import { encodeText, hashOf } from '../../../store/content/encoding.js'
import type { TextReader } from '../../../store/reading/reader.js'
import { type Remote, RemoteError, type RemoteFile } from '../../../store/remote/remote.js'
import type { PageRelations } from '../page-relations.js'
import {
  type Site,
  createTrapDetector,
  isGeneratedIndex,
  isNonPage,
  pageKeyOf,
  normalizeUrl,
} from './site-urls.js'
import type { Robots } from './robots.js'

export interface CrawlLimits {
  readonly pages: number
  /** Maximum links from the first page. */
  readonly depth: number
  /** Bytes of one page, and milliseconds to fetch it. */
  readonly pageBytes: number
  readonly pageTimeout: number
  /** Concurrent requests, when the site sets no crawl delay. */
  readonly concurrency: number
}

/** A page whose text is stored. */
export interface FetchedPage {
  readonly kind: 'page'
  readonly address: string
  readonly title?: string
  readonly text: Hash
  readonly size: number
  readonly links: readonly string[]
  /** The link targets of its text. */
  readonly destinations: readonly string[]
  readonly parts: HtmlPage['parts']
  readonly canonical?: string
  /** Absent when an earlier page has the same menu. */
  readonly navigation?: readonly NavigationItem[]
  /** Absent when the page has no link relations. */
  readonly around?: PageRelations
  readonly embedded: readonly EmbeddedFile[]
  readonly lost: readonly string[]
}

export interface EmbeddedFile {
  readonly name: string
  readonly hash: Hash
  readonly size: number
}

/** The result of one URL. */
export type FetchResult =
  | FetchedPage
  /** The URL is an alias of the page with the key `to`. */
  | { readonly kind: 'alias'; readonly to: string; readonly address: string }
  /** The URL is not a page of the site; `problem` is reported when present. */
  | { readonly kind: 'none'; readonly address: string; readonly problem?: string }

export interface CrawlJournal {
  /** Results of an earlier, interrupted crawl, by key. */
  readonly results: ReadonlyMap<string, FetchResult>
  /** Records the result of a URL, with the bytes of its text. */
  recordResult(key: string, fetched: FetchResult, text?: Uint8Array): Promise<void>
  /** Stores a file that was embedded in a page. */
  storeFile(name: string, bytes: Uint8Array): Promise<EmbeddedFile>
}

export interface CrawlOptions {
  readonly remote: Remote
  readonly reader: Pick<TextReader, 'convert'>
  readonly site: Site
  readonly robots: Robots
  readonly start: URL
  /** More start URLs, from the sitemaps. */
  readonly seeds: readonly string[]
  readonly limits: CrawlLimits
  readonly journal: CrawlJournal
  readonly signal: AbortSignal
  readonly progress: (done: number, found: number) => void
}

export interface CrawlResult {
  /** Pages by key, the first page first. */
  readonly pages: ReadonlyMap<string, FetchedPage>
  /** The distinct menus of all pages, that of the first page first. */
  readonly menus: readonly (readonly NavigationItem[])[]
  /** Returns the key of the page that a URL refers to, undefined when it is not a page of the site. */
  pageOf(address: string): string | undefined
  /** Skipped URLs and the reasons. */
  readonly leftOut: readonly { readonly address: string; readonly problem: string }[]
}

/** Consecutive failures after which the site counts as unreachable. */
const maxFailures = 20
const maxTries = 3
/** Maximum `Retry-After` of a busy site, in seconds. */
const maxRetrySeconds = 60
/** Maximum URLs whose keys are memoized. */
const maxMemoizedKeys = 200_000
/** Skipped URLs that are reported one by one: as many as an import lists problems. */
const maxListedOmissions = 10_000

/**
 * Returns the pages of the site. Throws RemoteError when its first page cannot be fetched, or the site becomes
 * unreachable.
 */
export async function crawlSite(crawl: CrawlOptions): Promise<CrawlResult> {
  const { site, robots, journal, limits, signal } = crawl
  const fetched = new Map<string, FetchResult>()
  const leftOut: { address: string; problem: string }[] = []
  const queue: { readonly key: string; readonly url: URL; readonly depth: number }[] = []
  const queued = new Set<string>()
  const findTrap = createTrapDetector()
  const state: CrawlState = { ...crawl, queued, siteKeyOf: memoizeKeys(site), menus: new Set() }
  let done = 0
  let pages = 0
  let failures = 0
  let isPageLimitReported = false
  let unlisted = 0

  const leaveOut = (address: string, problem: string): void => {
    if (leftOut.length < maxListedOmissions) leftOut.push({ address, problem })
    else unlisted += 1
  }

  function enqueue(address: string, depth: number): void {
    const key = state.siteKeyOf(address)
    if (key === undefined || queued.has(key)) return
    const url = normalizeUrl(address)!
    if (isNonPage(url)) return void queued.add(key)
    if (limits.depth === 0 && depth > 0) return
    if (queued.size >= limits.pages * 4) return
    queued.add(key)
    if (depth > limits.depth) return leaveOut(url.href, 'It is too many links away: left out.')
    if (isGeneratedIndex(url) && depth > 0) {
      return leaveOut(url.href, 'Made by a program of the other pages, such as an index of words: left out.')
    }
    const trap = findTrap(url)
    if (trap !== undefined) return leaveOut(url.href, `${trap}: left out.`)
    if (!robots.mayFetch(url))
      return leaveOut(url.href, 'The robots.txt of the site does not allow it: left out.')
    queue.push({ key, url, depth })
  }

  async function visit({ key, url, depth }: (typeof queue)[number]): Promise<void> {
    const result = journal.results.get(key) ?? (await fetchPage(state, key, url))
    fetched.set(key, result)
    done += 1
    if (result.kind === 'alias') {
      // The target of the redirect was recorded under its own key.
      const reached = journal.results.get(result.to)
      if (reached !== undefined && !fetched.has(result.to)) {
        queued.add(result.to)
        await visit({ key: result.to, url: new URL(result.address), depth })
      } else enqueue(result.address, depth)
    } else if (result.kind === 'page') {
      pages += 1
      failures = 0
      for (const link of result.links) enqueue(link, depth + 1)
      if (result.canonical !== undefined) enqueue(result.canonical, depth)
    } else if (result.problem !== undefined) leaveOut(result.address, result.problem)
    crawl.progress(done, queue.length)
  }

  const running = new Set<Promise<void>>()
  const concurrency = robots.delay > 0 ? 1 : limits.concurrency
  const failed: unknown[] = []
  const fail = (item: (typeof queue)[number], error: unknown): void => {
    const isTransient = error instanceof RemoteError && item !== queue[0] && ++failures < maxFailures
    if (!isTransient) return void failed.push(error)
    done += 1
    leaveOut(item.url.href, `${sentence(error.message)}: left out.`)
  }
  enqueue(crawl.start.href, 0)
  for (const seed of crawl.seeds) enqueue(seed, 1)
  try {
    for (let next = 0; next < queue.length || running.size > 0;) {
      signal.throwIfAborted()
      if (failed.length > 0) throw failed[0]
      if (next === queue.length || running.size >= concurrency) {
        await Promise.race(running)
        continue
      }
      const item = queue[next]!
      next += 1
      if (pages + running.size >= limits.pages) {
        if (!isPageLimitReported)
          leaveOut(item.url.href, `The site has more than ${limits.pages} pages: the rest is left out.`)
        isPageLimitReported = true
        continue
      }
      const needsRequest = !journal.results.has(item.key)
      const visiting: Promise<void> = visit(item)
        .catch((error: unknown) => fail(item, error))
        .finally(() => running.delete(visiting))
      running.add(visiting)
      if (robots.delay === 0 || !needsRequest) continue
      await visiting
      await pause(robots.delay, undefined, { signal })
    }
    signal.throwIfAborted()
    if (failed.length > 0) throw failed[0]
  } finally {
    // No request outlives the call.
    await Promise.all(running)
  }
  if (unlisted > 0) leftOut.push({ address: crawl.start.href, problem: `${unlisted} more were left out.` })
  return resolveAliases(state, fetched, leftOut)
}

/** Returns why a redirect to this address was not followed. */
function refusedRedirect({ site, robots }: CrawlOptions, to: string): string {
  const url = new URL(to)
  if (!site.contains(url)) return `It redirects to ${to}, out of the site: left out.`
  return robots.mayFetch(url)
    ? `It redirects to ${to}, which is no page: left out.`
    : `It redirects to ${to}, which the robots.txt of the site does not allow: left out.`
}

/** Returns the result of a URL. The target of a redirect is recorded as well, unless it is queued. */
async function fetchPage(crawl: CrawlState, key: string, url: URL): Promise<FetchResult> {
  const { journal, queued } = crawl
  const result = await request(crawl, url).catch((error: unknown): FetchResult => {
    if (!(error instanceof RemoteError) || error.status === undefined) throw error
    if (error.redirectsTo !== undefined)
      return { kind: 'none', address: url.href, problem: refusedRedirect(crawl, error.redirectsTo) }
    // A server error means that the site is unreachable; a 404 is only a missing page.
    if (error.status >= 500 || error.status === 429) throw error
    return { kind: 'none', address: url.href, problem: `${sentence(error.message)}: left out.` }
  })
  if ('kind' in result) {
    await journal.recordResult(key, result)
    return result
  }
  const reached = normalizeUrl(result.url)!
  const reachedKey = pageKeyOf(reached)
  if (reachedKey !== key) {
    const alias = { kind: 'alias', to: reachedKey, address: result.url } as const
    await journal.recordResult(key, alias)
    if (!queued.has(reachedKey)) {
      queued.add(reachedKey)
      await recordPage(crawl, reachedKey, reached, result)
    }
    return alias
  }
  return recordPage(crawl, key, url, result)
}

async function recordPage(
  crawl: CrawlState,
  key: string,
  url: URL,
  result: RemoteFile,
): Promise<FetchResult> {
  const { journal, site, siteKeyOf, menus } = crawl
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(result.contentType || 'text/html')) {
    const none = { kind: 'none', address: url.href } as const
    await journal.recordResult(key, none)
    return none
  }
  const { bytes: html, contentType, url: address } = result
  const page = await crawl.reader.convert(html, { address, contentType })
  const refreshed = page.refresh === undefined ? undefined : normalizeUrl(page.refresh)
  if (refreshed !== undefined && site.contains(refreshed) && pageKeyOf(refreshed) !== key) {
    const alias = { kind: 'alias', to: pageKeyOf(refreshed), address: refreshed.href } as const
    await journal.recordResult(key, alias)
    return alias
  }
  const bytes = encodeText(page.markdown)
  const embedded: EmbeddedFile[] = []
  for (const { name, bytes: image } of page.embedded) embedded.push(await journal.storeFile(name, image))
  const menu = page.navigation.length === 0 ? '' : hashOf(Buffer.from(JSON.stringify(page.navigation)))
  const isNew = menu !== '' && !menus.has(menu)
  menus.add(menu)
  // Also when its page says so itself, in a few words for readers without such a browser.
  const leaves = refreshed !== undefined && !site.contains(refreshed)
  const lost = leaves ? [...page.lost, `its redirect to ${refreshed.href}`] : page.lost
  const isFollowed = !page.robots.includes('nofollow') && !page.robots.includes('none')
  const found: FetchedPage = {
    kind: 'page',
    address: result.url,
    text: hashOf(bytes),
    size: bytes.length,
    links: isFollowed ? page.links.filter((link) => siteKeyOf(link) !== undefined) : [],
    destinations: page.destinations,
    parts: page.parts,
    embedded,
    lost,
    ...(page.title !== undefined && { title: page.title }),
    ...(page.canonical !== undefined &&
      siteKeyOf(page.canonical) !== undefined && { canonical: page.canonical }),
    ...(isNew && { navigation: page.navigation }),
    ...((page.next ?? page.up ?? page.trail[0]) !== undefined && {
      around: { next: page.next, up: page.up, trail: page.trail },
    }),
  }
  await journal.recordResult(key, found, bytes)
  return found
}

/** State of a crawl. */
interface CrawlState extends CrawlOptions {
  /** Keys that are fetched or queued. */
  readonly queued: Set<string>
  /** Returns the key of a URL of the site, undefined for all others. */
  readonly siteKeyOf: (address: string) => string | undefined
  /** Hashes of the menus that are recorded. */
  readonly menus: Set<string>
}

/** Memoized: every page links to all others in its menu, and parsing these URLs each time would dominate the crawl. */
function memoizeKeys(site: Site): CrawlState['siteKeyOf'] {
  const keys = new Map<string, string | undefined>()
  return (address) => {
    if (keys.has(address)) return keys.get(address)
    const url = normalizeUrl(address)
    const key = url !== undefined && site.contains(url) ? pageKeyOf(url) : undefined
    if (keys.size < maxMemoizedKeys) keys.set(address, key)
    return key
  }
}

/** Fetches a URL, with retries when the site is busy. */
async function request(
  { remote, site, robots, limits, signal }: CrawlOptions,
  url: URL,
): Promise<RemoteFile> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await remote.fetch(url.href, {
        maxBytes: limits.pageBytes,
        timeout: limits.pageTimeout,
        signal,
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
        mayFollow: (to) => site.contains(to) && !isNonPage(to) && robots.mayFetch(to),
      })
    } catch (error) {
      signal.throwIfAborted()
      const { status, retryAfter = 1 } = error instanceof RemoteError ? error : {}
      const isTransient = status === 429 || status === 503
      if (!isTransient || attempt >= maxTries || retryAfter > maxRetrySeconds) throw error
      await pause(retryAfter * 1_000, undefined, { signal })
    }
  }
}

/** Resolves aliases and duplicates to canonical pages. */
function resolveAliases(
  { start, siteKeyOf }: CrawlState,
  fetched: ReadonlyMap<string, FetchResult>,
  leftOut: CrawlResult['leftOut'],
): CrawlResult {
  const first = pageKeyOf(start)
  const canonicalKeys = new Map<string, string>()
  const byText = new Map<string, string>()
  const isPage = (key: string): boolean => fetched.get(key)?.kind === 'page'

  function follow(key: string): string | undefined {
    const visited = new Set<string>()
    for (let at = key; !visited.has(at);) {
      visited.add(at)
      const found = fetched.get(at)
      if (found?.kind === 'alias') at = found.to
      else return found?.kind === 'page' ? at : undefined
    }
    return undefined
  }

  const firstPage = follow(first)
  for (const [key, page] of [...fetched].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (page.kind !== 'page') continue
    const canonical =
      page.canonical === undefined ? undefined : follow(pageKeyOf(normalizeUrl(page.canonical)!))
    // Two pages that name each other as canonical are two pages.
    const other = canonical !== undefined && canonical !== key ? fetched.get(canonical) : undefined
    const back =
      other?.kind === 'page' && other.canonical !== undefined ? pageKeyOf(normalizeUrl(other.canonical)!) : ''
    if (canonical !== undefined && other !== undefined && follow(back) !== key && key !== firstPage) {
      canonicalKeys.set(key, canonical)
      continue
    }
    const same = `${page.title ?? ''}\n${page.text}`
    const duplicate = byText.get(same)
    if (duplicate === undefined) byText.set(same, key)
    else if (page.size > 0 && key !== firstPage) canonicalKeys.set(key, duplicate)
  }
  const resolve = (key: string): string | undefined => {
    let at = follow(key)
    for (let steps = 0; at !== undefined && canonicalKeys.has(at) && steps < 5; steps += 1)
      at = canonicalKeys.get(at)
    return at !== undefined && !canonicalKeys.has(at) ? at : undefined
  }
  const pages = new Map<string, FetchedPage>()
  // Sorted by URL, independent of the fetch order.
  const keys = [...fetched.keys()].toSorted().filter((key) => isPage(key) && !canonicalKeys.has(key))
  for (const key of firstPage === undefined ? keys : [firstPage, ...keys]) {
    pages.set(key, fetched.get(key) as FetchedPage)
  }
  return {
    pages,
    menus: menusOf(fetched, firstPage),
    leftOut,
    pageOf(address) {
      const key = siteKeyOf(address)
      return key === undefined ? undefined : resolve(key)
    },
  }
}

/** In an order that is independent of the fetch order: the largest menu before its parts. */
function menusOf(
  fetched: ReadonlyMap<string, FetchResult>,
  firstPage: string | undefined,
): CrawlResult['menus'] {
  const found = [...fetched].flatMap(([key, page]) => {
    const menu = page.kind === 'page' ? page.navigation : undefined
    return menu === undefined ? [] : [{ isFirst: key === firstPage, menu, text: JSON.stringify(menu) }]
  })
  found.sort(
    (one, other) =>
      Number(other.isFirst) - Number(one.isFirst) ||
      other.text.length - one.text.length ||
      (one.text < other.text ? -1 : 1),
  )
  return found.map(({ menu }) => menu)
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
