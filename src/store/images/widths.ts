/**
 * Responsive image widths. The list is short and fixed: each width of each image is created and stored once, so that no
 * client can request more than a few.
 */

/** Pixels: a phone, the column of a page, the same at high density, a full-width image. */
const widths = [480, 960, 1600, 2400] as const

export type ImageWidth = (typeof widths)[number]

/** Size, type and pixels of an image, as measured at its upload. */
export interface ImageInfo {
  readonly size: number
  readonly contentType: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** AVIF is small already, and GIF is usually animated. */
const resizable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])
/** Bytes: smaller images are not worth resizing, and larger ones are not read into memory. */
const [least, most] = [16 * 1024, 32 << 20]

/** Parses a width in an address; returns undefined when it is not in the list. */
export function parseWidth(written: string): ImageWidth | undefined {
  return widths.find((width) => String(width) === written)
}

/** True for images that are resized. */
export function isResizable({ size, contentType, width, height }: ImageInfo): boolean {
  return (
    width !== undefined && height !== undefined && resizable.has(contentType) && size >= least && size <= most
  )
}

/**
 * Returns the widths in which an image is offered, the smallest first, with the actual pixels of each: never wider than the
 * original, which is used for the first width that exceeds it.
 */
export function widthsOf(image: ImageInfo): { readonly width: ImageWidth; readonly pixels: number }[] {
  const { width: own } = image
  if (own === undefined || !isResizable(image)) return []
  const enough = widths.findIndex((width) => width >= own)
  return widths
    .slice(0, enough < 0 ? undefined : enough + 1)
    .map((width) => ({ width, pixels: Math.min(width, own) }))
}
