/** Standard Markdown blocks: paragraphs, headings, lists, quotes, dividers, formulas, pipe tables. */
import type { Alignment, Block, Heading, List, ListItem } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { readAlert } from './alert.js'
import { trimInlines } from './caption.js'
import { readFence } from './code.js'
import { spanOf } from './construct.js'
import type { ElementNode, MarkdownNode, Node } from './nodes.js'
import { readPipeTable } from './pipe-table.js'
import { defined, elementValue, type Reader } from './reader.js'
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
      return readHeading(reader, inlineNodes(reader, children, scope), node.node.depth!, span, align)
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
  align?: Alignment,
): readonly Heading[] {
  const { id, rest } = takeAnchor(nodes)
  const children = trimInlines(reader.inlines(rest))
  const isEmpty = children.every((inline) => inline.type === 'text' && inline.text.trim() === '')
  if (isEmpty && id === undefined) return []
  const level = depth <= 2 ? 1 : depth === 3 ? 2 : 3
  const anchored = reader.anchors.take(plainText(children), 'heading', id)
  return [defined({ type: 'heading' as const, span, level, ...anchored, align, children }) as Heading]
}

/** Returns the anchor that an empty `<a id="…">` sets for a heading, and the nodes without that element. */
export function takeAnchor(nodes: readonly Node[]): { id?: string; rest: readonly Node[] } {
  const isAnchor = (node: Node): node is ElementNode =>
    node.kind === 'element' &&
    node.name === 'a' &&
    node.children.length === 0 &&
    (elementValue(node, 'id') ?? elementValue(node, 'name')) !== undefined
  const anchor = nodes.find(isAnchor)
  if (!anchor) return { rest: nodes }
  return {
    id: (elementValue(anchor, 'id') ?? elementValue(anchor, 'name'))!,
    rest: nodes.filter((node) => node !== anchor),
  }
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
