/**
 * The pictures of a document, made fit for paper: no larger than it shows, upright, of kinds that a PDF can hold. What
 * cannot be read is left out; a drawing stays one.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFileMode } from '../../store/files/private-permissions.js'
import { loadImageLibrary } from '../../store/images/library.js'
import type { Picture } from './context.js'

export interface BookFile {
  /** The address that it has in the markup. */
  readonly source: string
  /** In the folder. */
  readonly path: string
}

/** Pixels of a picture as wide as a page, sharp in print; and of all of them unpacked. */
const widest = 1_500
const highest = 2_100
const largestUnpacked = 100_000_000
/** Bytes of a drawing that is kept as one. */
const largestDrawing = 1_000_000
const patience = 10

/** Returns a picture in the folder, undefined for what cannot be shown. `plainly` makes pixels of drawings too. */
export async function preparePicture(
  folder: string,
  { path }: BookFile,
  plainly: boolean,
): Promise<Picture | undefined> {
  const library = await loadImageLibrary()
  try {
    const bytes = await readFile(join(folder, path))
    const image = library(bytes, { failOn: 'error', limitInputPixels: largestUnpacked })
    const about = await image.metadata()
    if (about.format === 'svg' && !plainly && bytes.length <= largestDrawing) {
      await writeFile(join(folder, `${path}.svg`), bytes, { mode: privateFileMode })
      return { path: `${path}.svg`, width: about.width, height: about.height }
    }
    const { width, height } = about.autoOrient
    const isDrawing = about.format === 'svg'
    const sharp = isDrawing ? library(bytes, { density: 144, limitInputPixels: largestUnpacked }) : image
    const made = sharp
      .autoOrient()
      .resize({ width: widest, height: highest, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: patience })
    const kind = about.hasAlpha || isDrawing ? 'png' : 'jpg'
    const written =
      kind === 'png'
        ? await made.png({ compressionLevel: 6 }).toBuffer()
        : await made.jpeg({ quality: 84 }).toBuffer()
    await writeFile(join(folder, `${path}.${kind}`), written, { mode: privateFileMode })
    return { path: `${path}.${kind}`, width, height }
  } catch {
    return undefined
  }
}
