/**
 * Plan of a comparison: which blocks of two versions belong together, level by level. Blocks are aligned as in a merge;
 * what has no version in its place and occurs once in both texts was moved.
 */
import type { Block, Table, TableCell, TableColumn } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { type AlignableBlock, alignBlocks } from '../merge/align-blocks.js'
import { internTexts, matchSequences } from '../merge/lcs.js'
import { type BlockPart, partsOf } from './block-keys.js'
import { canCompareInlines } from './compare-inlines.js'
import type { Signatures } from './signatures.js'

/** A block or part that only one version has in its place; `moved` is the same one elsewhere. */
export interface Single<Node> {
  readonly kind: 'removed' | 'added'
  readonly node: Node
  moved?: Single<Block | BlockPart>
}

interface Same<Node> {
  readonly kind: 'same'
  readonly after: Node
}

export interface BlockPair {
  readonly kind: 'pair'
  readonly before: Block
  readonly after: Block
  /** Undefined for blocks without blocks inside. */
  readonly inner: Inner | undefined
}

export interface PartPair {
  readonly kind: 'pair'
  readonly before: BlockPart
  readonly after: BlockPart
  readonly entries: readonly BlockEntry[]
}

export type BlockEntry = Same<Block> | Single<Block> | BlockPair
export type PartEntry = Same<BlockPart> | Single<BlockPart> | PartPair

export type Inner =
  | { readonly type: 'blocks'; readonly entries: readonly BlockEntry[] }
  | { readonly type: 'parts'; readonly entries: readonly PartEntry[] }
  | { readonly type: 'table'; readonly columns: readonly ColumnPair[]; readonly rows: readonly RowPair[] }

export interface ColumnPair {
  readonly before?: TableColumn
  readonly after?: TableColumn
}

/** A row, with its cells in the order of the columns; without `before` or `after` it was added or removed. */
export interface RowPair {
  readonly before?: readonly TableCell[]
  readonly after?: readonly TableCell[]
  readonly cells: readonly CellPair[]
}

export interface CellPair {
  readonly before?: TableCell
  readonly after?: TableCell
  /** Of a cell of text that both versions have and that differs. */
  readonly entries?: readonly BlockEntry[]
}

/** Pairs of siblings that are compared for one document: beyond it siblings are aligned by equality alone. */
const alignmentBudget = 4_000_000

export class Planner {
  private left = alignmentBudget
  private readonly singles = new Map<
    number,
    { removed: Single<Block | BlockPart>[]; added: Single<Block | BlockPart>[] }
  >()

  constructor(private readonly signatures: Signatures) {}

  /** Returns the entries of all blocks, moves among them. */
  plan(before: readonly Block[], after: readonly Block[]): readonly BlockEntry[] {
    const entries = this.blocks(before, after)
    for (const { removed, added } of this.singles.values()) {
      const [from, to] = [removed[0], added[0]]
      if (removed.length !== 1 || added.length !== 1 || this.signatures.text(from!.node) === '') continue
      from!.moved = to!
      to!.moved = from!
    }
    return entries
  }

  private blocks(before: readonly Block[], after: readonly Block[]): readonly BlockEntry[] {
    const partner = this.align(before, after, (block) => ({
      kind: kindOf(block),
      body: `${kindOf(block)}\n${this.signatures.text(block)}`,
    }))
    return this.entries(before, after, partner, canPair, (one, other) => ({
      kind: 'pair' as const,
      before: one,
      after: other,
      inner: this.inner(one, other),
    }))
  }

  private parts(before: readonly BlockPart[], after: readonly BlockPart[]): readonly PartEntry[] {
    const partner = this.align(before, after, (part) => ({
      kind: 'part',
      body: `${labelOf(part)}\n${this.signatures.text(part)}`,
    }))
    const canPairParts = (one: BlockPart, other: BlockPart) => labelOf(one) === labelOf(other)
    return this.entries(before, after, partner, canPairParts, (one, other) => ({
      kind: 'pair' as const,
      before: one,
      after: other,
      entries: this.blocks(one.blocks, other.blocks),
    }))
  }

  private entries<Node extends Block | BlockPart, Pair>(
    before: readonly Node[],
    after: readonly Node[],
    partner: Int32Array,
    canBePaired: (before: Node, after: Node) => boolean,
    pair: (before: Node, after: Node) => Pair,
  ): (Same<Node> | Single<Node> | Pair)[] {
    const found: (Same<Node> | Single<Node> | Pair)[] = []
    let next = 0
    const addUpTo = (end: number) => {
      for (; next < end; next++) found.push(this.single('added', after[next]!))
    }
    for (const [at, node] of before.entries()) {
      const other = after[partner[at]!]
      if (other === undefined || !canBePaired(node, other)) {
        found.push(this.single('removed', node))
        continue
      }
      addUpTo(partner[at]!)
      next++
      const isSame = this.signatures.of(node) === this.signatures.of(other)
      found.push(isSame ? { kind: 'same', after: other } : pair(node, other))
    }
    addUpTo(after.length)
    return found
  }

