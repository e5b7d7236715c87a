/**
 * Source blocks to nodes. What a node cannot hold, or would write as something else, is an opaque node with the source of
 * the block. The blocks are returned as the nodes write them, without blanks and orders of marks that make no difference:
 * they are what edits are compared with.
 */
import { Node as ProseNode, type Schema } from 'prosemirror-model'
import { type HashMemo, hashBlock } from '../../core/editing/canonical.js'
import { sourceLines } from '../../core/editing/lines.js'
import {
  type EditedBlock,
  type SourceAttributes,
  type SourceBlock,
  type SourceDocument,
  blocksOfSource,
} from '../../core/editing/source-blocks.js'
import { formatBlocks } from '../../core/markdown/format.js'
import type { Inline, Span } from '../../core/document/types.js'
import { type BlockReader, nodeNameOf } from './construct.js'
import { nodesOfInlines } from './inlines/inline-nodes.js'
import type { Origins } from './origins.js'
import { blockNodes } from './schema.js'
import { NodeWriter } from './to-blocks.js'

export interface ReadDocument {
  readonly doc: ProseNode
  readonly source: SourceDocument
}

/** Why a block is displayed as its source. */
export interface OpaqueSpan extends Span {
  readonly reason: string
}

/** Reads the blocks of one text. */
export class BlocksReader implements BlockReader {
  private readonly writer: NodeWriter
  private readonly asSource: ReadonlyMap<string, string>

  constructor(
    private readonly schema: Schema,
    private readonly source: string,
    private readonly origins: Origins,
    asSource: readonly OpaqueSpan[] = [],
    private readonly memo: HashMemo = new WeakMap(),
  ) {
    this.writer = new NodeWriter(origins)
    this.asSource = new Map(asSource.map(({ start, end, reason }) => [`${start} ${end}`, reason]))
  }

  document({ blocks, footnotes, ...others }: SourceDocument): ReadDocument {
    const nodes = this.blocks(blocks)
    const notes = footnotes.map(({ identifier, blocks: body }) =>
      this.create('footnote', { identifier }, this.blocks(body), this.origins.createKey()),
    )
    const doc = this.schema.nodes['doc']!.create(null, [...nodes, ...notes])
    const source = {
      ...others,
      blocks: this.sources(nodes),
      footnotes: footnotes.map((footnote, index) => ({
        ...footnote,
        blocks: this.sources(notes[index]!.children),
      })),
    }
    return { doc, source }
  }

  create(name: string, attributes: SourceAttributes, content: readonly ProseNode[], key?: number): ProseNode {
    return this.schema.nodes[name]!.create({ key: key ?? this.origins.createKey(), attributes }, content)
  }

  inlines(inlines: readonly Inline[]): ProseNode[] {
    return nodesOfInlines(this.schema, inlines)
  }

  text(text: string): ProseNode[] {
    return text === '' ? [] : [this.schema.text(text)]
  }

  blocks(blocks: readonly EditedBlock[]): ProseNode[] {
    return blocks.length === 0 ? [this.create('paragraph', {}, [])] : blocks.map((block) => this.block(block))
  }

  /** Returns the node of a block; of one in the text, remembers that it came from it. */
  block(block: EditedBlock): ProseNode {
    const reason = block.span && this.asSource.get(`${block.span.start} ${block.span.end}`)
    const node = reason === undefined ? this.known(block) : undefined
    return node ?? this.opaque(block, reason)
  }

  private known(block: EditedBlock): ProseNode | undefined {
    const known = blockNodes.get(nodeNameOf(block.type))
    if (known === undefined || block.type === 'opaque') return undefined
    const content = this.content(block)
    if (content === undefined) return undefined
    const key = this.origins.createKey()
    const node = this.create(nodeNameOf(block.type), attributesOf(block), content, key)
    if (block.span === undefined) return node
    const written = this.writer.block(node)
    const hasBlocks = block.blocks !== undefined
    if (!hasBlocks && hashBlock(written, this.memo) !== hashBlock(block, this.memo)) return undefined
    try {
      node.type.createChecked(node.attrs, node.content)
    } catch {
      return undefined
    }
    const own = { ...written, span: block.span } as SourceBlock
    const hash = this.memo.get(written)
    if (hash !== undefined) this.memo.set(own, hash)
    this.origins.place(key, own)
    this.origins.match(node, own)
    return node
  }

  private content(block: EditedBlock): readonly ProseNode[] | undefined {
    const { content } = blockNodes.get(nodeNameOf(block.type))!
    const { attributes, inlines = [], blocks = [] } = block
    switch (content) {
      case 'inlines':
        return this.inlines(inlines)
      case 'blocks':
        return this.blocks(blocks)
      case 'optional blocks':
        return blocks.map((one) => this.block(one))
      case 'none':
        return []
      default:
        if ('read' in content) return content.read(block, this)
        return 'text' in content
          ? this.text(String(attributes[content.text] ?? ''))
          : this.inlines(attributes[content.caption] as unknown as readonly Inline[])
    }
  }

  private opaque(block: EditedBlock, reason: string | undefined): ProseNode {
    const key = this.origins.createKey()
    const attributes = { kind: block.type, source: this.sourceOf(block) }
    const node = this.schema.nodes['opaque']!.create({ key, attributes, reason: reason ?? null })
    if (block.span !== undefined) {
      this.origins.place(key, block as SourceBlock)
      this.origins.match(node, block as SourceBlock)
    }
    return node
  }

  private sourceOf({ type, span, attributes, ...content }: EditedBlock): string {
    if (span !== undefined) return sourceLines(this.source, span).join('\n')
    if (type === 'opaque') return String(attributes['source'] ?? '')
    return formatBlocks(blocksOfSource([{ type, attributes, ...content }])).join('\n')
  }

  private sources(nodes: readonly ProseNode[]): SourceBlock[] {
    return nodes.flatMap((node) => this.origins.unchangedBlock(node) ?? [])
  }
}

/** Attributes without the one that is the content of the node. */
function attributesOf({ type, attributes, inlines, span }: EditedBlock): SourceAttributes {
  const { content } = blockNodes.get(nodeNameOf(type))!
  if (type === 'paragraph' && inlines?.length === 0 && span !== undefined)
    return { ...attributes, isTarget: true }
  if (typeof content === 'string') return attributes
  const name =
    'text' in content ? content.text : 'caption' in content ? content.caption : contentMembers.get(type)
  if (name === undefined) return attributes
  const { [name]: _, ...others } = attributes
  return others
}

/** Attributes that are nodes. */
const contentMembers = new Map([
  ['images', 'images'],
  ['expandable', 'title'],
  ['table', 'columns'],
])
