/**
 * Block parsing: converts sibling nodes to blocks. Inline nodes are gathered up to the next block: such a run is a
 * paragraph, images, or a formula. Markdown's own blocks are in `markdown-blocks.ts`, those of HTML in
 * `html-blocks.ts`, those of the dialect in the files listed in `constructs.ts`.
 */
import type { Alignment, Block, Inline, Span } from '../document/types.js'
import { trimInlines } from './caption.js'
import { warnUnended } from './construct.js'
import { findConstruct } from './constructs.js'
import { idsOfBlock, isBlockElement, readElement } from './html-blocks.js'
import { isImage, readImages } from './images.js'
import { idsOfTargets, isLinkTarget } from './link-targets.js'
import { isInlineSyntax, readMarkdown } from './markdown-blocks.js'
import type { Node, TagNode } from './nodes.js'
import { defined, type Reader } from './reader.js'

/** Returns the blocks of sibling `nodes`; nodes nested too deep become one paragraph of text. */
export function readBlocks(reader: Reader, nodes: readonly Node[], align?: Alignment): Block[] {
  if (nodes.length === 0) return []
  const span = { start: nodes[0]!.start, end: nodes.at(-1)!.end }
  return reader.nested(
    span,
    () => readRow(reader, nodes, align),
    () => [
      {
        type: 'paragraph',
        span,
        isSource: true,
        children: [{ type: 'text', text: reader.text.slice(span.start, span.end) }],
      },
    ],
  )
}

function readRow(reader: Reader, nodes: readonly Node[], align: Alignment | undefined): Block[] {
  const blocks: Block[] = []
  let run: Node[] = []
  /** Ids without a block so far, and paragraphs of nothing else: targets of the next block. */
  const ids: string[] = []
  const targets: (readonly string[])[] = []
  let targetSpan: Span = { start: 0, end: 0 }
  const add = (added: readonly Block[]): void => {
    // One by one: spreading all blocks as arguments could overflow the stack.
    for (const block of added) {
      const isTarget = block.type === 'paragraph' && block.children.length === 0
      if (isTarget) {
        targets.push(block.aliases ?? [])
        targetSpan = block.span
      } else blocks.push(withPending(block))
    }
  }
  const withPending = (block: Block): Block => {
    if (ids.length === 0 && targets.length === 0) return block
    const aliases = reader.anchors.join(targets.splice(0), (block.aliases ?? []) as string[])
    reader.anchors.claim(ids.splice(0), aliases)
    return aliases.length > 0 ? { ...block, aliases } : block
  }
  const addIds = (more: readonly string[], node: Node): void => {
    if (more.length === 0) return
    ids.push(...more)
    targetSpan = { start: node.start, end: node.end }
  }
  const flush = (): void => {
    const written = run.filter((node) => !isBlankNode(node))
    const content = written.filter((node) => !isLinkTarget(node))
    if (content.every(isImage)) {
      for (const node of written) addIds(idsOfTargets([node]), node)
      if (content.length > 0) add(readImages(content, reader))
    } else add(readRun(reader, run, align))
    run = []
  }
  for (const node of nodes) {
    if (isInline(node)) {
      if (run.length > 0 || node.kind !== 'text' || !isBlank(node.text)) run.push(node)
      continue
    }
    flush()
    if (node.kind === 'element') addIds(idsOfBlock(node), node)
    add(readNode(reader, node, align))
  }
  flush()
  const last = withPending({ type: 'paragraph', span: targetSpan, children: [] })
  if (last.aliases) blocks.push(last)
  return blocks
}

/** Returns whether a node and all its descendants are inline; without recursion, since elements may be deeply nested. */
function isInline(node: Node): boolean {
  const pending = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'tag' || (next.kind === 'stray' && next.family === 'tag')) return false
    if (next.kind === 'markdown' && !isInlineSyntax(next.node.type)) return false
    if (next.kind !== 'element') continue
    if (isBlockElement(next.name)) return false
    for (const child of next.children) pending.push(child)
  }
  return true
}

function readNode(reader: Reader, node: Node, align: Alignment | undefined): readonly Block[] {
  switch (node.kind) {
    case 'markdown':
      return readMarkdown(node, reader, align)
    case 'element':
      return readElement(node, reader)
    case 'tag':
      return readTag(node, reader)
    case 'stray':
    case 'text':
      return readStray(node, reader)
  }
}

function readTag(node: TagNode, reader: Reader): readonly Block[] {
  const construct = findConstruct(node.tag.name)!
  warnUnended(node, reader)
  if (construct.inside) {
    reader.problem(`{% ${node.tag.name} %} must stand directly in {% ${construct.inside} %}`, node.tag.span)
  }
  return construct.read(node, reader)
}

function readStray(node: Node, reader: Reader): readonly Block[] {
  const span = { start: node.start, end: node.end }
  const text = reader.text.slice(span.start, span.end)
  if (node.kind === 'stray') {
    const name = text.length > 60 ? `{% ${node.name} … %}` : text
    reader.problem(`${name} ends a block that was not opened: shown as text`, span)
  }
  return [{ type: 'paragraph', span, isSource: true, children: [{ type: 'text', text }] }]
}

function readRun(reader: Reader, run: readonly Node[], align: Alignment | undefined): readonly Block[] {
  let end = run.length
  while (end > 0 && isBlankNode(run[end - 1]!)) end--
  const nodes = run.slice(0, end)
  const written = nodes.filter((node) => !isBlankNode(node))
  const span = { start: nodes[0]!.start, end: nodes.at(-1)!.end }
  const only = written.length === 1 ? written[0]! : undefined
  if (only?.kind === 'markdown' && only.node.type === 'inlineMath') {
    return [{ type: 'math', span, formula: reader.unmask(only.node.value ?? '', span) }]
  }
  const children = trimInlines(reader.inlines(nodes))
  if (children.length === 0) return []
  if (children.every(isTargetOrBlank)) {
    const aliases = reader.anchors.join(children.map((one) => (one.type === 'anchor' ? one.aliases : [])))
    return [{ type: 'paragraph', span, aliases, children: [] }]
  }
  return [defined({ type: 'paragraph' as const, span, align, children })]
}

function isTargetOrBlank(inline: Inline): boolean {
  return inline.type === 'anchor' || (inline.type === 'text' && isBlank(inline.text))
}

const isBlank = (text: string): boolean => /^[ \t\r\n\f]*$/.test(text)

function isBlankNode(node: Node): boolean {
  if (node.kind === 'text') return isBlank(node.text)
  return node.kind === 'markdown' && node.node.type === 'text' && isBlank(node.node.value ?? '')
}