  private single<Node extends Block | BlockPart>(kind: Single<Node>['kind'], node: Node): Single<Node> {
    const single: Single<Node> = { kind, node }
    const signature = this.signatures.of(node)
    const known = this.singles.get(signature) ?? { removed: [], added: [] }
    this.singles.set(signature, known)
    known[kind].push(single as unknown as Single<Block | BlockPart>)
    return single
  }

  private inner(before: Block, after: Block): Inner | undefined {
    if (before.type === 'table' && after.type === 'table') return this.table(before, after)
    const [partsBefore, partsAfter] = [partsOf(before), partsOf(after)]
    if (partsBefore !== undefined && partsAfter !== undefined)
      return { type: 'parts', entries: this.parts(partsBefore, partsAfter) }
    if ('blocks' in before && 'blocks' in after)
      return { type: 'blocks', entries: this.blocks(before.blocks, after.blocks) }
    return undefined
  }

  private table(before: Table, after: Table): Inner {
    const columns = this.columns(before.columns, after.columns)
    const indexOf = (all: readonly TableColumn[]) => new Map(all.map((column, at) => [column, at]))
    const [indexBefore, indexAfter] = [indexOf(before.columns), indexOf(after.columns)]
    const cellsOf = (was: readonly TableCell[] | undefined, is: readonly TableCell[] | undefined) =>
      columns.map((column): CellPair => {
        const one = column.before === undefined ? undefined : was?.[indexBefore.get(column.before)!]
        const other = column.after === undefined ? undefined : is?.[indexAfter.get(column.after)!]
        const isText = column.before?.type === 'text' && column.after?.type === 'text'
        const differs = one && other && this.signatures.of(one) !== this.signatures.of(other)
        return {
          ...(one && { before: one }),
          ...(other && { after: other }),
          ...(differs && isText && { entries: this.blocks(one.blocks, other.blocks) }),
        }
      })
    const partner = this.align(before.rows, after.rows, (row) => ({
      kind: 'row',
      body: row.map((cell) => this.cellText(cell)).join('\n'),
    }))
    const rows: RowPair[] = []
    let next = 0
    const addUpTo = (end: number) => {
      for (; next < end; next++)
        rows.push({ after: after.rows[next]!, cells: cellsOf(undefined, after.rows[next]) })
    }
    for (const [at, row] of before.rows.entries()) {
      const match = partner[at]!
      if (match < 0) {
        rows.push({ before: row, cells: cellsOf(row, undefined) })
        continue
      }
      addUpTo(match)
      next = match + 1
      rows.push({ before: row, after: after.rows[match]!, cells: cellsOf(row, after.rows[match]) })
    }
    addUpTo(after.rows.length)
    return { type: 'table', columns, rows }
  }

  private cellText(cell: TableCell): string {
    return cell.values === undefined ? this.signatures.text(cell) : cell.values.join(' ')
  }

  /** Columns with the same title belong together, and between two of those equally many, one by one. */
  private columns(before: readonly TableColumn[], after: readonly TableColumn[]): readonly ColumnPair[] {
    const named = ({ title, type, hidden }: TableColumn) => `${hidden === true} ${type} ${plainText(title)}`
    const [a, b] = internTexts(before.map(named), after.map(named))
    const partner = matchSequences(a!, b!)
    const columns: ColumnPair[] = []
    let [i, j] = [0, 0]
    const closeGap = (endBefore: number, endAfter: number) => {
      const [left, right] = [before.slice(i, endBefore), after.slice(j, endAfter)]
      const isPaired =
        left.length === right.length &&
        left.every((column, at) => column.type === right[at]!.type && column.hidden === right[at]!.hidden)
      if (isPaired) columns.push(...left.map((column, at) => ({ before: column, after: right[at]! })))
      else columns.push(...left.map((one) => ({ before: one })), ...right.map((one) => ({ after: one })))
    }
    for (let at = 0; at <= before.length; at++) {
      const match = at === before.length ? after.length : partner[at]!
      if (match < 0) continue
      closeGap(at, match)
      if (at < before.length) columns.push({ before: before[at]!, after: after[match]! })
      ;[i, j] = [at + 1, match + 1]
    }
    return columns
  }

