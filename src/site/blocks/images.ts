/**
 * Pictures, alone or in a row, and inside a line.
 *
 * The size comes from the file, so the text below does not jump when the picture arrives, and the
 * browser takes the smallest bytes that are sharp where it stands. A picture with a dark variant stands twice: the reader's own choice of theme decides by style sheet, which a
 * `picture` element could not follow, and a lazy picture that is not shown is not fetched.
 */
import type { Image, Images, InlineImage } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import type { FileTarget, Rendering } from './context.js'
import { icon } from './icons.js'
import { type PicturePlace, sizesFor } from './picture-sizes.js'
import { lastPart, safeSource } from './safe-url.js'

/** A figure for each picture of the block. */
export function renderImages(block: Images, page: Rendering): Html {
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
function renderFigure(image: Image, page: Rendering, place: PicturePlace): Html {
  const caption =
    image.caption === undefined || image.caption.length === 0 ? nothing : page.inlines(image.caption)
  return html`<figure>
    ${renderImage(image, page, { place })}${caption !== nothing && html`<figcaption>${caption}</figcaption>`}
  </figure>`
}

/** A picture as part of a line of text, no higher than the line unless it asks for its own size. */
export function renderInlineImage(image: InlineImage, page: Rendering): Html {
  return image.size === 'original'
    ? renderImage(image, page, { className: 'inline-image original', place: 'column' })
    : renderImage(image, page, { className: 'inline-image', place: 'line' })
}

/** `img`, or two of them for the two themes; a sign with the alternative text where there is no picture. */
export function renderImage(
  image: Image,
  page: Rendering,
  { className, place }: { readonly className?: string; readonly place: PicturePlace },
): Html {
  const light = sourceOf(image.src, page)
  if (light === undefined) {
    const name = image.alt === undefined || image.alt === '' ? lastPart(image.src) : image.alt
    return html`<span class="missing-image" title="This image is missing">${icon('image-off')}${name}</span>`
  }
  const dark = image.srcDark === undefined ? undefined : sourceOf(image.srcDark, page)
  const stands = place === 'column' && page.context.isWide === true ? 'wide' : place
  // Of two for the two themes only one is fetched, because neither is before it is seen.
  const isAtOnce = dark === undefined && place !== 'line' && page.isFirstPicture()
  const one = (source: Source, theme?: string): Html => {
    const size = sizeOf(image, source.file)
    return html`<img${attributes({
      src: source.src,
      ...sizesFor(source.file, stands, pixelsOf(size.width)),
      alt: image.alt ?? '',
      class: [className, theme].filter(Boolean).join(' ') || undefined,
      ...size,
      loading: isAtOnce ? undefined : 'lazy',
      decoding: 'async',
    })}>`
  }
  return dark === undefined ? one(light) : html`${one(light, 'when-light')}${one(dark, 'when-dark')}`
}

interface Source {
  readonly src: string
  readonly file?: FileTarget
}

/** Where the bytes of a written source are: the file of the space, or the address itself; undefined when there are none, or unsafe. */
export function sourceOf(written: string, page: Rendering): Source | undefined {
  const file = page.context.file(written)
  if (file === undefined && page.context.link(written).broken === true) return undefined
  const src = safeSource(file?.href ?? written)
  if (src === undefined) return undefined
  return file === undefined ? { src } : { src, file }
}

/** A share of what is around is no number. */
function pixelsOf(width: string | number | undefined): number | undefined {
  const number = Number(width)
  return Number.isNaN(number) ? undefined : number
}

const pixels = /^(\d{1,5})(?:\.\d+)?(?:px)?$/
const share = /^(\d{1,3}(?:\.\d+)?)%$/

/** Width and height as attributes: the written ones, completed from the file by its proportions. */
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
