/** Figures with captions, and embedded media. */
import type { Block, Inline } from '../document/types.js'
import { trimInlines } from '../markdown/caption.js'
import { type HtmlElement, descendants, elementsOf, findElement, textOf, valueOf, wordsOf } from './nodes.js'
import { imageOf } from './inlines.js'
import { type HtmlReader, noSpan } from './reader.js'

/** Returns the blocks of a figure: its images, the caption with the last; or its other content. */
export function readFigure(reader: HtmlReader, figure: HtmlElement): readonly Block[] {
  const caption = findElement(figure, ({ name }) => name === 'figcaption')
  if (caption) reader.skipped.add(caption)
  const children = caption ? trimInlines(reader.inlines(caption.children)) : []
  const pictures = [...descendants(figure)].filter(({ name }) => name === 'img')
  const holdsMore = textOf(figure, (one) => one === caption || one.name === 'noscript').trim() !== ''
  if (pictures.length === 0 || holdsMore) return withCaption(reader.blocks(figure.children), children)
  const images = pictures.flatMap((picture) => imageOf(reader, picture) ?? [])
  if (images.length === 0) return withCaption([], children)
  return images.map((image, index): Block => ({
    type: 'images',
    span: noSpan,
    images: [index === images.length - 1 && children.length > 0 ? { ...image, caption: children } : image],
  }))
}

function withCaption(blocks: readonly Block[], children: readonly Inline[]): readonly Block[] {
  return children.length === 0 ? blocks : [...blocks, { type: 'paragraph', span: noSpan, children }]
}

/** Returns an embed or a media file; one without URL is reported as lost. */
export function readMedia(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const { name } = element
  const source = elementsOf(element).find((one) => one.name === 'source')
  const written =
    valueOf(element, 'src') ??
    valueOf(element, 'data-src') ??
    valueOf(element, 'data') ??
    (source && valueOf(source, 'src'))
  if (name === 'iframe') {
    const url = reader.destination(written === undefined ? undefined : pageOfPlayer(written), 'link')
    if (url !== undefined && /^https?:/i.test(url)) return [{ type: 'embed', span: noSpan, url, caption: [] }]
    reader.reportLoss('pages shown in the page (iframe)')
    return []
  }
  if (name === 'video' || name === 'audio') {
    const src = reader.destination(written, 'file')
    const poster = reader.destination(valueOf(element, 'poster'), 'image')
    if (src !== undefined)
      return [{ type: 'file', span: noSpan, src, ...(poster !== undefined && { poster }), caption: [] }]
  }
  reader.reportLoss(`elements <${name}>`)
  const words = wordsOf(element)
  return words === '' ? [] : reader.blocks(element.children)
}

/** The public page of a video for the URL of its embedded player. */
function pageOfPlayer(url: string): string {
  const full = url.startsWith('//') ? `https:${url}` : url
  const youtube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{5,20})/.exec(full)?.[1]
  if (youtube) return `https://www.youtube.com/watch?v=${youtube}`
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d{3,15})/.exec(full)?.[1]
  return vimeo ? `https://vimeo.com/${vimeo}` : full
}
