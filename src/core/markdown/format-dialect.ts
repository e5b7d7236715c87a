/** Formats the blocks of the dialect that are tags with few attributes, and images with what Markdown cannot say of them. */
import type {
  Block,
  ContentRef,
  Drawing,
  If,
  Image,
  Images,
  Integration,
  OpenAPIBlock,
  Prompt,
  ReusableContent,
  Updates,
} from '../document/types.js'
import { formatContentRef } from './content-ref.js'
import { encodeAttribute } from './entities.js'
import { imageAsHtml, inlinesAsHtml } from './format-html.js'
import { formatInlines } from './format-inlines.js'
import { formatIf } from './if.js'
import { formatInclude } from './include.js'
import { formatIntegration } from './integration.js'
import { formatOpenAPI } from './openapi.js'
import { formatPrompt } from './prompt.js'
import { formatEndTag } from './tags.js'
import { formatUpdate, formatUpdates } from './updates.js'

type DialectBlock =
  | ContentRef
  | Drawing
  | If
  | Integration
  | OpenAPIBlock
  | Prompt
  | ReusableContent
  | Updates

/** Returns the lines of a block; `inside` returns those of nested ones, and `fence` those of code. */
export function dialectRows(
  block: DialectBlock,
  inside: (blocks: readonly Block[]) => readonly string[],
  fence: (code: string) => readonly string[],
): string[] {
  switch (block.type) {
    case 'content-ref': {
      const { label, url } = block
      if (label === '') return [formatContentRef(block)]
      const link = { type: 'link' as const, url, children: [{ type: 'text' as const, text: label }] }
      return [
        formatContentRef(block),
        formatInlines([link], { annotate: () => {} }),
        formatEndTag('content-ref'),
      ]
    }
    case 'drawing':
      return [
        `<img src="${encodeAttribute(block.src)}" alt="${encodeAttribute(block.alt ?? '')}" class="gitbook-drawing">`,
      ]
    case 'if':
      return [formatIf(block), ...inside(block.blocks), formatEndTag('if')]
    case 'integration':
      return [formatIntegration(block)]
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
      return block.blocks.length === 0
        ? [formatOpenAPI(block)]
        : [formatOpenAPI(block), ...inside(block.blocks), formatEndTag(block.type)]
    case 'swagger':
      // Made from the attributes of legacy tags, which have nothing to format.
      throw new TypeError(`${block.type} is not written`)
    case 'prompt':
      return [formatPrompt(block), ...fence(block.text), formatEndTag('prompt')]
    case 'reusable-content':
      return [formatInclude(block)]
    case 'updates': {
      const updates = block.updates.flatMap((update) => [
        formatUpdate(update),
        ...inside(update.blocks),
        formatEndTag('update'),
      ])
      return [formatUpdates(block), ...updates, formatEndTag('updates')]
    }
  }
}

/** Returns the lines of images: Markdown's own syntax, figures for what it lacks, and a `<div>` that frames them. */
export function imagesRows(block: Images): string[] {
  const attributes = [
    ['align', block.align],
    ['data-full-width', block.fullWidth && 'true'],
    ['data-with-frame', block.withFrame && 'true'],
  ].flatMap(([name, value]) => (value ? [` ${name}="${encodeAttribute(value)}"`] : []))
  if (attributes.length > 0) return [`<div${attributes.join('')}>${block.images.map(figure).join('')}</div>`]
  const [only] = block.images
  if (block.images.length === 1 && only !== undefined && needsFigure(only)) return [figure(only)]
  return [formatInlines(block.images.flatMap(spaced), { annotate: () => {} })]
}

function spaced(image: Image, index: number) {
  const inline = { type: 'inline-image' as const, ...image }
  return index === 0 ? [inline] : [{ type: 'text' as const, text: ' ' }, inline]
}

function needsFigure({ caption = [], width, height, srcDark }: Image): boolean {
  return caption.length > 0 || width !== undefined || height !== undefined || srcDark !== undefined
}

function figure(image: Image): string {
  const caption = image.caption ?? []
  const written = caption.length === 0 ? '' : `<p>${inlinesAsHtml(caption)}</p>`
  return `<figure>${imageAsHtml(image)}<figcaption>${written}</figcaption></figure>`
}
