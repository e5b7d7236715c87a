/** Sitemaps: the page URLs that a site lists. Only `<loc>` is read, so that no XML entities are expanded. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Remote, RemoteError } from '../../../store/remote/remote.js'

export const sitemapLimits = {
  /** Maximum sitemaps, including sitemap indexes, and URLs of all together. */
  files: 50,
  addresses: 50_000,
  /** Bytes of one sitemap, unpacked. */
  bytes: 50_000_000,
} as const

const unpack = promisify(gunzip)

/** Returns the URLs in the sitemaps that are within the site, in order; unreadable sitemaps are skipped. */
export async function readSitemaps(
  remote: Remote,
  sitemaps: readonly string[],
  { isInSite, signal }: { readonly isInSite: (url: URL) => boolean; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const found = new Set<string>()
  const queue = [...new Set(sitemaps)]
  const queued = new Set(queue)
  for (let at = 0; at < queue.length && at < sitemapLimits.files; at += 1) {
    const text = await readSitemap(remote, queue[at]!, signal)
    const isIndex = /<(?:\w{1,20}:)?sitemapindex[\s>]/.test(text.slice(0, 2_000))
    for (const address of locationsIn(text)) {
      if (found.size >= sitemapLimits.addresses) break
      if (!URL.canParse(address)) continue
      if (isIndex && !queued.has(address)) {
        queued.add(address)
        queue.push(address)
      } else if (!isIndex && isInSite(new URL(address))) found.add(address)
    }
  }
  return [...found]
}

async function readSitemap(remote: Remote, address: string, signal: AbortSignal): Promise<string> {
  try {
    const limits = { maxBytes: sitemapLimits.bytes, timeout: 30_000, signal }
    const bytes = Buffer.from((await remote.fetch(address, limits)).bytes)
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    return (isPacked ? await unpack(bytes, { maxOutputLength: sitemapLimits.bytes }) : bytes).toString()
  } catch (error) {
    signal.throwIfAborted()
    // An unreadable sitemap lists no pages: the links of the pages remain.
    if (error instanceof RemoteError || error instanceof RangeError || isZlibError(error)) return ''
    throw error
  }
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(String((error as { code?: unknown } | null)?.code))
}

/** Returns the contents of all `<loc>` elements, with the five predefined XML entities decoded. */
export function locationsIn(text: string): readonly string[] {
  const found: string[] = []
  for (let at = text.indexOf('<loc>'); at >= 0; at = text.indexOf('<loc>', at)) {
    const end = text.indexOf('</loc>', at)
    if (end < 0) break
    const inside = text.slice(at + 5, end).trim()
    const plain = inside.startsWith('<![CDATA[') ? inside.slice(9, -3).trim() : unescape(inside)
    if (plain.length <= 2_048) found.push(plain)
    at = end
  }
  return found
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)
}
