/** What a browser is told to choose the size of a picture by: how wide each size is, and how wide it will be shown. */
import type { FileTarget } from './context.js'
import { safeSource } from './safe-url.js'

/** Where a picture stands: how wide it is shown at most, as the style sheet has it. */
export type PicturePlace = 'column' | 'wide' | 'full' | 'cover' | 'card' | 'line'

const widest: Readonly<Record<PicturePlace, string>> = {
  column: '45rem',
  wide: '66rem',
  full: '66rem',
  cover: '100vw',
  card: '24rem',
  line: '8rem',
}

/** Returns the attributes `srcset` and `sizes`; none for what has one size. `width` is what the author asked for, in pixels. */
export function sizesFor(
  file: FileTarget | undefined,
  place: PicturePlace,
  width?: number,
): { srcset?: string; sizes?: string } {
  const sources = (file?.sizes ?? []).flatMap(({ href, width: pixels }) => {
    const src = safeSource(href)
    return src === undefined ? [] : [`${src} ${pixels}w`]
  })
  if (sources.length === 0) return {}
  // Those that fill their place are stretched to it.
  const shown = place === 'full' || place === 'cover' ? undefined : (width ?? file?.width)
  const limits = ['100vw', widest[place], ...(shown === undefined ? [] : [`${shown}px`])]
  return { srcset: sources.join(', '), sizes: `min(${limits.join(', ')})` }
}
