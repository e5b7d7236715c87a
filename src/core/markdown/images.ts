/**
 * Images: Markdown's own, `<img>`, `<picture>` with a dark variant, `<figure>` with a caption; several in one
 * paragraph are rendered side by side. Alignment, frame and full width come from a `<div>` around them.
 */
import type { Block, Image, Images, InlineImage } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { captionOf } from './caption.js'
import { spanOf } from './construct.js'
import type { ElementNode, MarkdownNode, Node } from './nodes.js'
import { defined, elementFlag, elementValue, type Reader, referAttribute } from './reader.js'
import { findDestination } from './references.js'
import { spanIn } from './source.js'

type Framing = Pick<Images, 'align' | 'fullWidth' | 'withFrame'>

const isDrawing = (image: ElementNode): boolean =>
  /\bgitbook-drawing\b/.test(elementValue(image, 'class') ?? '')

/** Returns whether a node is an image that may be a block. */
export function isImage(node: Node): boolean {
  if (node.kind === 'markdown') return node.node.type === 'image' || node.node.type === 'imageReference'
  if (node.kind !== 'element') return false
  return node.name === 'picture' || (node.name === 'img' && elementValue(node, 'data-size') === undefined)
}

/** Returns the blocks of nodes that are all images. */
export function readImages(nodes: readonly Node[], reader: Reader): Block[] {
  const first = nodes[0]!
  if (nodes.length === 1 && first.kind === 'element' && first.name === 'img' && isDrawing(first)) {
    return [drawingOf(first, reader)]
  }
  const span = { start: first.start, end: nodes.at(-1)!.end }
  const images = nodes.flatMap((node) => readImage(node, reader) ?? [])
  return images.length > 0 ? [{ type: 'images', span, images }] : []
}

function drawingOf(image: ElementNode, reader: Reader): Block {
  const src = referAttribute(reader, 'image', image.attributes.get('src')) ?? ''
  return defined({ type: 'drawing' as const, span: spanOf(image), src, alt: elementValue(image, 'alt') })
}

/** Returns the image of an image node; undefined when it has no source. */
export function readImage(node: Node, reader: Reader): Image | undefined {
  if (node.kind === 'markdown') return readMarkdownImage(node, reader)
  if (node.kind !== 'element') return undefined
  if (node.name === 'img') return readImg(node, reader)
  const dark = findElement(node, 'source', (source) => /dark/.test(elementValue(source, 'media') ?? ''))
  const srcDark = dark && referSourceSet(dark, reader)
  const light = findElement(node, 'img')
  const image = light && readImg(light, reader)
  return image && defined({ ...image, srcDark: srcDark ?? image.srcDark })
}

function readImg(img: ElementNode, reader: Reader): Image | undefined {
  const src = referAttribute(reader, 'image', img.attributes.get('src'))
  if (!src) return undefined
  return defined({
    src,
    alt: elementValue(img, 'alt'),
    width: elementValue(img, 'width'),
    height: elementValue(img, 'height'),
  })
}

/** The first candidate of a `srcset` is used. */
function referSourceSet(source: ElementNode, reader: Reader): string | undefined {
  const set = source.attributes.get('srcset')
  const url = set && firstCandidate(set.value)
  if (!set || !url) return undefined
  const written = firstCandidate(reader.text.slice(set.span.start, set.span.end))
  const start = reader.text.indexOf(written, set.span.start)
  reader.refer('image', url, { start, end: start + written.length }, 'attribute')
  return url
}

/** Without width or density; file names may contain spaces, although a browser would stop there. */
function firstCandidate(set: string): string {
  const [first = ''] = set.split(/,(?=\s|$)/, 1)
  const words = first.trim()
  const last = words.lastIndexOf(' ')
  return last > 0 && /^\d+(?:\.\d+)?[wx]$/.test(words.slice(last + 1))
    ? words.slice(0, last).trimEnd()
    : words
}

