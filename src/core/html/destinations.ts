/** Sanitizes and resolves link destinations of a page: no executable or browser-internal schemes. */
import { decodePercent } from '../links/resolve.js'
import type { EmbeddedImages } from './data-url.js'

/** Returns a URL resolved against that of the page; undefined for an invalid one. */
export type Resolve = (url: string, base: string | undefined) => string | undefined

export interface Destinations {
  readonly resolve: Resolve | undefined
  /** From `<base>`. */
  readonly base: string | undefined
  readonly images: EmbeddedImages
  /** Reduces a link within the page to its fragment. */
  within(url: string): string
  /** Returns the fragment to write for one that the page links to. */
  fragmentFor(fragment: string): string
  reportLoss(what: string): void
}

const schemes = new Set([
  'http',
  'https',
  'mailto',
  'tel',
  'ftp',
  'sms',
  'matrix',
  'xmpp',
  'irc',
  'magnet',
  'git',
  'ssh',
  'vscode',
])

/** Returns the destination of a link, an image or a file; undefined when it is empty or not safe. */
export function destinationOf(
  { resolve, base, images, within, fragmentFor, reportLoss }: Destinations,
  written: string | undefined,
  kind: 'link' | 'image' | 'file',
): string | undefined {
  // Browsers remove these characters, too.
  const whole = written?.replace(/[\t\r\n]+/g, '').trim()
  const url = whole && within(whole)
  if (url === undefined || url === '' || url === '#') return undefined
  if (url.startsWith('#')) return `#${fragmentFor(url.slice(1))}`
  const scheme = /^[\u0000- ]{0,32}([a-z][a-z\d+.-]{0,40}):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'data') {
    const name = kind === 'image' && /^data:/i.test(url) ? images.take(url) : undefined
    if (name === undefined) reportLoss('pictures and files written into the page (data:)')
    return name === undefined ? undefined : `embedded:${name}`
  }
  // Images that another importer has extracted already.
  if (scheme === 'embedded' && kind === 'image') return url
  if (scheme !== undefined && (!schemes.has(scheme) || (kind !== 'link' && !/^https?$/.test(scheme)))) {
    reportLoss(`links that run or that only their machine knows (${scheme}:)`)
    return undefined
  }
  if (scheme !== undefined && !/^https?$/.test(scheme)) return url
  const redirectTarget = googleRedirectTarget(url)
  if (redirectTarget !== undefined) return redirectTarget
  if (resolve) return resolve(url, base)
  return url.startsWith('//') ? `https:${url}` : scheme === undefined ? relativeToBase(url, base) : url
}

/** Applies a base within the same file tree; a base on another host is ignored, since imported files are not there. */
function relativeToBase(url: string, base = ''): string {
  const isPlace = !/^(?:[a-z][a-z\d+.-]{0,40}:|\/)/i.test(base)
  return isPlace && !/^[/?]/.test(url) ? base.slice(0, base.lastIndexOf('/') + 1) + url : url
}

/** Google Docs wraps every link in a redirect page. */
function googleRedirectTarget(url: string): string | undefined {
  const target = /^https?:\/\/www\.google\.com\/url\?q=([^&#]+)/.exec(url)?.[1]
  const plain = target === undefined ? undefined : decodePercent(target)
  return plain !== undefined && /^https?:\/\//i.test(plain) ? plain : undefined
}
