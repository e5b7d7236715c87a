/**
 * Edited blocks to splices: what nobody touched keeps its bytes.
 *
 * The tree before the edit and the tree after are compared by the spans that their blocks came with. An equal block yields
 * nothing; in a container with the same attributes its children are compared; of any other block the text is formatted
 * before and after, and the difference is made in its source (`carry-edit.ts`). A block that moved takes its own bytes
 * along; prefixes of quotes and lists are taken off and put back.
 *
 * The result may parse to another tree than the one that was meant, since the meaning of Markdown depends on what is
 * around it: the caller compares their hashes (`verify-edit.ts`), and tries the next larger width.
 */
import type { Block, Inline, Span } from '../document/types.js'
import { inlinesAsHtml } from '../markdown/format-html.js'
import { formatCell } from '../markdown/format-table.js'
import { formatBlocks } from '../markdown/format.js'
import { longestIncreasingSubsequence } from '../merge/lcs.js'
import { type HashMemo, hashBlock } from './canonical.js'
import { carryEdit } from './carry-edit.js'
import { continuationPrefix, sourceLines } from './lines.js'
import { type ListMarker, findMarker, markedLike } from './list-markers.js'
import {
  type EditedBlock,
  type SourceBlock,
  type SourceDocument,
  blocksOfSource,
  withBodies,
} from './source-blocks.js'
import { type Splice, applySplices, joinSplices } from './splice.js'

/** How much is written anew around an edit: only what changed, the edited block, or the block of the page that it is in. */
export const editWidths = ['change', 'block', 'outer block'] as const
export type EditWidth = (typeof editWidths)[number]

export interface EditedDocument {
  readonly blocks: readonly EditedBlock[]
  readonly footnotes: readonly { readonly identifier: string; readonly blocks: readonly EditedBlock[] }[]
}

/** Returns the splices of `text`, whose blocks are `before`, that make `after` of it. */
export function writeEdits(
  text: string,
  before: SourceDocument,
  after: EditedDocument,
  width: EditWidth = 'change',
  memo: HashMemo = new WeakMap(),
): Splice[] {
  return new EditWriter(text, before, width, memo).write(after)
}

/** Blocks whose children have the whole content. */
const containers = new Set(
  'list list-item blockquote hint tabs tab stepper step columns column updates update if expandable'.split(
    ' ',
  ),
)
/** A group that a part is formatted in, to be taken off again. */
const groupOf = new Map<string, EditedBlock['type']>([
  ['list-item', 'list'],
  ['tab', 'tabs'],
  ['step', 'stepper'],
  ['column', 'columns'],
  ['update', 'updates'],
])

/** A list of blocks with what contains them. */
interface Row {
  readonly now: readonly EditedBlock[]
  readonly was: readonly SourceBlock[]
  /** The container before the edit; undefined for the blocks of the page. */
  readonly parent?: SourceBlock | undefined
}

class EditWriter {
  private readonly splices: Splice[] = []
  private readonly lineEnding: string
  /** How paragraphs are written inside a table. */
  private formatText: ((inlines: readonly Inline[]) => string) | undefined
  /** Blocks of the text by their types and spans: a block may have the span of its only child. Leaves have two entries. */
  private origins: Map<string, SourceBlock> | undefined

  constructor(
    private readonly text: string,
    private readonly before: SourceDocument,
    private readonly width: EditWidth,
    private readonly memo: HashMemo,
  ) {
    this.lineEnding = text.includes('\r\n') ? '\r\n' : '\n'
  }

  write(after: EditedDocument): Splice[] {
    this.writeRow({ now: after.blocks, was: this.before.blocks })
    const footnotes = new Map(this.before.footnotes.map((one) => [one.identifier, one]))
    for (const { identifier, blocks } of after.footnotes) {
      const footnote = footnotes.get(identifier)
      if (footnote) this.writeRow({ now: blocks, was: footnote.blocks })
      else this.append(this.footnoteRows(identifier, blocks))
    }
    return joinSplices(this.splices.toSorted((a, b) => a.start - b.start || a.end - b.end))
  }

  private isSame(one: EditedBlock, other: EditedBlock): boolean {
    return one === other || hashBlock(one, this.memo) === hashBlock(other, this.memo)
  }

