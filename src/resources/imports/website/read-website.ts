/** Website import: pages as Markdown, images as files, and the menu as the table of contents. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Hash, OrganizationId } from '../../../core/ids.js'
import { relativePath } from '../../../core/links/relative.js'
import type { Services } from '../../../access/route/scope.js'
import { ApiError } from '../../../contract/errors.js'
import { limits } from '../../../contract/limits.js'
import { decodeText, encodeText } from '../../../store/content/encoding.js'
import { findBytes } from '../../../store/content/objects.js'
import { decodeDescription } from '../../../store/reading/reader.js'
import { RemoteError } from '../../../store/remote/remote.js'
import { type ArchiveEntry, type ArchiveItem, collectBytes } from '../archive.js'
import { type Site, decodePart, normalizeUrl, siteAt } from './site-urls.js'
import { buildTreeFromRelations } from '../page-relations.js'
import { type CrawlResult, type FetchedPage, type CrawlJournal, crawlSite } from './crawl.js'
import { type ImageJournal, type StoredImage, fetchImages, assignImageFiles } from './images.js'
import { type MenuItem, createMenu } from './navigation.js'
import { assignFiles, formatSiteSummary } from './site-layout.js'
import { type Robots, readRobots } from './robots.js'
import { readSitemaps } from './sitemap.js'

/** The journal of a website import. */
export interface WebsiteJournal extends CrawlJournal, ImageJournal {
  /** Writes pending entries. */
  flush(): Promise<void>
}

export interface WebsiteReadOptions {
  readonly services: Pick<Services, 'database' | 'files' | 'reader' | 'remote'>
  readonly organizationId: OrganizationId
  readonly url: string
  /** True to import only the page at the URL. */
  readonly isSinglePage?: boolean
  readonly journal: WebsiteJournal
  readonly signal: AbortSignal
  /** Called with the number of processed URLs and of URLs known so far. */
  readonly progress: (done: number, found: number) => void
}

const crawlLimits = {
  pages: limits.websitePages,
  depth: limits.websiteDepth,
  pageBytes: limits.websitePageBytes,
  pageTimeout: 30_000,
  concurrency: 4,
}
const imageLimits = {
  count: limits.websiteImages,
  bytes: limits.websiteImageBytes,
  timeout: 30_000,
  concurrency: 4,
}
const assets = '.gitbook/assets'
/** Hosts that the address of a site may redirect to, one after the other. */
const maxHosts = 5

/** Yields the skipped items, then the files of the site; throws an ApiError when its first page cannot be fetched. */
export async function* readWebsite(reading: WebsiteReadOptions): AsyncGenerator<ArchiveItem> {
  const { services, organizationId, journal, signal, progress } = reading
  services.reader.prepare()
  const crawled = await crawl(reading).catch((error: unknown) => {
    if (!(error instanceof RemoteError)) throw error
    throw new ApiError('url_not_allowed', { member: 'url', problem: error.message })
  })
  if (crawled.result.pages.size === 0) {
    throw new ApiError('import_failed', { problem: 'no page of HTML stands at this address' })
  }
  const { result, site, robots } = crawled
  // The texts are read back from now on.
  await journal.flush()
  const files = assignFiles(site, result)
  const found = await findPictures(result, services, organizationId)
  const { images, missing } = await fetchImages([...new Set([...found.values()].flat())], {
    remote: services.remote,
    journal,
    // The rules of other hosts are not asked for: their pictures are embedded as a browser would.
    mayFetch: (url) => url.origin !== site.origin || robots.mayFetch(url),
    delay: robots.delay,
    limits: imageLimits,
    signal,
    progress: (done, of) => progress(result.pages.size + done, result.pages.size + of),
  })
  const stored = [...images.values(), ...[...result.pages.values()].flatMap(({ embedded }) => embedded)]
  const imageFiles = assignImageFiles(stored, assets)
  const sizes = new Map(stored.map(({ hash, size }) => [hash, size]))

  for (const { address, problem } of result.leftOut) yield { path: pathOf(address), leftOut: problem }
  for (const [address, problem] of missing) {
    yield { path: pathOf(address), notice: `The picture stays a link to where it is: ${problem}.` }
  }
  for (const [key, { lost }] of result.pages) {
    for (const what of lost) yield { path: files.get(key)!, notice: `Not carried over: ${what}.` }
  }

  const summary = formatSiteSummary(
    treeOf(result),
    files,
    (key) => result.pages.get(key)?.title ?? files.get(key)!,
  )
  if (summary !== undefined) yield textEntry('SUMMARY.md', () => Promise.resolve(encodeText(summary)))

  const parts = new Map([...result.pages].map(([key, page]) => [key, new Map(page.parts)]))
  for (const [key, page] of result.pages) {
    const file = files.get(key)!
    yield textEntry(file, async () => {
      const bytes = await findBytes(services.database.read, organizationId, page.text)
      const table = linkTableOf(page, file, found.get(key) ?? [], {
        result,
        parts,
        files,
        images,
        imageFiles,
      })
      return encodeText(await services.reader.redirect(decodeText(bytes!), table))
    })
  }
  for (const [hash, path] of imageFiles) {
    const size = sizes.get(hash)!
    const stream = () => readStored(services, hash)
    yield { path, size, stream, open: () => collectBytes(stream()) }
  }
}

