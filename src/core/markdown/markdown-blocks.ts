/** Standard Markdown blocks: paragraphs, headings, lists, quotes, dividers, formulas, pipe tables. */
import type { Alignment, Block, Heading, List, ListItem } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { readAlert } from './alert.js'
import { anchorOf } from './anchors.js'
import { trimInlines } from './caption.js'
import { readFence } from './code.js'
import { spanOf } from './construct.js'
import { takeHeadingId } from './heading-id.js'
import { idsOf, withTargets } from './link-targets.js'
import type { ElementNode, MarkdownNode, Node } from './nodes.js'
import { readPipeTable } from './pipe-table.js'
import { defined, type Reader } from './reader.js'
import { blockNodes, inlineNodes } from './tokens.js'
import { spanIn } from './source.js'

const inlineSyntax = new Set(
  'text emphasis strong delete inlineCode link linkReference image imageReference break footnoteReference inlineMath'.split(
    ' ',
  ),
)

/** Returns whether a node of the Markdown tree is inline. */
export function isInlineSyntax(type: string): boolean {
  return inlineSyntax.has(type)
}

/** Returns the blocks of one node of the Markdown tree. */
export function readMarkdown(node: MarkdownNode, reader: Reader, align?: Alignment): readonly Block[] {
  const { scope } = node
  const children = node.node.children ?? []
  const span = spanOf(node)
  switch (node.node.type) {
    case 'paragraph':
      return reader.blocks(inlineNodes(reader, children, scope), align)
    case 'heading':
      return readMarkdownHeading(node, reader, align)
    case 'list':
      return [readList(node, reader)]
    case 'blockquote':
      return [
        readAlert(node, reader) ?? {
          type: 'blockquote',
          span,
          blocks: reader.blocks(blockNodes(reader, children, scope)),
        },
      ]
    case 'code':
      return [readFence(node, reader)]
    case 'math':
      return [{ type: 'math', span, formula: reader.unmask(node.node.value ?? '', span) }]
    case 'thematicBreak':
      return [{ type: 'divider', span }]
    case 'table':
      return [readPipeTable(node, reader)]
    default:
      return [
        {
          type: 'paragraph',
          span,
          isSource: true,
          children: [{ type: 'text', text: reader.text.slice(span.start, span.end) }],
        },
      ]
  }
}

/** Returns a heading, none when it is empty; `depth` counts as in Markdown, where one `#` is the level of the title. */
export function readHeading(
  reader: Reader,
  nodes: readonly Node[],
  depth: number,
  span: { start: number; end: number },
  { align, id: own }: { readonly align?: Alignment | undefined; readonly id?: string | undefined } = {},
): readonly Heading[] {
  const { ids, rest } = takeAnchor(nodes)
  const id = own ?? ids[0]
  const children = trimInlines(reader.inlines(rest))
  const isEmpty = children.every(
    (inline) => inline.type === 'anchor' || (inline.type === 'text' && inline.text.trim() === ''),
  )
  if (isEmpty && id === undefined) return []
  const level = depth <= 2 ? 1 : depth === 3 ? 2 : 3
  const anchored = reader.anchors.take(plainText(children), 'heading', id)
  const heading = defined({
    type: 'heading' as const,
    span,
    level,
    ...anchored,
    id,
    align,
    children,
  }) as Heading
  const others = ids.filter((one) => one !== id)
  return withTargets(reader, [heading], others, span) as readonly Heading[]
}

/** A Markdown heading, whose id may be in braces at its end; the slug of its text then remains as an alias. */
function readMarkdownHeading(item: MarkdownNode, reader: Reader, align?: Alignment): readonly Heading[] {
  const { node, scope } = item
  const span = spanOf(item)
  const { id, children } = takeHeadingId(node, scope)
  const nodes = inlineNodes(reader, children, scope)
  const headings = readHeading(reader, nodes, node.depth!, span, { align, id })
  const [heading] = headings
  if (id === undefined || heading === undefined) return headings
  const slug = anchorOf(plainText(heading.children))
  return withTargets(reader, headings, slug === '' ? [] : [slug], span) as readonly Heading[]
}

/** Returns the ids that an empty `<a id="…">` sets for a heading, and the nodes without that element. */
export function takeAnchor(nodes: readonly Node[]): { ids: readonly string[]; rest: readonly Node[] } {
  const anchor = nodes.find(
    (node): node is ElementNode =>
      node.kind === 'element' && node.name === 'a' && node.children.length === 0 && idsOf(node).length > 0,
  )
  if (!anchor) return { ids: [], rest: nodes }
  return { ids: idsOf(anchor), rest: nodes.filter((node) => node !== anchor) }
}

function readList({ node, scope, start, end }: MarkdownNode, reader: Reader): List {
  const children = node.children ?? []
  const items = children.map((child): ListItem => {
    const span = spanIn(scope, child.position.start.offset, child.position.end.offset)
    const checked = child.checked ?? undefined
    const blocks = reader.blocks(blockNodes(reader, child.children ?? [], scope))
    return defined({ span, checked, blocks })
  })
  const isTasks = items.some((item) => item.checked !== undefined)
  return defined({
    type: 'list' as const,
    span: { start, end },
    kind: isTasks ? ('tasks' as const) : node.ordered ? ('ordered' as const) : ('unordered' as const),
    start: node.ordered && !isTasks ? (node.start ?? 1) : undefined,
    tight: !node.spread && children.every((child) => !child.spread),
    items,
  })
}