  /** The block of the text that a block came from, when it is what it was. */
  private originOf(block: EditedBlock): SourceBlock | undefined {
    const origin = this.findOrigin(block.type, block.span)
    return origin && this.isSame(origin, block) ? origin : undefined
  }

  /** The block of the text that an edited block came from; without inner blocks it may have been of another type. */
  private editedOriginOf({ type, span, blocks }: EditedBlock): SourceBlock | undefined {
    return this.findOrigin(type, span) ?? (blocks === undefined ? this.findOrigin('leaf', span) : undefined)
  }

  private findOrigin(type: EditedBlock['type'] | 'leaf', span: Span | undefined): SourceBlock | undefined {
    if (span === undefined) return undefined
    this.origins ??= originsOf([this.before, ...this.before.footnotes])
    return this.origins.get(originKey(type, span))
  }

  /** Writes a row; returns false when its container has to be written instead. */
  private writeRow(row: Row): boolean {
    const { now, was, parent } = withoutEnds(row)
    const places = new Map(was.map(({ span }, index) => [`${span.start} ${span.end}`, index]))
    const placeOf = ({ span }: EditedBlock) => (span ? (places.get(`${span.start} ${span.end}`) ?? -1) : -1)
    const pairs = now.map((block, index): [number, number] => [index, placeOf(block)])
    const stays = longestIncreasingSubsequence(pairs.filter(([, place]) => place >= 0)).map(
      ([index]) => index,
    )
    if (stays.length === 0 && was.length > 0 && parent) return false
    if (was.length === 0 && now.length > 0 && parent) return false
    const left = new Set(stays.map((index) => placeOf(now[index]!)))
    const firstLeft = Math.min(...left)
    was.forEach((_, index) => {
      if (!left.has(index)) this.remove(was, index, firstLeft, parent)
    })
    const staying = new Set(stays)
    let last: SourceBlock | undefined
    let after: SourceBlock | undefined
    /** New blocks since the last one that stays. */
    let added = 0
    let nextStay = 0
    const first: string[] = []
    now.forEach((block, index) => {
      const before = now[index - 1]
      const wasBeside =
        staying.has(index) && staying.has(index - 1) && placeOf(before!) + 1 === placeOf(block)
      const isApart = wasBeside || before === undefined || !this.wouldJoin(before, block)
      if (staying.has(index)) {
        last = was[placeOf(block)]!
        after = was[placeOf(block) + 1]
        added = 0
        if (!isApart) this.insertBefore(last, [separator], parent)
        this.writeBlock(block, last, parent)
        nextStay++
        return
      }
      const lines = this.insertedLines(block, parent, last ?? was[0], last === undefined ? 0 : ++added)
      const written = isApart ? lines : [separator, '', ...lines]
      if (last) this.insertAfter(last, written, parent, after)
      else if (nextStay < stays.length)
        this.insertBefore(was[placeOf(now[stays[nextStay]!]!)]!, written, parent)
      else first.push(...(first.length > 0 ? ['', ...written] : written))
    })
    if (first.length > 0) this.writeFirst(first, was[0])
    return true
  }

  /** Writes a row of which nothing stays, where its first block was. */
  private writeFirst(written: readonly string[], was: SourceBlock | undefined): void {
    if (was === undefined) return this.append(written)
    const { start } = was.span
    const text = this.indent(written, continuationPrefix(this.text, start))
    this.splices.push({ start, end: start, text })
  }

  /** Whether two lists beside each other would be one. */
  private wouldJoin(one: EditedBlock, other: EditedBlock): boolean {
    if (one.type !== 'list' || other.type !== 'list') return false
    return this.signOf(one) === this.signOf(other)
  }

  private signOf(list: EditedBlock): string {
    const found = this.originOf(list) && this.markerOf(list.blocks?.[0]?.span)
    return found ? found.sign : list.attributes['kind'] === 'ordered' ? '.' : '-'
  }

  private insertAfter(
    block: SourceBlock,
    written: readonly string[],
    parent: SourceBlock | undefined,
    after: SourceBlock | undefined,
  ): void {
    const prefix = continuationPrefix(this.text, block.span.start)
    const text = this.gap(prefix, parent) + this.indent(written, prefix)
    const end = this.isTight(parent) ? '' : this.missingBlank(block, after)
    this.splices.push({ start: block.span.end, end: block.span.end, text: text + end })
  }

