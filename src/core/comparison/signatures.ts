/**
 * Signatures of blocks: equal numbers for blocks that read and look the same. Where a block stands in its text and the
 * fragments that lead to it do not count. Each block is written out once, with the numbers of the blocks inside.
 */
import { plainText } from '../document/plain-text.js'
import type { Block } from '../document/types.js'

/** Members of the document model that no reader sees. */
const unseen = new Set(['span', 'anchor', 'aliases'])
/** Characters of a block that decide which other one is its version. */
const alignedLength = 4_000

export class Signatures {
  private readonly numbers = new Map<string, number>()
  private readonly known = new Map<object, number>()
  private readonly texts = new Map<object, string>()

  /** Returns the signature of a block, a part, a cell, a row of cells or an inline. */
  of(node: object): number {
    const known = this.known.get(node)
    if (known !== undefined) return known
    const written = JSON.stringify(this.written(node, false))
    const number = this.numbers.get(written) ?? this.numbers.size
    this.numbers.set(written, number)
    this.known.set(node, number)
    return number
  }

  /** Returns the text by which blocks are aligned; of one without words, what it displays. */
  text(node: Block | { readonly blocks: readonly Block[] }): string {
    const known = this.texts.get(node)
    if (known !== undefined) return known
    const words = plainText({ blocks: 'type' in node ? [node as Block] : node.blocks }).slice(
      0,
      alignedLength,
    )
    const text = words === '' && 'type' in node ? JSON.stringify(this.written(node, false)) : words
    this.texts.set(node, text)
    return text
  }

  private written(value: unknown, isInner: boolean): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (isInner && 'span' in value && 'type' in value) return this.of(value)
    if (Array.isArray(value)) return value.map((one) => this.written(one, true))
    return Object.entries(value).flatMap(([name, member]) =>
      unseen.has(name) || member === undefined ? [] : [name, this.written(member, true)],
    )
  }
}
