/**
 * Origins: which block of the text each node of the document came from. A node has a key for as long as it lives; the
 * table says what block of the saved text has it, and is made anew with each version of the text.
 */
import type { Node as ProseNode } from 'prosemirror-model'
import type { SourceBlock } from '../../core/editing/source-blocks.js'

export class Origins {
  private readonly blocks = new Map<number, SourceBlock>()
  private readonly unchanged = new WeakMap<ProseNode, SourceBlock>()

  constructor(private readonly keys = { next: 1 }) {}

  createKey(): number {
    return this.keys.next++
  }

  /** Returns the table of another version of the text: no node is in it until it is placed. */
  successor(): Origins {
    return new Origins(this.keys)
  }

  /** Says that the node of a key came from a block. */
  place(key: number, block: SourceBlock): void {
    this.blocks.set(key, block)
  }

  /** Says that a node is exactly what a block of the text is. */
  match(node: ProseNode, block: SourceBlock): void {
    this.unchanged.set(node, block)
  }

  blockOf(node: ProseNode): SourceBlock | undefined {
    const { key } = node.attrs as { readonly key?: number | null }
    return typeof key === 'number' ? this.blocks.get(key) : undefined
  }

  /** The block that a node is exactly; undefined for one that was edited. */
  unchangedBlock(node: ProseNode): SourceBlock | undefined {
    return this.unchanged.get(node)
  }
}