  /** Returns for each sibling the index of its version; what is equal at both ends is not looked at. */
  private align<Node extends object>(
    before: readonly Node[],
    after: readonly Node[],
    describe: (node: Node) => AlignableBlock,
  ): Int32Array {
    const partner = new Int32Array(before.length).fill(-1)
    let start = 0
    let [endBefore, endAfter] = [before.length, after.length]
    const isSame = (i: number, j: number) => this.signatures.of(before[i]!) === this.signatures.of(after[j]!)
    while (start < endBefore && start < endAfter && isSame(start, start)) partner[start] = start++
    while (start < endBefore && start < endAfter && isSame(endBefore - 1, endAfter - 1))
      partner[--endBefore] = --endAfter
    const [left, right] = [before.slice(start, endBefore), after.slice(start, endAfter)]
    if (left.length === 0 || right.length === 0) return partner
    const work = left.length * right.length
    const found =
      work > this.left
        ? matchSequences(this.numbersOf(left), this.numbersOf(right), { work: 100_000 })
        : heaviestInOrder(left.map(describe), right.map(describe))
    this.left -= Math.min(work, this.left)
    for (const [at, match] of found.entries()) if (match >= 0) partner[start + at] = start + match
    return partner
  }

  private numbersOf(nodes: readonly object[]): number[] {
    return nodes.map((node) => this.signatures.of(node))
  }
}

/**
 * Returns the pairs of an alignment, moved ones among them, that are in order in both texts and have the most words. Where
 * one block has passed many edited ones, it moved, and not they.
 */
function heaviestInOrder(before: readonly AlignableBlock[], after: readonly AlignableBlock[]): Int32Array {
  const { inPlace, moved } = alignBlocks(before, after)
  if (moved.every((match) => match < 0)) return inPlace
  const partner = inPlace.map((match, at) => (match >= 0 ? match : moved[at]!))
  /** For each end in the later text, by a Fenwick tree: the heaviest chain that ends before it. */
  const best = new Int32Array(after.length + 1).fill(-1)
  const weights = new Float64Array(before.length)
  const previous = new Int32Array(before.length).fill(-1)
  const heaviestBefore = (end: number) => {
    let found = -1
    for (let at = end; at > 0; at -= at & -at)
      if (best[at]! >= 0 && (found < 0 || weights[best[at]!]! > weights[found]!)) found = best[at]!
    return found
  }
  let last = -1
  for (const [at, match] of partner.entries()) {
    if (match < 0) continue
    const chain = heaviestBefore(match)
    previous[at] = chain
    weights[at] = before[at]!.body.length + (chain < 0 ? 0 : weights[chain]!)
    for (let place = match + 1; place <= after.length; place += place & -place)
      if (best[place]! < 0 || weights[at] > weights[best[place]!]!) best[place] = at
    if (last < 0 || weights[at] > weights[last]!) last = at
  }
  const chosen = new Int32Array(before.length).fill(-1)
  for (let at = last; at >= 0; at = previous[at]!) chosen[at] = partner[at]!
  return chosen
}

function kindOf(block: Block): string {
  return block.type === 'list' ? `list ${block.kind}` : block.type
}

/** What a part displays besides its blocks. */
function labelOf(part: BlockPart): string {
  const { title, date, tags } = part as { title?: string; date?: string; tags?: readonly string[] }
  return JSON.stringify([title, date, tags])
}

/** True for two versions of one block, with parts to compare or to be displayed beside each other. */
function canPair(before: Block, after: Block): boolean {
  return kindOf(before) === kindOf(after)
}

/** True when the parts of the two can be compared; otherwise both are displayed as they are. */
export function areComparable(before: Block, after: Block): boolean {
  switch (after.type) {
    case 'paragraph':
    case 'heading':
      return (
        before.type === after.type && [before, after].every(({ children }) => canCompareInlines(children))
      )
    case 'expandable':
      return before.type === after.type && [before, after].every(({ title }) => canCompareInlines(title))
    case 'code':
      return (
        before.type === after.type &&
        before.syntax === after.syntax &&
        before.title === after.title &&
        after.syntax !== 'mermaid'
      )
    case 'table':
      return (
        before.type === after.type &&
        before.view === after.view &&
        before.hideHeader === after.hideHeader &&
        [before, after].every(({ columns }) => columns.every(({ title }) => canCompareInlines(title)))
      )
    case 'list':
    case 'blockquote':
    case 'hint':
    case 'if':
    case 'tabs':
    case 'stepper':
    case 'columns':
    case 'updates':
      return before.type === after.type
    default:
      return false
  }
}
