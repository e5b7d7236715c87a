/**
 * The next version of the text on the open document. After a save the blocks have other spans; others may have changed
 * some of them. The document that was saved is compared with the blocks that the text has now, and what differs is replaced
 * in the document as it is by then: selection, undo history and what was typed meanwhile stay.
 */
import { Fragment, type Node as ProseNode, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { Mapping, ReplaceStep, Transform } from 'prosemirror-transform'
import { type HashMemo, hashBlock } from '../../core/editing/canonical.js'
import {
  type EditedBlock,
  type SourceAttributes,
  type SourceBlock,
  type SourceDocument,
  blocksOfSource,
} from '../../core/editing/source-blocks.js'
import { plainText } from '../../core/document/plain-text.js'
import { longestIncreasingSubsequence } from '../../core/merge/lcs.js'
import { attributesOf, nodeNameOf } from './construct.js'
import { BlocksReader, type OpaqueSpan } from './from-blocks.js'
import type { Origins } from './origins.js'
import { blockNodes, documentSchema } from './schema.js'
import type { BaseText } from './splices.js'
import { NodeWriter } from './to-blocks.js'

export interface TextVersion {
  readonly text: string
  readonly document: SourceDocument
  /** Blocks to be displayed as their source. */
  readonly asSource?: readonly OpaqueSpan[]
}

/** A document of the past, with what happened to it since. */
export interface Snapshot {
  readonly doc: ProseNode
  readonly base: BaseText
  mapping: Mapping
}

export interface AppliedText {
  /** The version as the document compares with it, and its document before what is not saved yet. */
  readonly snapshot: Snapshot
  /** Changes what others changed; undefined where there is nothing. */
  readonly transaction: Transaction | undefined
}

/** Returns the document with the next version of its text; `tr` is a transaction of the document as it is. */
export function applyText(
  tr: Transaction,
  snapshot: Snapshot,
  version: TextVersion,
  memo: HashMemo = new WeakMap(),
): AppliedText {
  const comparison = new Comparison(snapshot, version, memo)
  const source = comparison.compare()
  const before = new Transform(snapshot.doc)
  // From the end on; what is at one place stays in its order.
  const changes = comparison.changes.toReversed().toSorted((a, b) => b.from - a.from)
  const undone: Mapping = new Mapping()
  for (const change of changes) {
    applyChange(before, change, new Mapping(), snapshot.doc)
    applyChange(tr, change, snapshot.mapping, snapshot.doc)
  }
  for (const map of before.mapping.maps.toReversed()) undone.appendMap(map.invert())
  undone.appendMapping(snapshot.mapping)
  undone.appendMapping(tr.mapping)
  const base = { text: version.text, source, origins: comparison.origins }
  return {
    snapshot: { doc: before.doc, base, mapping: before.steps.length > 0 ? undone : snapshot.mapping },
    transaction: tr.docChanged ? tr : undefined,
  }
}

/** A replaced range of the document that was saved, or changed attributes of a node. */
type Change =
  | { readonly from: number; readonly to: number; readonly content: Fragment; readonly isText: boolean }
  | { readonly from: number; readonly attributes: SourceAttributes }

/** Removes the characters of a range that are still there, and nothing that was written between them. */
function removeText(
  transform: Transform,
  { from, to }: { from: number; to: number },
  mapping: Mapping,
): void {
  for (let position = to - 1; position >= from; position--) {
    const [start, end] = [mapping.map(position, 1), mapping.map(position + 1, -1)]
    if (end > start) transform.delete(start, end)
  }
}

/** Makes a change of the document `before` in one that it became by a mapping. */
function applyChange(transform: Transform, change: Change, mapping: Mapping, before: ProseNode): void {
  if ('attributes' in change) {
    const { pos, deleted } = mapping.mapResult(change.from, 1)
    const node = deleted ? null : transform.doc.nodeAt(pos)
    if (node?.isBlock) transform.setNodeAttribute(pos, 'attributes', change.attributes)
    return
  }
  const { content } = change
  const isInsertion = change.from === change.to
  const from = mapping.map(change.from, isInsertion ? -1 : 1)
  const to = isInsertion ? from : Math.max(from, mapping.map(change.to, -1))
  const isChanged =
    mapping.maps.length > 0 &&
    !isInsertion &&
    !before.slice(change.from, change.to).eq(transform.doc.slice(from, to))
  if (change.isText) {
    if (isChanged) removeText(transform, change, mapping)
    transform.maybeStep(new ReplaceStep(from, isChanged ? from : to, new Slice(content, 0, 0)))
    return
  }
  // What was written in a block that others removed or replaced stays, beside what they made of it.
  const start = isChanged ? to : from
  if (transform.maybeStep(new ReplaceStep(start, to, new Slice(content, 0, 0))).failed === null) return
  // What has to have content gets a paragraph to write in.
  const room = Fragment.from(documentSchema.nodes['paragraph']!.create())
  if (
    content.size === 0 &&
    transform.maybeStep(new ReplaceStep(from, to, new Slice(room, 0, 0))).failed === null
  )
    return
  // What is around it changed meanwhile: both stay.
  const outer = transform.doc.resolve(Math.min(from, transform.doc.content.size))
  const end = outer.depth > 0 ? outer.after(1) : outer.pos
  transform.maybeStep(new ReplaceStep(end, end, new Slice(content, 0, 0)))
}

interface PlacedNode {
  readonly node: ProseNode
  readonly position: number
}

class Comparison {
  readonly changes: Change[] = []
  readonly origins: Origins
  private readonly writer: NodeWriter
  private readonly reader: BlocksReader
  private readonly sourceSpans: ReadonlySet<string>

  constructor(
    private readonly snapshot: Snapshot,
    private readonly version: TextVersion,
    private readonly memo: HashMemo,
  ) {
    const { origins } = snapshot.base
    this.writer = new NodeWriter(origins)
    this.origins = origins.successor()
    const { text, asSource = [] } = version
    this.reader = new BlocksReader(documentSchema, text, this.origins, asSource, this.memo)
    this.sourceSpans = new Set(asSource.map(({ start, end }) => `${start} ${end}`))
  }

  /** Collects the changes; returns the document of the text as nodes write it. */
  compare(): SourceDocument {
    const { doc } = this.snapshot
    const { document } = this.version
    const children = placed(doc, 0)
    const notes = children.filter(({ node }) => node.type.name === 'footnote')
    const end = notes[0]?.position ?? doc.content.size
    const written = new Set(this.writer.writtenChildren(doc))
    const blocks = this.row(
      children.filter(({ node }) => written.has(node)),
      document.blocks,
      end,
    )
    const byName = new Map(notes.map((note) => [String(attributesOf(note.node)['identifier']), note]))
    const footnotes = document.footnotes.map((footnote) => {
      const { identifier } = footnote
      const note = byName.get(identifier)
      if (note === undefined) {
        const body = this.reader.blocks(footnote.blocks)
        this.replace(doc.content.size, doc.content.size, [
          this.reader.create('footnote', { identifier }, body),
        ])
        return { ...footnote, blocks: this.sources(body) }
      }
      byName.delete(identifier)
      return { ...footnote, blocks: this.inner(note, footnote.blocks) }
    })
    for (const { node, position } of byName.values()) {
      // A new one of the editor is in the text once something refers to it.
      const wasInText = this.snapshot.base.source.footnotes.some(
        ({ identifier }) => identifier === attributesOf(node)['identifier'],
      )
      if (wasInText) this.replace(position, position + node.nodeSize, [])
    }
    return { ...document, blocks, footnotes }
  }

  private replace(from: number, to: number, nodes: readonly ProseNode[]): void {
    this.changes.push({ from, to, content: Fragment.from(nodes), isText: false })
  }

  private hash(node: ProseNode): string {
    return hashBlock(this.writer.block(node), this.memo)
  }

  private isSame({ node }: PlacedNode, block: SourceBlock): boolean {
    const isSource = this.sourceSpans.size > 0 && this.isSourceInside(block)
    return !isSource && this.hash(node) === hashBlock(block, this.memo)
  }

  private isSourceInside({ span, blocks = [] }: SourceBlock): boolean {
    return this.sourceSpans.has(`${span.start} ${span.end}`) || blocks.some((one) => this.isSourceInside(one))
  }

  /** Compares nodes with the blocks that they should be; `end` is where the last of them ends. */
  private row(nodes: readonly PlacedNode[], blocks: readonly SourceBlock[], end: number): SourceBlock[] {
    const shortest = Math.min(nodes.length, blocks.length)
    let first = 0
    while (first < shortest && this.isSame(nodes[first]!, blocks[first]!)) first++
    let last = 0
    while (last < shortest - first && this.isSame(nodes.at(-1 - last)!, blocks.at(-1 - last)!)) last++
    const source = blocks.slice(0, first).map((block, index) => this.pair(nodes[index]!.node, block))
    const olds = nodes.slice(first, nodes.length - last)
    const news = blocks.slice(first, blocks.length - last)
    const partners = this.align(olds, news)
    const behind = nodes[nodes.length - last]?.position ?? end
    let next = 0
    news.forEach((block, index) => {
      const partner = partners.get(index)
      if (partner === undefined) {
        const added = this.reader.block(block)
        const place = olds[next]?.position ?? behind
        this.replace(place, place, [added])
        source.push(...this.sources([added]))
        return
      }
      this.removeNodes(olds.slice(next, partner))
      source.push(this.modify(olds[partner]!, block))
      next = partner + 1
    })
    this.removeNodes(olds.slice(next))
    for (let index = last; index > 0; index--)
      source.push(this.pair(nodes.at(-index)!.node, blocks.at(-index)!))
    return source
  }

  private removeNodes(nodes: readonly PlacedNode[]): void {
    for (const { node, position } of nodes) this.replace(position, position + node.nodeSize, [])
  }

  /** Returns the position of the node that each block is a version of: equal ones, and between them the most alike. */
  private align(nodes: readonly PlacedNode[], blocks: readonly SourceBlock[]): Map<number, number> {
    if (nodes.length === blocks.length) return new Map(blocks.map((_, index) => [index, index]))
    const places = new Map(nodes.map(({ node }, index) => [this.hash(node), index]))
    const equal = blocks.flatMap((block, index): [number, number][] => {
      const place = places.get(hashBlock(block, this.memo))
      return place === undefined ? [] : [[index, place]]
    })
    const partners = new Map<number, number>()
    let [block, node] = [0, 0]
    for (const [nextBlock, nextNode] of [
      ...longestIncreasingSubsequence(equal),
      [blocks.length, nodes.length] as const,
    ]) {
      const pairs = alignSimilar(nodes.slice(node, nextNode), blocks.slice(block, nextBlock))
      for (const [one, other] of pairs) partners.set(block + one, node + other)
      if (nextBlock < blocks.length) partners.set(nextBlock, nextNode)
      ;[block, node] = [nextBlock + 1, nextNode + 1]
    }
    return partners
  }

  private inner({ node, position }: PlacedNode, blocks: readonly SourceBlock[]): SourceBlock[] {
    const written = new Set(this.writer.blockChildren(node))
    const children = placed(node, position + 1).filter((child) => written.has(child.node))
    return this.row(children, blocks, position + node.nodeSize - 1)
  }

  /** Says that a node is a block of the text, and its children those of the block. */
  private pair(node: ProseNode, block: SourceBlock): SourceBlock {
    const written = this.writer.block(node)
    const { blocks } = block
    const children = blocks === undefined ? [] : this.writer.blockChildren(node)
    const inner =
      blocks?.length === children.length
        ? blocks.map((one, index) => this.pair(children[index]!, one))
        : blocks
    const own = { ...written, span: block.span, ...(inner && { blocks: inner }) } as SourceBlock
    const hash = this.memo.get(written)
    if (hash !== undefined) this.memo.set(own, hash)
    return this.place(node, own, true)
  }

  private place(node: ProseNode, block: SourceBlock, isUnchanged: boolean): SourceBlock {
    const { key } = node.attrs as { readonly key: number | null }
    if (key !== null) this.origins.place(key, block)
    if (isUnchanged) this.origins.match(node, block)
    return block
  }

  /** Makes the block of a node that differs from it. */
  private modify(old: PlacedNode, block: SourceBlock): SourceBlock {
    if (this.isSame(old, block)) return this.pair(old.node, block)
    const { node, position } = old
    const before = this.writer.block(node)
    const isSource = this.sourceSpans.has(`${block.span.start} ${block.span.end}`)
    const form = blockNodes.get(node.type.name)?.content
    if (!isSource && before.type === block.type && node.type.name !== 'opaque') {
      const isContainer = block.blocks !== undefined && block.type !== 'table' && form !== 'none'
      if (isContainer && this.hasSameTitle(before, block)) {
        const own = attributesOf(node)
        const { title: _, ...attributes } = block.attributes
        if (JSON.stringify(own) !== JSON.stringify(attributes)) {
          const changed = node.type.name === 'expandable' ? attributes : block.attributes
          this.changes.push({ from: position, attributes: changed })
        }
        const blocks = this.inner(old, block.blocks)
        return this.place(
          node,
          { ...before, attributes: block.attributes, span: block.span, blocks } as SourceBlock,
          false,
        )
      }
      const next = this.reader.block(block)
      if (node.inlineContent && next.type === node.type) return this.modifyText(old, next, block)
    }
    const next = this.reader.block(block)
    this.replace(position, position + node.nodeSize, [next])
    return this.sources([next])[0]!
  }

  /** The title of an expandable block is a node. */
  private hasSameTitle(before: EditedBlock, block: SourceBlock): boolean {
    if (block.type !== 'expandable') return true
    const [one, other] = [before, block].map(({ attributes: { title } }) =>
      hashBlock({ type: 'expandable', attributes: title === undefined ? {} : { title } }),
    )
    return one === other
  }

  private modifyText({ node, position }: PlacedNode, next: ProseNode, block: SourceBlock): SourceBlock {
    const [own, attributes] = [attributesOf(node), attributesOf(next)]
    if (JSON.stringify(own) !== JSON.stringify(attributes)) this.changes.push({ from: position, attributes })
    const from = node.content.findDiffStart(next.content)
    const to = node.content.findDiffEnd(next.content)
    if (from !== null && to !== null) {
      // A repeated character is found from both sides.
      const overlap = Math.max(0, from - Math.min(to.a, to.b))
      const start = position + 1
      this.changes.push({
        from: start + from,
        to: start + to.a + overlap,
        content: next.content.cut(from, to.b + overlap),
        isText: true,
      })
    }
    const source = this.origins.unchangedBlock(next) ?? block
    return this.place(node, source, false)
  }

  private sources(nodes: readonly ProseNode[]): SourceBlock[] {
    return nodes.flatMap((node) => this.origins.unchangedBlock(node) ?? [])
  }
}

/** Longer rows are replaced as a whole. */
const maxAligned = 60

/** Returns pairs of blocks and nodes of the same type in their order, those with most text in common (dynamic programming). */
function alignSimilar(nodes: readonly PlacedNode[], blocks: readonly SourceBlock[]): [number, number][] {
  if (nodes.length === 0 || blocks.length === 0 || nodes.length > maxAligned || blocks.length > maxAligned)
    return []
  const texts = blocks.map((block) => plainText({ blocks: blocksOfSource([block]) }))
  const scores = blocks.map((block, index) =>
    nodes.map(({ node }) =>
      nodeNameOf(block.type) === node.type.name ? 0.1 + similarity(texts[index]!, node.textContent) : 0,
    ),
  )
  const best = Array.from({ length: blocks.length + 1 }, () => new Float64Array(nodes.length + 1))
  for (let i = blocks.length - 1; i >= 0; i--)
    for (let j = nodes.length - 1; j >= 0; j--) {
      const score = scores[i]![j]!
      const paired = score > 0 ? score + best[i + 1]![j + 1]! : 0
      best[i]![j] = Math.max(paired, best[i + 1]![j]!, best[i]![j + 1]!)
    }
  const pairs: [number, number][] = []
  for (let [i, j] = [0, 0]; i < blocks.length && j < nodes.length;) {
    const score = scores[i]![j]!
    if (score > 0 && best[i]![j] === score + best[i + 1]![j + 1]!) pairs.push([i++, j++])
    else if (best[i]![j] === best[i + 1]![j]) i++
    else j++
  }
  return pairs
}

/** The share of a text that begins or ends like another. */
function similarity(one: string, other: string): number {
  const shortest = Math.min(one.length, other.length)
  let start = 0
  while (start < shortest && one[start] === other[start]) start++
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return (start + end) / Math.max(1, one.length, other.length)
}

function placed(node: ProseNode, start: number): PlacedNode[] {
  const children: PlacedNode[] = []
  node.forEach((child, offset) => children.push({ node: child, position: start + offset }))
  return children
}
