/** Images of a crawled site: fetched once each, stored by content hash, and named recognizably. */
import { setTimeout as pause } from 'node:timers/promises'
import { fileTypeFromBuffer } from 'file-type'
import type { Hash } from '../../../core/ids.js'
import { nameOf, shortenName } from '../../../core/pages/paths.js'
import { type Remote, RemoteError } from '../../../store/remote/remote.js'
import type { CrawlJournal } from './crawl.js'
import { decodePart } from './site-urls.js'

export interface ImageLimits {
  readonly count: number
  readonly bytes: number
  readonly timeout: number
  readonly concurrency: number
}

export interface StoredImage {
  readonly name: string
  readonly hash: Hash
  readonly size: number
}

export interface ImageFetchOptions {
  readonly remote: Remote
  readonly journal: Pick<CrawlJournal, 'storeFile'> & ImageJournal
  /** Whether the rules of the site allow to fetch a URL. */
  readonly mayFetch: (url: URL) => boolean
  /** Milliseconds between two requests, which are made one after the other then; 0 for none. */
  readonly delay: number
  readonly limits: ImageLimits
  readonly signal: AbortSignal
  readonly progress: (done: number, found: number) => void
}

export interface ImageJournal {
  /** Images that an earlier, interrupted import fetched, by URL. */
  readonly images: ReadonlyMap<string, StoredImage>
  recordImage(address: string, image: StoredImage): Promise<void>
}

/**
 * Returns the fetched images by URL, and the problems of those that could not be fetched, whose links stay unchanged.
 */
export async function fetchImages(
  addresses: readonly string[],
  { remote, journal, mayFetch, delay, limits, signal, progress }: ImageFetchOptions,
): Promise<{ images: ReadonlyMap<string, StoredImage>; missing: ReadonlyMap<string, string> }> {
  const images = new Map<string, StoredImage>()
  const missing = new Map<string, string>()
  for (const address of addresses.slice(limits.count)) missing.set(address, 'the site has too many pictures')
  const wanted = addresses.slice(0, limits.count)
  let next = 0
  let done = 0
  async function work(): Promise<void> {
    while (next < wanted.length) {
      const address = wanted[next]!
      next += 1
      const cached = journal.images.get(address)
      if (cached !== undefined) images.set(address, cached)
      else await fetchOne(address)
      progress((done += 1), wanted.length)
    }
  }
  async function fetchOne(address: string): Promise<void> {
    if (!mayFetch(new URL(address)))
      return void missing.set(address, 'the robots.txt of the site does not allow to fetch it')
    if (delay > 0) await pause(delay, undefined, { signal })
    try {
      const { bytes, contentType } = await remote.fetch(address, {
        maxBytes: limits.bytes,
        timeout: limits.timeout,
        accept: 'image/*,*/*;q=0.1',
        mayFollow: mayFetch,
        signal,
      })
      const type = await typeOf(bytes, contentType)
      if (type === undefined) return void missing.set(address, 'it is no picture')
      const image = await journal.storeFile(nameFor(address, type), bytes)
      await journal.recordImage(address, image)
      images.set(address, image)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RemoteError)) throw error
      missing.set(address, error.message)
    }
  }
  await Promise.all(Array.from({ length: delay > 0 ? 1 : limits.concurrency }, work))
  // In request order: file names are assigned in this order.
  const inOrder = wanted.flatMap((address) => {
    const image = images.get(address)
    return image === undefined ? [] : [[address, image] as const]
  })
  return { images: new Map(inOrder), missing }
}

/**
 * Returns the extension of an image, detected from its bytes; a declared SVG is trusted, because SVG has no
 * signature.
 */
async function typeOf(bytes: Uint8Array, contentType: string): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(bytes)
  if (found?.mime.startsWith('image/')) return found.ext
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString()
  if ((found === undefined || found.mime === 'application/xml') && start.includes('<svg')) return 'svg'
  return found === undefined && /^image\/svg\+xml/i.test(contentType) ? 'svg' : undefined
}

function nameFor(address: string, extension: string): string {
  const { pathname } = new URL(address)
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const stem = decodePart(last)
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .replace(/[^\p{Letter}\p{Number}\p{Mark}._-]+/gu, '-')
  return shortenName(`${stem.replace(/^[.-]+/, '') || 'picture'}.${extension}`, 100)
}

/** Returns the file path of each stored image by its hash: equal bytes are one file, equal names get a number. */
export function assignImageFiles(stored: Iterable<StoredImage>, folder: string): ReadonlyMap<Hash, string> {
  const files = new Map<Hash, string>()
  const numbers = new Map<string, number>()
  const taken = new Set<string>()
  for (const { name, hash } of stored) {
    if (files.has(hash)) continue
    const plain = nameOf(name)
    const dot = plain.lastIndexOf('.')
    const [stem, end] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, '']
    let number = numbers.get(plain.toLowerCase()) ?? 0
    let file = number === 0 ? plain : `${stem}-${number}${end}`
    while (taken.has(file.toLowerCase())) file = `${stem}-${(number += 1)}${end}`
    numbers.set(plain.toLowerCase(), number)
    taken.add(file.toLowerCase())
    files.set(hash, `${folder}/${file}`)
  }
  return files
}
