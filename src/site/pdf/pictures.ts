/**
 * Pictures of a PDF: resized to the printed size, rotated upright, and converted to formats that a PDF supports.
 * Unreadable files are omitted; SVG drawings stay vector graphics.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFileMode } from '../../store/files/private-permissions.js'
import { loadImageLibrary } from '../../store/images/library.js'
import type { Picture } from './context.js'

export interface BookFile {
  /** Its URL in the markup. */
  readonly source: string
  /** Relative to the folder. */
  readonly path: string
}

/** Pixels of a picture as wide as a page, sharp in print; and of one after decoding. */
const maxWidth = 1_500
const maxHeight = 2_100
const maxPixels = 100_000_000
/** Bytes up to which a drawing stays a vector graphic. */
const maxDrawingBytes = 1_000_000
const timeoutSeconds = 10

/** Writes a printable picture into the folder; returns undefined for unreadable files. `rasterizesDrawings` converts SVG too. */
export async function preparePicture(
  folder: string,
  { path }: BookFile,
  rasterizesDrawings: boolean,
): Promise<Picture | undefined> {
  const library = await loadImageLibrary()
  try {
    const bytes = await readFile(join(folder, path))
    const image = library(bytes, { failOn: 'error', limitInputPixels: maxPixels })
    const metadata = await image.metadata()
    if (metadata.format === 'svg' && !rasterizesDrawings && bytes.length <= maxDrawingBytes) {
      await writeFile(join(folder, `${path}.svg`), bytes, { mode: privateFileMode })
      return { path: `${path}.svg`, width: metadata.width, height: metadata.height }
    }
    const { width, height } = metadata.autoOrient
    const isDrawing = metadata.format === 'svg'
    const sharp = isDrawing ? library(bytes, { density: 144, limitInputPixels: maxPixels }) : image
    const resized = sharp
      .autoOrient()
      .resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: timeoutSeconds })
    const kind = metadata.hasAlpha || isDrawing ? 'png' : 'jpg'
    const written =
      kind === 'png'
        ? await resized.png({ compressionLevel: 6 }).toBuffer()
        : await resized.jpeg({ quality: 84 }).toBuffer()
    await writeFile(join(folder, `${path}.${kind}`), written, { mode: privateFileMode })
    return { path: `${path}.${kind}`, width, height }
  } catch {
    return undefined
  }
}