function readMarkdownImage({ node, scope, start, end }: MarkdownNode, reader: Reader): Image | undefined {
  const span = { start, end }
  const { position } = node
  const definition = node.type === 'imageReference' ? reader.definitions.get(node.identifier!) : undefined
  const src = node.type === 'imageReference' ? definition?.url : reader.unmask(node.url!, span)
  if (!src) return undefined
  if (node.type === 'image') {
    const destination = findDestination(
      scope.masked,
      position.start.offset + 1,
      position.end.offset,
      node.url!,
    )
    if (destination)
      reader.refer(
        'image',
        src,
        spanIn(scope, destination.span.start, destination.span.end),
        destination.syntax,
      )
  }
  const title = (node.type === 'imageReference' ? definition?.title : node.title) || undefined
  return defined({
    src,
    alt: node.alt ? reader.unmask(node.alt, span) : undefined,
    caption: title === undefined ? undefined : [{ type: 'text' as const, text: reader.unmask(title, span) }],
  })
}

/** Returns the image of an inline `<img>`, `<picture>` or Markdown image. */
export function readInlineImage(node: Node, reader: Reader): InlineImage | undefined {
  const image = readImage(node, reader)
  const img = node.kind === 'element' ? (node.name === 'img' ? node : findElement(node, 'img')) : undefined
  const size = img && elementValue(img, 'data-size')
  return (
    image &&
    defined({
      type: 'inline-image' as const,
      ...image,
      size: size === 'line' || size === 'original' ? size : undefined,
    })
  )
}

/** Returns the blocks of a `<figure>`: its image with the caption, or its other content. */
export function readFigure(figure: ElementNode, reader: Reader): Block[] {
  const picture = findElement(figure, 'picture') ?? findElement(figure, 'img')
  const caption = findElement(figure, 'figcaption')
  if (!picture)
    return reader.blocks(figure.children.flatMap((child) => (child === caption ? caption.children : child)))
  if (picture.name === 'img' && isDrawing(picture))
    return [{ ...drawingOf(picture, reader), span: spanOf(figure) }]
  const image = readImage(picture, reader)
  const inlines = caption ? captionOf(caption.children, reader) : []
  if (!image) {
    reader.problem('An image needs src', spanOf(picture))
    return inlines.length > 0 ? [{ type: 'paragraph', span: spanOf(figure), children: inlines }] : []
  }
  const withCaption =
    plainText(inlines).trim() === '' && inlines.length === 0 ? image : { ...image, caption: inlines }
  return [{ type: 'images', span: spanOf(figure), images: [withCaption] }]
}

/** Returns the framing that a `<div>` sets for the images in it. */
export function readFraming(div: ElementNode): Framing {
  const align = elementValue(div, 'align')
  return defined({
    align: align === 'left' || align === 'center' || align === 'right' ? align : undefined,
    fullWidth: elementFlag(div, 'data-full-width') || undefined,
    withFrame: elementFlag(div, 'data-with-frame') || undefined,
  })
}

/** Returns `blocks` with the images among them framed; images side by side in one `<div>` become one block. */
export function frameImages(blocks: readonly Block[], framing: Framing, div: ElementNode): readonly Block[] {
  if (blocks.length > 0 && blocks.every((block) => block.type === 'images')) {
    const inner = Object.assign(
      {},
      ...blocks.map(({ align, fullWidth, withFrame }) => defined({ align, fullWidth, withFrame })),
    )
    return [
      {
        type: 'images',
        span: spanOf(div),
        ...inner,
        ...framing,
        images: blocks.flatMap((block) => block.images),
      },
    ]
  }
  return blocks.map((block) => (block.type === 'images' ? { ...block, ...framing } : block))
}

/** Returns the first descendant of that name, in order, searching no deeper than figures ever are. */
function findElement(
  element: ElementNode,
  name: string,
  isWanted: (element: ElementNode) => boolean = () => true,
  depth = 8,
): ElementNode | undefined {
  for (const child of element.children) {
    if (child.kind !== 'element') continue
    if (child.name === name && isWanted(child)) return child
    const match = depth > 0 ? findElement(child, name, isWanted, depth - 1) : undefined
    if (match) return match
  }
  return undefined
}
