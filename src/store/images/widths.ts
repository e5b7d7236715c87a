/**
 * In which widths a picture is offered to browsers. The list is short and fixed: each width of each picture is made
 * and kept once, so nobody can ask for more than a few.
 */

/** Pixels: a phone, the column of a page, the same for a fine screen, a picture that fills a wide one. */
const widths = [480, 960, 1600, 2400] as const

export type ImageWidth = (typeof widths)[number]

/** What the rule asks of a picture: its bytes, type and pixels as they were measured when it was uploaded. */
export interface ImageInfo {
  readonly size: number
  readonly contentType: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** AVIF is small already, and GIF moves more often than not. */
const resizable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])
/** Bytes: with less there is nothing worth another request to save, and more is not read into memory. */
const [least, most] = [16 * 1024, 32 << 20]

/** Returns the width that is written so in an address; undefined when it is none of the list. */
export function parseWidth(written: string): ImageWidth | undefined {
  return widths.find((width) => String(width) === written)
}

/** True for pictures of which sizes are made. */
export function isResizable({ size, contentType, width, height }: ImageInfo): boolean {
  return (
    width !== undefined && height !== undefined && resizable.has(contentType) && size >= least && size <= most
  )
}

/**
 * Returns the widths in which a picture is offered, the least first, and how many pixels wide each then is: never
 * wider than the picture, which the first width that exceeds it stands for.
 */
export function widthsOf(image: ImageInfo): { readonly width: ImageWidth; readonly pixels: number }[] {
  const { width: own } = image
  if (own === undefined || !isResizable(image)) return []
  const enough = widths.findIndex((width) => width >= own)
  return widths
    .slice(0, enough < 0 ? undefined : enough + 1)
    .map((width) => ({ width, pixels: Math.min(width, own) }))
}
