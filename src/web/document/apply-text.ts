/**
 * The next version of the text on the open document. After a save the blocks have other spans; others may have changed
 * some of them. The document that was saved is compared with the blocks that the text has now, and what differs is replaced
 * in the document as it is by then: selection, undo history and what was typed meanwhile stay.
 */
import { Fragment, type Node as ProseNode, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { Mapping, ReplaceStep, Transform } from 'prosemirror-transform'
import { type HashMemo, hashBlock } from '../../core/editing/canonical.js'
import type { EditedBlock, SourceAttributes, SourceBlock, SourceDocument } from '../../core/editing/source-blocks.js'
import { attributesOf } from './construct.js'
import { BlocksReader, type OpaqueSpan } from './from-blocks.js'
import type { Origins } from './origins.js'
import { blockNodes, documentSchema } from './schema.js'
import type { BaseText } from './splices.js'
import { NodeWriter, blockChildren, writtenChildren } from './to-blocks.js'

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
    applyChange(before, change, new Mapping())
    applyChange(tr, change, snapshot.mapping)
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
  | { readonly from: number; readonly to: number; readonly content: Fragment }
  | { readonly from: number; readonly attributes: SourceAttributes }

function applyChange(transform: Transform, change: Change, mapping: Mapping): void {
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
  const isInline = content.firstChild?.isInline ?? false
  if (transform.maybeStep(new ReplaceStep(from, to, new Slice(content, 0, 0))).failed === null) return
  // What is around it changed meanwhile: both stay.
  if (isInline) return
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
    const written = new Set(writtenChildren(doc))
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
    this.changes.push({ from, to, content: Fragment.from(nodes) })
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
    const [olds, news] = [nodes.slice(first, nodes.length - last), blocks.slice(first, blocks.length - last)]
    if (olds.length === news.length) source.push(...news.map((block, index) => this.modify(olds[index]!, block)))
    else {
      const added = news.map((block) => this.reader.block(block))
      const from = olds[0]?.position ?? nodes[nodes.length - last]?.position ?? end
      const lastNode = olds.at(-1)
      this.replace(from, lastNode ? lastNode.position + lastNode.node.nodeSize : from, added)
      source.push(...this.sources(added))
    }
    for (let index = last; index > 0; index--) source.push(this.pair(nodes.at(-index)!.node, blocks.at(-index)!))
    return source
  }

  private inner({ node, position }: PlacedNode, blocks: readonly SourceBlock[]): SourceBlock[] {
    const written = new Set(blockChildren(node))
    const children = placed(node, position + 1).filter((child) => written.has(child.node))
    return this.row(children, blocks, position + node.nodeSize - 1)
  }

  /** Says that a node is a block of the text, and its children those of the block. */
  private pair(node: ProseNode, block: SourceBlock): SourceBlock {
    const written = this.writer.block(node)
    const { blocks } = block
    const children = blocks === undefined ? [] : blockChildren(node)
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
        return this.place(node, { ...before, attributes: block.attributes, span: block.span, blocks } as SourceBlock, false)
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
      })
    }
    const source = this.origins.unchangedBlock(next) ?? block
    return this.place(node, source, false)
  }

  private sources(nodes: readonly ProseNode[]): SourceBlock[] {
    return nodes.flatMap((node) => this.origins.unchangedBlock(node) ?? [])
  }
}

function placed(node: ProseNode, start: number): PlacedNode[] {
  const children: PlacedNode[] = []
  node.forEach((child, offset) => children.push({ node: child, position: start + offset }))
  return children
}
