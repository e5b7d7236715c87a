/**
 * Pictures: single, in a row, and inline.
 *
 * The size comes from the file, so the layout does not shift when the picture loads, and the browser takes the
 * smallest size that is sharp. A picture with a dark variant is in the markup twice: the reader's choice of theme
 * decides by style sheet, which a `picture` element could not follow, and a hidden lazy picture is not fetched.
 */
import type { Image, Images, InlineImage } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import type { FileTarget, PageRenderer } from './context.js'
import { icon } from './icons.js'
import { type ImagePosition, responsiveAttributes } from './responsive-images.js'
import { lastPart, safeSource } from './safe-url.js'

/** A figure for each picture of the block. */
export function renderImages(block: Images, page: PageRenderer): Html {
  const classes = [
    'images',
    block.align !== undefined && `align-${block.align}`,
    block.fullWidth === true && 'full-width',
    block.withFrame === true && 'framed',
    block.images.length > 1 && 'several',
  ]
  return html`<div class="${classes.filter(Boolean).join(' ')}">
    ${block.images.map((image) => renderFigure(image, page, block.fullWidth === true ? 'full' : 'column'))}
  </div>\n`
}

/** A picture with its caption below. */
function renderFigure(image: Image, page: PageRenderer, place: ImagePosition): Html {
  const caption =
    image.caption === undefined || image.caption.length === 0 ? nothing : page.inlines(image.caption)
  return html`<figure>
    ${renderImage(image, page, { place })}${caption !== nothing && html`<figcaption>${caption}</figcaption>`}
  </figure>`
}

/** An inline picture, no higher than the line unless it has its original size. */
export function renderInlineImage(image: InlineImage, page: PageRenderer): Html {
  return image.size === 'original'
    ? renderImage(image, page, { className: 'inline-image original', place: 'column' })
    : renderImage(image, page, { className: 'inline-image', place: 'line' })
}

/** `img`, or two of them for the two themes; an icon with the alternative text if the file is missing. */
export function renderImage(
  image: Image,
  page: PageRenderer,
  { className, place }: { readonly className?: string; readonly place: ImagePosition },
): Html {
  const light = sourceOf(image.src, page)
  if (light === undefined) {
    const name = image.alt === undefined || image.alt === '' ? lastPart(image.src) : image.alt
    return html`<span class="missing-image" title="This image is missing">${icon('image-off')}${name}</span>`
  }
  const dark = image.srcDark === undefined ? undefined : sourceOf(image.srcDark, page)
  const position = place === 'column' && page.context.isWide === true ? 'wide' : place
  // Both pictures of a themed pair are lazy, so that only the visible one is fetched.
  const isEager = dark === undefined && place !== 'line' && page.isFirstPicture()
  const renderSource = (source: ImageSource, theme?: string): Html => {
    const size = sizeOf(image, source.file)
    return html`<img${attributes({
      src: source.src,
      ...responsiveAttributes(source.file, position, pixelsOf(size.width)),
      alt: image.alt ?? '',
      class: [className, theme].filter(Boolean).join(' ') || undefined,
      ...size,
      loading: isEager ? undefined : 'lazy',
      decoding: 'async',
    })}>`
  }
  return dark === undefined
    ? renderSource(light)
    : html`${renderSource(light, 'when-light')}${renderSource(dark, 'when-dark')}`
}

interface ImageSource {
  readonly src: string
  readonly file?: FileTarget
}

/** Returns the URL of an image source: a file of the space, or the source itself; undefined if missing or unsafe. */
export function sourceOf(written: string, page: PageRenderer): ImageSource | undefined {
  const file = page.context.file(written)
  if (file === undefined && page.context.link(written).broken === true) return undefined
  const src = safeSource(file?.href ?? written)
  if (src === undefined) return undefined
  return file === undefined ? { src } : { src, file }
}

/** Returns a width in pixels; undefined for percentages. */
function pixelsOf(width: string | number | undefined): number | undefined {
  const number = Number(width)
  return Number.isNaN(number) ? undefined : number
}

const pixels = /^(\d{1,5})(?:\.\d+)?(?:px)?$/
const share = /^(\d{1,3}(?:\.\d+)?)%$/

/** Returns the width and height attributes: the declared ones, completed with the proportions of the file. */
export function sizeOf(
  image: Pick<Image, 'width' | 'height'>,
  file: FileTarget | undefined,
): { width?: string | number; height?: string | number } {
  const width = pixels.exec(image.width ?? '')?.[1]
  const height = pixels.exec(image.height ?? '')?.[1]
  const part = share.exec(image.width ?? '')?.[0]
  if (part !== undefined) return { width: part }
  const ratio =
    file?.width !== undefined && file.height !== undefined && file.width > 0 && file.height > 0
      ? file.width / file.height
      : undefined
  if (width !== undefined) {
    const other = height ?? (ratio === undefined ? undefined : Math.round(Number(width) / ratio))
    return other === undefined ? { width } : { width, height: other }
  }
  if (height !== undefined) {
    return ratio === undefined ? { height } : { width: Math.round(Number(height) * ratio), height }
  }
  return ratio === undefined ? {} : { width: file?.width as number, height: file?.height as number }
}