  /** A blank line, where a block begins on the line after another one. */
  private missingBlank({ span }: SourceBlock, after: SourceBlock | undefined): string {
    const between = after === undefined ? '' : this.text.slice(span.end, after.span.start)
    if (
      between === '' ||
      between.indexOf('\n') !== between.lastIndexOf('\n') ||
      /\S/.test(between.replaceAll('>', ''))
    )
      return ''
    return this.lineEnding + continuationPrefix(this.text, span.start).trimEnd()
  }

  private isTight(parent: SourceBlock | undefined): boolean {
    return parent?.type === 'list' && parent.attributes['tight'] === true
  }

  private insertBefore(
    block: SourceBlock,
    written: readonly string[],
    parent: SourceBlock | undefined,
  ): void {
    const prefix = continuationPrefix(this.text, block.span.start)
    const text = this.indent(written, prefix) + this.gap(prefix, parent)
    this.splices.push({ start: block.span.start, end: block.span.start, text })
  }

  private append(written: readonly string[]): void {
    const { text, lineEnding } = this
    const gap = text === '' ? '' : text.endsWith('\n') ? lineEnding : lineEnding + lineEnding
    this.splices.push({
      start: text.length,
      end: text.length,
      text: gap + written.join(lineEnding) + lineEnding,
    })
  }

  private gap(prefix: string, parent: SourceBlock | undefined): string {
    return this.isTight(parent)
      ? this.lineEnding + prefix
      : this.lineEnding + prefix.trimEnd() + this.lineEnding + prefix
  }

  /** Removes a block with the blanks that part it from the one before, or from the one behind where it is the first. */
  private remove(
    was: readonly SourceBlock[],
    index: number,
    firstLeft: number,
    parent: SourceBlock | undefined,
  ): void {
    const { start, end } = was[index]!.span
    const isBlank = (from: number, to: number) => /^[\s>]*$/.test(this.text.slice(from, to))
    const before = was[index - 1]?.span.end
    const after = was[index + 1]?.span.start
    if (before !== undefined && index > firstLeft && isBlank(before, start)) {
      const text = this.isTight(parent) ? '' : this.missingBlank(was[index]!, was[index + 1])
      this.splices.push({ start: before, end, text })
    } else if (after !== undefined && index < firstLeft && isBlank(end, after))
      this.splices.push({ start, end: after, text: '' })
    else this.splices.push({ start, end, text: '' })
  }

  private writeBlock(now: EditedBlock, was: SourceBlock, parent: SourceBlock | undefined): void {
    if (this.isSame(now, was)) return
    const isOuter = this.width === 'outer block' && parent === undefined
    if (!isOuter && now.type === was.type && containers.has(now.type) && was.blocks) {
      const found = this.splices.length
      const isEqual = this.isSame({ ...now, blocks: [] }, { ...was, blocks: [] })
      if (!isEqual && !isLoosened(now, was)) this.replace({ ...now, blocks: was.blocks }, was, parent)
      if (this.writeRow({ now: now.blocks ?? [], was: was.blocks, parent: was })) {
        this.renumber(now, was, found)
        if (isEqual || !hasOverlap(this.splices.slice(found))) return
      }
      this.splices.length = found
    }
    if (now.type === 'table' && was.type === 'table' && this.writeCells(now, was)) return
    this.replace(now, was, parent)
  }

  /** Writes the cells of a table whose rows and columns are what they were; returns false where that is not enough. */
  private writeCells(now: EditedBlock, was: SourceBlock): boolean {
    const rows = now.blocks ?? []
    if (this.width !== 'change' || rows.length !== was.blocks!.length) return false
    if (!this.isSame({ ...now, blocks: [] }, { ...was, blocks: [] })) return false
    const found = this.splices.length
    const outer = this.formatText
    this.formatText = this.text[was.span.start] === '<' ? inlinesAsHtml : formatCell
    const isDone = rows.every((row, index) => {
      const cells = was.blocks![index]!.blocks!
      if (row.blocks?.length !== cells.length) return false
      return row.blocks.every((cell, column) => this.writeCell(cell, cells[column]!))
    })
    this.formatText = outer
    if (!isDone) this.splices.length = found
    return isDone
  }

