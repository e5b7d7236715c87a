/**
 * Nodes to blocks: the document that an editor means. Nodes that are what they were in the text are the blocks of the text
 * themselves, so that only what was edited is made anew, hashed and compared. Blocks that say nothing yet are left out.
 */
import type { Node as ProseNode } from 'prosemirror-model'
import type { Inline } from '../../core/document/types.js'
import type { JsonValue } from '../../core/document/json-node.js'
import type { EditedBlock, SourceBlock, SourceFootnote } from '../../core/editing/source-blocks.js'
import type { EditedDocument } from '../../core/editing/write-edits.js'
import { type BlockContent, type BlockWriter, attributesOf, blockTypeOf } from './construct.js'
import { inlinesOfNode } from './inlines/inline-nodes.js'
import type { Origins } from './origins.js'
import { blockNodes } from './schema.js'

export class NodeWriter implements BlockWriter {
  constructor(private readonly origins: Origins) {}

  /** Returns the blocks of a document; footnotes of the text stay in it. */
  document(doc: ProseNode, footnotes: readonly SourceFootnote[]): EditedDocument {
    const notes = new Map<string, readonly EditedBlock[]>(
      footnotes.map(({ identifier, blocks }) => [identifier, blocks]),
    )
    for (const node of doc.children) {
      const { identifier } = attributesOf(node)
      if (node.type.name === 'footnote' && typeof identifier === 'string')
        notes.set(identifier, this.blocks(node))
    }
    return {
      blocks: this.blocks(doc),
      footnotes: [...notes].map(([identifier, blocks]) => ({ identifier, blocks })),
    }
  }

  inlines(node: ProseNode): readonly Inline[] {
    return inlinesOfNode(node)
  }

  blocks(node: ProseNode): readonly EditedBlock[] {
    return this.writtenChildren(node).map((child) => this.block(child))
  }

  block(node: ProseNode): EditedBlock {
    const same = this.origins.unchangedBlock(node)
    if (same) return same
    const origin = this.origins.blockOf(node)
    // What is displayed as source is what it was, wherever its node came from.
    if (node.type.name === 'opaque') return origin ?? { type: 'opaque', attributes: attributesOf(node) }
    return {
      type: blockTypeOf(node) as EditedBlock['type'],
      ...(origin && { span: origin.span }),
      ...this.content(node),
    }
  }

  origin(node: ProseNode): SourceBlock | undefined {
    return this.origins.blockOf(node)
  }

  /** The children of a node that are blocks of the text, or become some: all but those that say nothing yet. */
  writtenChildren(node: ProseNode): ProseNode[] {
    return node.children.filter(
      (child) =>
        !isContentPart(child) && (this.origins.unchangedBlock(child) !== undefined || !isUnwritten(child)),
    )
  }

  /** The children of a node that are the blocks of its block. */
  blockChildren(node: ProseNode): ProseNode[] {
    const { name } = node.type
    if (node.inlineContent || name === 'images') return []
    const children = this.writtenChildren(node)
    return name === 'table' ? children.slice(1) : children
  }

  private content(node: ProseNode): BlockContent {
    const { content } = blockNodes.get(node.type.name)!
    const attributes = attributesOf(node)
    switch (content) {
      case 'inlines': {
        const { isTarget: _, ...others } = attributes
        return { attributes: others, inlines: this.inlines(node) }
      }
      case 'blocks':
      case 'optional blocks':
        return { attributes, blocks: this.blocks(node) }
      case 'none':
        return { attributes }
      default:
        if ('write' in content) return content.write(node, this)
        return 'text' in content
          ? { attributes: { ...attributes, [content.text]: node.textContent } }
          : { attributes: { ...attributes, [content.caption]: this.inlines(node) as unknown as JsonValue } }
    }
  }
}

/** Nodes that are attributes of the block around them. */
function isContentPart({ type: { name } }: ProseNode): boolean {
  return name === 'summary' || name === 'footnote'
}

/** Whether a block says nothing yet. */
function isUnwritten(node: ProseNode): boolean {
  if (blockNodes.get(node.type.name)?.isBlank?.(node)) return true
  // A quote without content has no syntax.
  return node.type.name === 'blockquote' && node.children.every(isUnwritten)
}
