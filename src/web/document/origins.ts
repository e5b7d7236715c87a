/**
 * Origins: which block of the text each node of the document came from. A node has a key for as long as it lives; the
 * table says what block of the saved text has it, and is made anew with each version of the text.
 */
import type { Node as ProseNode } from 'prosemirror-model'
import type { SourceBlock } from '../../core/editing/source-blocks.js'

export class Origins {
  private readonly blocks = new Map<number, SourceBlock>()
  private readonly unchanged = new WeakMap<ProseNode, SourceBlock>()

  /** The keys, and of which node each copy is one, are those of all versions of the text. */
  constructor(private readonly keys = { next: 1, originals: new Map<number, number>() }) {}

  createKey(): number {
    return this.keys.next++
  }

  /** Returns the key of a copy: until it is in the text itself, it comes from where its original comes from. */
  createCopyKey(original: number): number {
    const key = this.createKey()
    this.keys.originals.set(key, original)
    return key
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
    let { key } = node.attrs as { readonly key?: number | null }
    while (typeof key === 'number') {
      const block = this.blocks.get(key)
      if (block) return block
      key = this.keys.originals.get(key)
    }
    return undefined
  }

  /** The block that a node is exactly; undefined for one that was edited. */
  unchangedBlock(node: ProseNode): SourceBlock | undefined {
    return this.unchanged.get(node)
  }
}
