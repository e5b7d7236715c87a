/**
 * Image resizing to WebP: upright, in sRGB, with transparency, without metadata such as location and camera.
 *
 * Decompression bombs: the header is checked before anything is decoded, since a few kilobytes can decode to gigabytes.
 */
import { loadImageLibrary } from './library.js'

/** Decoded bytes of an image: some formats must be in memory completely. Forty million pixels of four bytes. */
const maxDecodedBytes = 160_000_000
/** Seconds for one image, on a busy machine. */
const resizeTimeout = 10
const readable: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp'])

/** Thrown when an image took too long, which may be temporary. */
export class ResizeTimeout extends Error {}

/**
 * Returns the image limited to `width` pixels; undefined when the original should be used: it is animated, cannot be read,
 * is too large to be decoded, or would not become smaller.
 */
export async function resizeImage(bytes: Uint8Array, width: number): Promise<Uint8Array | undefined> {
  const library = await loadImageLibrary()
  try {
    const image = library(bytes, { failOn: 'error', limitInputPixels: maxDecodedBytes })
    const about = await image.metadata()
    const bytesOfSample = about.depth === 'uchar' ? 1 : 2
    const unpacked = about.width * about.height * about.channels * bytesOfSample
    if (!readable.has(about.format) || (about.pages ?? 1) > 1 || unpacked > maxDecodedBytes) return undefined
    const made = await image
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: resizeTimeout })
      .toBuffer()
    return made.length < bytes.length ? made : undefined
  } catch (error) {
    if (/^timeout/i.test((error as Error).message)) throw new ResizeTimeout()
    return undefined
  }
}
