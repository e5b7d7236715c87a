/**
 * Resized images, created on first request and stored as derived files of their originals.
 *
 * They are created one after another, so that they do not use up the memory and threads of the process, and no request
 * waits long: the first ones may get the original, and later ones the resized image. That the original should be used is
 * stored too, as an empty derived file. Does not check permissions.
 */
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Hash } from '../../core/ids.js'
import type { FileStorage } from '../files/storage.js'
import { resizeImage } from './resize.js'
import { type ImageWidth, type ImageInfo, isResizable } from './widths.js'

type Size = Uint8Array | 'asItIs' | 'later'

export interface SizedImages {
  /**
   * Returns the image in one of the widths; `asItIs` when the original should be used, and `later` when it should be used
   * until the resized one has been created.
   */
  find(image: ImageInfo & { readonly hash: Hash }, width: ImageWidth): Promise<Size>
  /** Stops creating images; resolves when the running one has ended. */
  close(): Promise<void>
}

/** Milliseconds that a request waits for a resized image, and how many may wait to be created. */
const defaultLimits = { maxWait: 800, maxWaiting: 64 }
/** Milliseconds until a failed image is retried, and how many failures are cached. */
const failures = { ttl: 10 * 60_000, max: 1_000 }

/** Returns the resized images of a file storage. */
export function createSizedImages(
  files: FileStorage,
  limits: Partial<typeof defaultLimits> = {},
): SizedImages {
  const { maxWait, maxWaiting } = { ...defaultLimits, ...limits }
  const making = new Map<string, Promise<Size>>()
  const failed = new LRUCache<string, true>(failures)
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function make(hash: Hash, width: ImageWidth, name: string): Promise<Size> {
    if (isClosed) return 'later'
    const original = await files.open(hash)
    if (original === undefined) return 'asItIs'
    const made = await resizeImage(await buffer(original), width)
    await files.derived.put(hash, name, made ?? new Uint8Array())
    return made ?? 'asItIs'
  }

  /** Appends the image to the queue. */
  function queue(hash: Hash, width: ImageWidth, name: string): Promise<Size> {
    const key = `${hash} ${name}`
    const known = making.get(key)
    if (known !== undefined) return known
    if (making.size >= maxWaiting || failed.has(key)) return Promise.resolve('later')
    const made = last
      .then(() => make(hash, width, name))
      .catch(() => {
        // The original is used; if the storage is unavailable, reading that fails.
        failed.set(key, true)
        return 'later' as const
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    last = made
    return made
  }

  return {
    async find(image, width) {
      if (!isResizable(image)) return 'asItIs'
      const { hash } = image
      const name = `${width}.webp`
      const stored = await files.derived.read(hash, name)
      if (stored !== undefined) return stored.length === 0 ? 'asItIs' : stored
      return withTimeout(queue(hash, width, name), maxWait)
    },
    async close() {
      isClosed = true
      await last
    },
  }
}

async function withTimeout<Result>(work: Promise<Result>, timeout: number): Promise<Result | 'later'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'later'>((resolve) => {
    timer = setTimeout(resolve, timeout, 'later')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
