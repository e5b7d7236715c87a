/**
 * URL normalization and crawler traps: which URLs belong to a site, which refer to the same page, and which are
 * endless.
 *
 * Pure. A site is one origin below one folder. Endless are calendars, counters in paths, repeating paths and pages in
 * many variants by their queries: each kind has its own limit, so that the other pages are still crawled.
 */
import { trimEndOf } from '../../../core/trim.js'

/** Tracking and session parameters, which do not change the page. */
const trackingParameter =
  /^(?:utm_\w{1,40}|gclid|fbclid|msclkid|dclid|yclid|igshid|mc_[ce]id|_ga|_gl|ref|referrer|phpsessid|jsessionid|sessionid|session_id|sid|aspsessionid\w{0,40}|cfid|cftoken|replytocom|print|printable)$/i
/** The single parameter by which some sites identify all their pages. */
const pageParameter = /^(?:title|page|page_id|pageid|p|id|topic|article|doc|path)$/i
const folderPage = /^(?:index|default|home)\.(?:x?html?|php\d?|aspx?|jsp|cgi)$/i
const fileExtension =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp4|webm|mov|avi|mp3|ogg|wav|flac|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|deb|rpm|iso|jar|whl|pdf|epub|docx?|xlsx?|pptx?|odt|css|js|mjs|map|json|ya?ml|xml|rss|atom|txt|csv|woff2?|ttf|eot|wasm)$/i

export const trapLimits = {
  /** Maximum characters of a URL. */
  length: 1_024,
  /** Maximum nesting of folders. */
  folders: 32,
  /** Maximum occurrences of one segment in a path. */
  repeats: 3,
  /** Maximum pages at one path that differ only by their queries, and of those identified by a page parameter. */
  variants: 5,
  identified: 1_000,
  /** Maximum pages whose URLs differ only by numbers: whole segments, as in calendars, and otherwise. */
  dated: 100,
  numbered: 2_000,
} as const

/**
 * Returns the URL without fragment, credentials, and session and tracking parameters; undefined for a URL that is not
 * http or https.
 */
export function normalizeUrl(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  url.pathname = url.pathname.replace(/;(?:jsessionid|sid|phpsessid)=[^/;]*/gi, '').replace(/\/{2,}/g, '/')
  const parameters = [...url.searchParams].filter(([name]) => !trackingParameter.test(name))
  parameters.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  url.search = parameters.length === 0 ? '' : new URLSearchParams(parameters).toString()
  return url
}

/**
 * Returns the key of a page, which is equal for all spellings of its URL: with or without trailing slash or index
 * file name.
 */
export function pageKeyOf(url: URL): string {
  const slash = url.pathname.lastIndexOf('/')
  const last = url.pathname.slice(slash + 1)
  const path = folderPage.test(last) ? url.pathname.slice(0, slash) : url.pathname
  return `${url.host}${trimEndOf(path, '/')}${url.search}`
}

/** Returns whether the URL is the index page of its folder. */
export function isFolderPage(url: URL): boolean {
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
  return last === '' || folderPage.test(last)
}

export interface Site {
  readonly origin: string
  /** Begins and ends with a slash. */
  readonly folder: string
  /** Returns whether a URL belongs to the site, judging by the URL only. */
  contains(url: URL): boolean
}

/** Returns the site of a start URL: everything in its folder. */
export function siteAt(start: URL): Site {
  const last = start.pathname.slice(start.pathname.lastIndexOf('/') + 1)
  // `/docs` is more often a folder than a page among others.
  const isPage = last === '' || /\.[a-z\d]{1,6}$/i.test(last)
  const folder = isPage ? start.pathname.slice(0, start.pathname.length - last.length) : `${start.pathname}/`
  return {
    origin: start.origin,
    folder,
    contains: (url) =>
      url.host === start.host && (url.pathname.startsWith(folder) || `${url.pathname}/` === folder),
  }
}

/** Returns whether a URL is not a page, judging by its name. */
export function isNonPage(url: URL): boolean {
  return fileExtension.test(url.pathname) || /^\/(?:wp-json|wp-admin|cgi-bin)\//.test(url.pathname)
}

/** Returns whether the page is a generated index of the others. */
export function isGeneratedIndex(url: URL): boolean {
  return /\/(?:genindex(?:-[\w-]{1,40})?|(?:py-|np-)?modindex|search)(?:\.x?html?|\/)$/i.test(url.pathname)
}

/** Returns a function that returns why a URL is not followed; it counts the URLs that it allows. */
export function createTrapDetector(): (url: URL) => string | undefined {
  const counts = new Map<string, number>()
  const isOver = (kind: string, limit: number): boolean => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count > limit
  }
  return ({ href, host, pathname, searchParams }) => {
    if (href.length > trapLimits.length) return 'its address is too long'
    const parts = pathname.split('/').filter((part) => part !== '')
    if (parts.length > trapLimits.folders) return 'it stands in too many folders'
    const occurrences = new Map<string, number>()
    for (const part of parts) {
      const times = (occurrences.get(part) ?? 0) + 1
      if (times > trapLimits.repeats) return 'its address repeats itself'
      occurrences.set(part, times)
    }
    const names = [...searchParams.keys()]
    if (names.length > 0) {
      const isNamed = names.length === 1 && pageParameter.test(names[0]!)
      const limit = isNamed ? trapLimits.identified : trapLimits.variants
      if (isOver(`query ${host}${pathname} ${isNamed}`, limit)) return 'it is one of many variants of a page'
    }
    const shape = pathname.replace(/\d+/g, '#')
    if (!shape.includes('#')) return undefined
    const isDated = parts.filter((part) => /^\d+$/.test(part)).length > 1 || names.length > 0
    if (isOver(`shape ${shape}`, isDated ? trapLimits.dated : trapLimits.numbered))
      return 'it is one of many that differ by numbers'
    return undefined
  }
}

/** Returns a decoded URL segment; unchanged when it cannot be decoded. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
