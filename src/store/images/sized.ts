/**
 * Pictures in smaller sizes, made when they are first asked for and kept beside their originals.
 *
 * They are made one after another, so that neither the memory nor the threads of the process are theirs, and nobody
 * waits long for one: whoever comes first may get the original, and whoever comes later the smaller picture. That a
 * picture is best shown as it is, is kept too, as a size without bytes. Nothing here asks who may see the picture.
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
   * Returns the picture with these bytes in one of the widths; `asItIs` when its original is all there is to show, and
   * `later` when the original stands in until the size has been made.
   */
  find(image: ImageInfo & { readonly hash: Hash }, width: ImageWidth): Promise<Size>
  /** Makes nothing more; answers when what is being made has ended. */
  close(): Promise<void>
}

/** Milliseconds that somebody waits for a size, and how many sizes may wait to be made. */
const defaultLimits = { maxWait: 800, maxWaiting: 64 }
/** Milliseconds until a size that could not be made is tried again, and how many of them are remembered. */
const failures = { ttl: 10 * 60_000, max: 1_000 }

/** Returns the sizes of the pictures in a storage. */
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

  /** Puts the size behind those that wait. */
  function queue(hash: Hash, width: ImageWidth, name: string): Promise<Size> {
    const key = `${hash} ${name}`
    const known = making.get(key)
    if (known !== undefined) return known
    if (making.size >= maxWaiting || failed.has(key)) return Promise.resolve('later')
    const made = last
      .then(() => make(hash, width, name))
      .catch(() => {
        // The original is shown; a storage that is away is told by whoever reads that.
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
      const kept = await files.derived.read(hash, name)
      if (kept !== undefined) return kept.length === 0 ? 'asItIs' : kept
      return withTimeout(queue(hash, width, name), maxWait)
    },
    async close() {
      isClosed = true
      await last
    },
  }
}

async function withTimeout<Result>(work: Promise<Result>, patience: number): Promise<Result | 'later'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'later'>((resolve) => {
    timer = setTimeout(resolve, patience, 'later')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
