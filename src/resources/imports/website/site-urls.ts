/**
 * Addresses of a website: which belong to it, which mean the same page, and which lead on without an end.
 *
 * Pure. A site is one origin below one folder. Endless are calendars, counters in paths, paths that repeat
 * themselves and pages in many variants by their queries: each of these kinds is bounded by itself, so that the rest comes.
 */
import { trimEndOf } from '../../../core/trim.js'

/** Parts of a query that say who came, or from where, and never what they see. */
const trackingParameter =
  /^(?:utm_\w{1,40}|gclid|fbclid|msclkid|dclid|yclid|igshid|mc_[ce]id|_ga|_gl|ref|referrer|phpsessid|jsessionid|sessionid|session_id|sid|aspsessionid\w{0,40}|cfid|cftoken|replytocom|print|printable)$/i
/** The one part by which some sites tell all their pages apart. */
const pageParameter = /^(?:title|page|page_id|pageid|p|id|topic|article|doc|path)$/i
const folderPage = /^(?:index|default|home)\.(?:x?html?|php\d?|aspx?|jsp|cgi)$/i
const fileExtension =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp4|webm|mov|avi|mp3|ogg|wav|flac|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|deb|rpm|iso|jar|whl|pdf|epub|docx?|xlsx?|pptx?|odt|css|js|mjs|map|json|ya?ml|xml|rss|atom|txt|csv|woff2?|ttf|eot|wasm)$/i

export const trapLimits = {
  /** Characters of an address. */
  length: 1_024,
  /** Folders in one another. */
  folders: 32,
  /** How often one part may stand in a path. */
  repeats: 3,
  /** Pages at one path that differ by their queries alone, and those that a telling part names. */
  variants: 5,
  named: 1_000,
  /** Pages whose addresses differ by their numbers alone: by whole parts, as those of a calendar, and otherwise. */
  dated: 100,
  numbered: 2_000,
} as const

/** Returns the address without fragment, session and what else says nothing of the page; undefined for what is no web address. */
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

/** Returns what is the same for all addresses of one page: whether it ends in a slash, or names the folder's own page. */
export function pageKeyOf(url: URL): string {
  const slash = url.pathname.lastIndexOf('/')
  const last = url.pathname.slice(slash + 1)
  const path = folderPage.test(last) ? url.pathname.slice(0, slash) : url.pathname
  return `${url.host}${trimEndOf(path, '/')}${url.search}`
}

/** Returns whether the address is its folder's own page. */
export function isFolderPage(url: URL): boolean {
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
  return last === '' || folderPage.test(last)
}

export interface Site {
  readonly origin: string
  /** Begins and ends with a slash. */
  readonly folder: string
  /** Returns whether the address belongs to the site, by itself. */
  contains(url: URL): boolean
}

/** Returns the site that begins at an address: everything in its folder. */
export function siteAt(start: URL): Site {
  const last = start.pathname.slice(start.pathname.lastIndexOf('/') + 1)
  // `/docs` is a folder more often than a page beside everything else.
  const isPage = last === '' || /\.[a-z\d]{1,6}$/i.test(last)
  const folder = isPage ? start.pathname.slice(0, start.pathname.length - last.length) : `${start.pathname}/`
  return {
    origin: start.origin,
    folder,
    contains: (url) =>
      url.host === start.host && (url.pathname.startsWith(folder) || `${url.pathname}/` === folder),
  }
}

/** Returns whether what stands at the address is no page, by its name. */
export function isNonPage(url: URL): boolean {
  return fileExtension.test(url.pathname) || /^\/(?:wp-json|wp-admin|cgi-bin)\//.test(url.pathname)
}

/** Returns whether the page is an index that a generator makes of the others. */
export function isGeneratedIndex(url: URL): boolean {
  return /\/(?:genindex(?:-[\w-]{1,40})?|(?:py-|np-)?modindex|search)(?:\.x?html?|\/)$/i.test(url.pathname)
}

/** Returns a function that tells why an address is not followed; it counts those that it lets pass. */
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
    const seen = new Map<string, number>()
    for (const part of parts) {
      const times = (seen.get(part) ?? 0) + 1
      if (times > trapLimits.repeats) return 'its address repeats itself'
      seen.set(part, times)
    }
    const names = [...searchParams.keys()]
    if (names.length > 0) {
      const isNamed = names.length === 1 && pageParameter.test(names[0]!)
      const limit = isNamed ? trapLimits.named : trapLimits.variants
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

/** Returns a part of an address as it is read; as it is written where that cannot be. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
