/** Responsive images: `srcset` and `sizes` of a picture, from its available widths and its rendered width. */
import type { FileTarget } from './context.js'
import { safeSource } from './safe-url.js'

/** Position of a picture, which limits its width in the style sheet. */
export type ImagePosition = 'column' | 'wide' | 'full' | 'cover' | 'card' | 'line'

const maxWidths: Readonly<Record<ImagePosition, string>> = {
  column: '45rem',
  wide: '66rem',
  full: '66rem',
  cover: '100vw',
  card: '24rem',
  line: '8rem',
}

/** Returns the attributes `srcset` and `sizes`; none for files of one size. `width` is the author's width in pixels. */
export function responsiveAttributes(
  file: FileTarget | undefined,
  place: ImagePosition,
  width?: number,
): { srcset?: string; sizes?: string } {
  const sources = (file?.sizes ?? []).flatMap(({ href, width: pixels }) => {
    const src = safeSource(href)
    return src === undefined ? [] : [`${src} ${pixels}w`]
  })
  if (sources.length === 0) return {}
  // Full-width pictures and covers are stretched.
  const ownWidth = place === 'full' || place === 'cover' ? undefined : (width ?? file?.width)
  const limits = ['100vw', maxWidths[place], ...(ownWidth === undefined ? [] : [`${ownWidth}px`])]
  return { srcset: sources.join(', '), sizes: `min(${limits.join(', ')})` }
}