async function crawl({ services, url, isSinglePage = false, journal, signal, progress }: WebsiteReadOptions) {
  const { remote, reader } = services
  const requested = normalizeUrl(url)
  if (requested === undefined) throw new RemoteError('only http and https are allowed')
  const { site, start, robots } = await findSite(remote, requested, signal)
  const usual = new URL('/sitemap.xml', site.origin)
  const known = robots.mayFetch(usual) ? [usual.href] : []
  const sitemaps = robots.sitemaps.length > 0 ? robots.sitemaps : known
  const isInSite = (one: URL): boolean => site.contains(one)
  const seeds = isSinglePage ? [] : await readSitemaps(remote, sitemaps, { isInSite, signal })
  const result = await crawlSite({
    remote,
    reader,
    site,
    robots,
    start,
    seeds,
    limits: isSinglePage ? { ...crawlLimits, depth: 0 } : crawlLimits,
    journal,
    signal,
    progress,
  })
  return { site, robots, result }
}

interface FoundSite {
  readonly site: Site
  readonly start: URL
  readonly robots: Robots
}

/**
 * Returns the site that a URL leads to: `example.com` may mean `www.example.com`. Of each host on the way robots.txt is
 * read before anything else.
 */
async function findSite(remote: Services['remote'], requested: URL, signal: AbortSignal): Promise<FoundSite> {
  let url = requested
  for (let host = 0; host <= maxHosts; host += 1) {
    const { origin } = url
    const robots = await readRobots(remote, origin, signal)
    if (!robots.mayFetch(url)) throw new RemoteError('the robots.txt of the site does not allow it')
    const reached = await remote
      .fetch(url.href, {
        maxBytes: crawlLimits.pageBytes,
        timeout: crawlLimits.pageTimeout,
        mayFollow: (to) => to.origin === origin && robots.mayFetch(to),
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof RemoteError && error.redirectsTo !== undefined) return error
        throw error
      })
    if (robots.delay > 0) await pause(robots.delay, undefined, { signal })
    if (!(reached instanceof RemoteError)) {
      const start = normalizeUrl(reached.url)!
      return { site: siteAt(start), start, robots }
    }
    url = normalizeUrl(reached.redirectsTo!)!
  }
  throw new RemoteError(`it redirects to more than ${maxHosts} hosts`)
}

/**
 * Returns the merged menu of the site; the tree of link relations instead when the menu lists less than half of the
 * pages and the relations list more.
 */
function treeOf({ pages, menus, pageOf }: CrawlResult): readonly MenuItem[] {
  const menu = createMenu(pageOf)
  for (const items of menus) menu.add(items)
  const listed = countPages(menu.items)
  const [first] = pages.keys()
  if (listed * 2 >= pages.size || first === undefined) return menu.items
  const around = new Map([...pages].map(([key, page]) => [key, page.around ?? { trail: [] }]))
  const trails = buildTreeFromRelations(first, around, (url) => (url === undefined ? undefined : pageOf(url)))
  return countPages(trails) > listed ? trails : menu.items
}

function countPages(items: readonly MenuItem[]): number {
  return items.reduce(
    (count, { page, children }) => count + (page === undefined ? 0 : 1) + countPages(children),
    0,
  )
}

/** Returns the image URLs of each page, by its key. */
async function findPictures(
  { pages }: CrawlResult,
  { database, reader }: WebsiteReadOptions['services'],
  organizationId: OrganizationId,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const [key, page] of pages) {
    const bytes = await findBytes(database.read, organizationId, page.text)
    // Parsed only when there may be images: few pages have some.
    const text = decodeText(bytes!)
    if (!/!\[|<img|<figure|cover:/.test(text)) continue
    const { references } = decodeDescription(await reader.describe(text))
    const pictures = references.flatMap(({ kind, url }) =>
      (kind === 'image' || kind === 'cover') && /^https?:/i.test(url) ? [url] : [],
    )
    found.set(key, [...new Set(pictures)])
  }
  return found
}

interface SiteFiles {
  readonly result: CrawlResult
  /** The new fragment names of each page, by the old ones. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly files: ReadonlyMap<string, string>
  readonly images: ReadonlyMap<string, StoredImage>
  readonly imageFiles: ReadonlyMap<Hash, string>
}

/** Returns the new URLs of a page's links, by the URLs as written. */
function linkTableOf(
  { destinations, embedded }: FetchedPage,
  file: string,
  pictures: readonly string[],
  { result, parts, files, images, imageFiles }: SiteFiles,
): ReadonlyMap<string, string> {
  const table = new Map<string, string>()
  for (const destination of destinations) {
    // A URL without an entry for its fragment keeps the fragment.
    const hash = destination.indexOf('#')
    const link = hash < 0 ? destination : destination.slice(0, hash)
    const key = result.pageOf(link)
    if (key === undefined) continue
    const path = relativePath(file, files.get(key)!)
    table.set(link, path)
    const part = hash < 0 ? undefined : parts.get(key)?.get(decodePart(destination.slice(hash + 1)))
    if (part !== undefined) table.set(destination, part === '' ? path : `${path}#${encodeURIComponent(part)}`)
  }
  for (const picture of pictures) {
    const image = images.get(picture)
    if (image !== undefined) table.set(picture, relativePath(file, imageFiles.get(image.hash)!))
  }
  for (const { name, hash } of embedded)
    table.set(`embedded:${name}`, relativePath(file, imageFiles.get(hash)!))
  return table
}

/** The size is unknown until the text is read; it is read only once, and no one needs the size before. */
function textEntry(path: string, read: () => Promise<Uint8Array>): ArchiveEntry {
  return {
    path,
    size: 0,
    open: read,
    async *stream() {
      yield await read()
    },
  }
}

async function* readStored({ files }: Pick<Services, 'files'>, hash: Hash): AsyncGenerator<Uint8Array> {
  const stream = await files.open(hash)
  if (stream === undefined) throw new Error('The bytes of a picture are gone')
  yield* stream as AsyncIterable<Uint8Array>
}

/** Returns a URL, shortened for the report. */
function pathOf(address: string): string {
  return address.slice(0, 300)
}
