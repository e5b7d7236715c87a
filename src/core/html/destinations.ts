/** Where the links of a page lead, as they may be written: nothing that runs, nothing that only a browser knows. */
import { decodePercent } from '../links/resolve.js'
import type { EmbeddedImages } from './data-url.js'

/** Returns an address resolved against that of the page; undefined for one that cannot be read. */
export type Resolve = (url: string, base: string | undefined) => string | undefined

export interface Destinations {
  readonly resolve: Resolve | undefined
  /** As `<base>` says. */
  readonly base: string | undefined
  readonly images: EmbeddedImages
  /** Returns a link within the page as a mere fragment. */
  within(url: string): string
  /** The fragment to write for one that the page asks for. */
  landing(fragment: string): string
  lose(what: string): void
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

/** Returns the destination of a link, a picture or a file, undefined when it leads nowhere or is not safe. */
export function destinationOf(
  { resolve, base, images, within, landing, lose }: Destinations,
  written: string | undefined,
  kind: 'link' | 'image' | 'file',
): string | undefined {
  // As browsers do.
  const whole = written?.replace(/[\t\r\n]+/g, '').trim()
  const url = whole && within(whole)
  if (url === undefined || url === '' || url === '#') return undefined
  if (url.startsWith('#')) return `#${landing(url.slice(1))}`
  const scheme = /^[\u0000- ]{0,32}([a-z][a-z\d+.-]{0,40}):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'data') {
    const name = kind === 'image' && /^data:/i.test(url) ? images.take(url) : undefined
    if (name === undefined) lose('pictures and files written into the page (data:)')
    return name === undefined ? undefined : `embedded:${name}`
  }
  // Pictures that another reader has taken out already.
  if (scheme === 'embedded' && kind === 'image') return url
  if (scheme !== undefined && (!schemes.has(scheme) || (kind !== 'link' && !/^https?$/.test(scheme)))) {
    lose(`links that run or that only their machine knows (${scheme}:)`)
    return undefined
  }
  if (scheme !== undefined && !/^https?$/.test(scheme)) return url
  const behind = behindGoogle(url)
  if (behind !== undefined) return behind
  if (resolve) return resolve(url, base)
  return url.startsWith('//') ? `https:${url}` : scheme === undefined ? belowBase(url, base) : url
}

/** An address below a base that is a place in the same tree; what stands at another host is of no use to files. */
function belowBase(url: string, base = ''): string {
  const isPlace = !/^(?:[a-z][a-z\d+.-]{0,40}:|\/)/i.test(base)
  return isPlace && !/^[/?]/.test(url) ? base.slice(0, base.lastIndexOf('/') + 1) + url : url
}

/** Documents of Google lead every link through a page that tells whom one leaves for. */
function behindGoogle(url: string): string | undefined {
  const led = /^https?:\/\/www\.google\.com\/url\?q=([^&#]+)/.exec(url)?.[1]
  const plain = led === undefined ? undefined : decodePercent(led)
  return plain !== undefined && /^https?:\/\//i.test(plain) ? plain : undefined
}