  private writeCell(now: EditedBlock, was: SourceBlock): boolean {
    if (this.isSame(now, was)) return true
    if (now.blocks?.length !== was.blocks!.length) return false
    if (!this.isSame({ ...now, blocks: [] }, { ...was, blocks: [] })) return false
    return now.blocks.every((block, index) => {
      const origin = was.blocks![index]!
      const isWritable = block.type === 'paragraph' || containers.has(block.type) || block.type === 'table'
      if (!isWritable || block.type !== origin.type) return this.isSame(block, origin)
      this.writeBlock(block, origin, was)
      return true
    })
  }

  /** An ordered list begins with its number, whichever item is the first. */
  private renumber({ type, attributes, blocks = [] }: EditedBlock, was: SourceBlock, found: number): void {
    const first = blocks[0]?.span
    if (type !== 'list' || first === undefined || first.start === was.blocks?.[0]?.span.start) return
    const number = this.markerOf(first)?.number
    if (number === undefined || was.attributes['start'] !== attributes['start']) return
    const start = attributes['start'] ?? 1
    if (Number(number) === start) return
    // One that was moved there is written with its number.
    if (this.splices.slice(found).some((one) => one.start <= first.start && one.end > first.start)) return
    this.splices.push({ start: first.start, end: first.start + number.length, text: String(start) })
  }

  /** Writes a block in the place of its source. */
  private replace(now: EditedBlock, was: SourceBlock, parent: SourceBlock | undefined): void {
    const { start, end } = was.span
    const prefix = continuationPrefix(this.text, start)
    const after = this.indent(this.lines(now, parent, was), prefix)
    if (this.width !== 'change') {
      this.splices.push({ start, end, text: after })
      return
    }
    const source = this.text.slice(start, end)
    const { formatText } = this
    if (formatText && now.type === 'paragraph' && was.type === 'paragraph') {
      const [before, after] = [was, now].map(({ inlines = [] }) => formatText(withBodies(inlines)))
      this.carry(source, before!, after!, start)
      return
    }
    const before = this.indent(this.lines(was, parent, was), prefix)
    this.carry(source, before, after, start)
  }

  private carry(source: string, before: string, after: string, offset: number): void {
    for (const { start, end, text } of carryEdit(source, before, after))
      this.splices.push({ start: offset + start, end: offset + end, text })
  }

  /**
   * The lines of a block that is put beside others. One that was somewhere, or is a copy, has its own bytes; one that was
   * edited as well has the edit in them.
   */
  private insertedLines(
    block: EditedBlock,
    parent: SourceBlock | undefined,
    sibling: SourceBlock | undefined,
    added: number,
  ): readonly string[] {
    const origin = this.originOf(block)
    const edited = this.width === 'change' ? this.editedOriginOf(block) : undefined
    if (origin === undefined && edited === undefined) return this.lines(block, parent, sibling, added)
    const lines = origin ? sourceLines(this.text, origin.span) : this.editedLines(block, edited!, parent)
    const isItem = block.type === 'list-item' && parent !== undefined
    return isItem ? this.marked(lines, parent, sibling, added) : lines
  }

  /** The source of a block without the prefixes around it, with an edit of the block. */
  private editedLines(
    now: EditedBlock,
    was: SourceBlock,
    parent: SourceBlock | undefined,
  ): readonly string[] {
    const source = sourceLines(this.text, was.span).join('\n')
    const [before, after] = [was, now].map((block) => this.lines(block, parent, was).join('\n'))
    return applySplices(source, carryEdit(source, before!, after!)).split('\n')
  }

  private editedLeaf(block: EditedBlock): readonly string[] | undefined {
    if (this.width !== 'change' || block.inlines === undefined) return undefined
    const origin = this.editedOriginOf(block)
    return origin && this.editedLines(block, origin, undefined)
  }

