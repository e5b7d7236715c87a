/** HTML block elements as blocks of the document; their content may be HTML or Markdown. */
import type { Alignment, Block, List, ListItem } from '../document/types.js'
import { readPre } from './code.js'
import { spanOf } from './construct.js'
import { readDetails } from './expandable.js'
import { frameImages, readFigure, readFraming } from './images.js'
import { meaningfulBlocks, rawBlocks, transparentBlocks } from './html-element-names.js'
import { idsOf, idsWithin, withTargets } from './link-targets.js'
import { readHeading } from './markdown-blocks.js'
import { readMedia } from './media.js'
import type { ElementNode } from './nodes.js'
import { defined, elementFlag, elementValue, type Reader, referAttribute } from './reader.js'
import { readTable } from './table.js'
import { urlAttributes } from './url-attributes.js'

/** Returns whether an element name is block-level. */
export function isBlockElement(name: string): boolean {
  return meaningfulBlocks.has(name) || transparentBlocks.has(name) || rawBlocks.has(name)
}

/** Returns the ids that lead to the block of an element: its own, and those inside it that no inner block gets. */
export function idsOfBlock(element: ElementNode): readonly string[] {
  return transparentBlocks.has(element.name) || element.name === 'p' || element.name === 'div'
    ? idsOf(element)
    : idsWithin([element])
}

/** Returns the blocks of one element; unknown elements are replaced by their content. */
export function readElement(element: ElementNode, reader: Reader): readonly Block[] {
  const span = spanOf(element)
  switch (element.name) {
    case 'p':
      return reader.blocks(element.children, alignmentOf(element))
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return readHeading(reader, element.children, Number(element.name[1]), span, {
        align: alignmentOf(element),
        id: elementValue(element, 'id'),
      })
    case 'div':
      return readDiv(element, reader)
    case 'ul':
    case 'ol':
      return [readList(element, reader)]
    case 'blockquote':
      return [{ type: 'blockquote', span, blocks: reader.blocks(element.children) }]
    case 'pre':
      return [readPre(element)]
    case 'hr':
      return [{ type: 'divider', span }]
    case 'details':
      return [readDetails(element, reader)]
    case 'figure':
      return readFigure(element, reader)
    case 'table':
      return readTable(element, reader)
  }
  if (!rawBlocks.has(element.name)) return reader.blocks(element.children)
  referRaw(element, reader)
  const media = readMedia(element)
  if (media) return [media]
  return [{ type: 'html', span, html: reader.text.slice(span.start, span.end) }]
}

/** Returns the alignment of an element. */
export function alignmentOf(element: ElementNode): Alignment | undefined {
  const align = elementValue(element, 'align')
  return align === 'center' ? 'center' : align === 'right' ? 'end' : align === 'left' ? 'start' : undefined
}

/** Collects the references of a raw HTML element and its descendants. */
export function referRaw(element: ElementNode, reader: Reader): void {
  const pending = [element]
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const [name, kind] of urlAttributes) {
      const attribute = next.attributes.get(name)
      if (attribute) referAttribute(reader, kind, attribute)
    }
    for (const child of next.children) {
      if (child.kind === 'element') pending.push(child)
      // Parsed only for its references: it is rendered as part of the HTML.
      else if (child.kind === 'markdown') reader.inlines([child])
    }
  }
}

function readDiv(div: ElementNode, reader: Reader): readonly Block[] {
  const blocks = reader.blocks(div.children, alignmentOf(div))
  const framing = readFraming(div)
  if (Object.keys(framing).length === 0) return blocks
  const { fullWidth } = framing
  return frameImages(blocks, framing, div).map((block) =>
    fullWidth &&
    (block.type === 'code' || block.type === 'table' || block.type === 'embed' || block.type === 'tabs')
      ? { ...block, fullWidth }
      : block,
  )
}

function readList(list: ElementNode, reader: Reader): List {
  const items = list.children.flatMap((child): ListItem[] => {
    if (child.kind !== 'element') return []
    const content = child.name === 'li' ? child.children : [child]
    const box = content.find(
      (inner): inner is ElementNode => inner.kind === 'element' && inner.name === 'input',
    )
    const checked = box && elementValue(box, 'type') === 'checkbox' ? elementFlag(box, 'checked') : undefined
    const rest = checked === undefined ? content : content.filter((inner) => inner !== box)
    const ids = child.name === 'li' ? idsOf(child) : []
    const blocks = withTargets(reader, reader.blocks(rest), ids, spanOf(child))
    return [defined({ span: spanOf(child), checked, blocks })]
  })
  const isTasks = items.some((item) => item.checked !== undefined)
  const first = Number(elementValue(list, 'start') ?? '1')
  return defined({
    type: 'list' as const,
    span: spanOf(list),
    kind: isTasks ? ('tasks' as const) : list.name === 'ol' ? ('ordered' as const) : ('unordered' as const),
    start: list.name === 'ol' && !isTasks ? (Number.isSafeInteger(first) ? first : 1) : undefined,
    tight: true,
    items,
  })
}
