/**
 * A picture made smaller, as WebP: upright, in the colours of the web, transparent where it was, without the place
 * and the camera that the original tells.
 *
 * What a header promises is looked at before anything is unpacked: a few kilobytes can stand for gigabytes.
 */
import { loadImageLibrary } from './library.js'

/** Bytes of all pixels of a picture, unpacked: some formats must be held whole. Forty million of four bytes. */
const maxDecodedBytes = 160_000_000
/** Seconds for one picture, on a busy machine. */
const longest = 10
const readable: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp'])

/** Thrown when a picture took too long: another time it may not. */
export class ResizeTimeout extends Error {}

/**
 * Returns the picture no wider than `width` pixels; undefined when it is better shown as it is: it moves, cannot be
 * read, is too large to be unpacked, or would become no smaller.
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
      .timeout({ seconds: longest })
      .toBuffer()
    return made.length < bytes.length ? made : undefined
  } catch (error) {
    if (/^timeout/i.test((error as Error).message)) throw new ResizeTimeout()
    return undefined
  }
}