  /**
   * The lines of a block as the formatter writes it; blocks inside it that are what they were have their own bytes, and
   * edited ones the edit in them. An item has the marker of its sibling, `added` numbers further.
   */
  private lines(
    block: EditedBlock,
    parent: SourceBlock | undefined,
    sibling: SourceBlock | undefined,
    added = 0,
  ): readonly string[] {
    if (block.type === 'opaque') return String(block.attributes['source'] ?? '').split('\n')
    const group = groupOf.get(block.type)
    const whole = group
      ? { type: group, attributes: parent?.attributes ?? defaultAttributes(group), blocks: [block] }
      : block
    const verbatim = new Map<Block, readonly string[]>()
    const blocks = blocksOfSource(
      [whole],
      (one) => {
        if (one === whole || one === block) return undefined
        const inner = this.originOf(one)
        return inner ? sourceLines(this.text, inner.span) : this.editedLeaf(one)
      },
      verbatim,
    )
    const lines = formatBlocks(blocks, verbatim)
    if (group === undefined) return lines
    return group === 'list' && parent
      ? this.marked(lines, parent, sibling, added)
      : lines.slice(group === 'list' ? 0 : 1, group === 'list' ? undefined : -1)
  }

  private marked(
    lines: readonly string[],
    list: SourceBlock,
    sibling: SourceBlock | undefined,
    added: number,
  ): readonly string[] {
    return markedLike(lines, this.markerOf(sibling?.span), added * this.numberStep(list))
  }

  private markerOf(item: Span | undefined): ListMarker | undefined {
    return item && findMarker(this.text, item.start)
  }

  /** Some authors number all items alike. */
  private numberStep({ blocks = [] }: SourceBlock): number {
    const [one, other] = blocks.slice(0, 2).map((item) => this.markerOf(item.span)?.number)
    return one !== undefined && one === other ? 0 : 1
  }

  private footnoteRows(identifier: string, blocks: readonly EditedBlock[]): string[] {
    const [first = '', ...others] = formatBlocks(blocksOfSource(blocks))
    return [`[^${identifier}]: ${first}`, ...others.map((line) => (line === '' ? '' : `    ${line}`))]
  }

  private indent(lines: readonly string[], prefix: string): string {
    const blank = prefix.trimEnd()
    return lines
      .map((line, index) => (index === 0 ? line : line === '' ? blank : prefix + line))
      .join(this.lineEnding)
  }
}

function originKey(type: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return `${type} ${start} ${end}`
}

function originsOf(rows: readonly { readonly blocks: readonly SourceBlock[] }[]): Map<string, SourceBlock> {
  const origins = new Map<string, SourceBlock>()
  const pending = rows.flatMap(({ blocks }) => blocks)
  for (let block = pending.pop(); block; block = pending.pop()) {
    origins.set(originKey(block.type, block.span), block)
    if (block.blocks === undefined) origins.set(originKey('leaf', block.span), block)
    for (const inner of block.blocks ?? []) pending.push(inner)
  }
  return origins
}

function defaultAttributes(group: EditedBlock['type']): EditedBlock['attributes'] {
  return group === 'list' ? { kind: 'unordered', tight: true } : {}
}

/** Whether a tight list becomes loose by what was written in an item, without a blank line between all items. */
function isLoosened(now: EditedBlock, was: SourceBlock): boolean {
  const { tight: isTight, ...others } = now.attributes
  const { tight: wasTight, ...before } = was.attributes
  if (now.type !== 'list' || isTight !== false || wasTight !== true) return false
  const isSame = JSON.stringify(others) === JSON.stringify(before)
  const hasParagraphs = (item: EditedBlock) =>
    (item.blocks ?? []).some(
      ({ type }, index, all) => type === 'paragraph' && all[index - 1]?.type === 'paragraph',
    )
  return isSame && (now.blocks ?? []).some(hasParagraphs)
}

function hasOverlap(splices: readonly Splice[]): boolean {
  const sorted = splices.toSorted((a, b) => a.start - b.start || a.end - b.end)
  return sorted.some(({ start }, index) => index > 0 && start < sorted[index - 1]!.end)
}

/** Two lists of the same kind are one, unless something is between them; readers do not see this. */
const separator = '<!-- -->'

/**
 * Returns a row without the blocks at its ends that are those of the text: a key in a long page costs what it changed. One of
 * them stays at each end, since what is between is written beside it.
 */
function withoutEnds({ now, was, parent }: Row): Row {
  const shorter = Math.min(now.length, was.length)
  let first = 0
  while (first < shorter && now[first] === was[first]) first++
  let last = 0
  while (last < shorter - first && now.at(-1 - last) === was.at(-1 - last)) last++
  const start = Math.max(0, first - 1)
  const rest = Math.max(0, last - 1)
  return { now: now.slice(start, now.length - rest), was: was.slice(start, was.length - rest), parent }
}
