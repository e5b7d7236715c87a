/** Comparison of two documents: one document with the blocks of both, and the list of its changes. Linear in the two. */
import type { Block, Code, Document, Inline, Table, TableCell, TableColumn } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { type DiffPart, diffTokens } from '../merge/diff-words.js'
import { matchBudget } from '../merge/lcs.js'
import { type BlockPart, keysOf, partsOf } from './block-keys.js'
import { compareInlines } from './compare-inlines.js'
import {
  type BlockEntry,
  type BlockPair,
  type CellPair,
  type Inner,
  type PartEntry,
  Planner,
  type RowPair,
  type Single,
  areComparable,
} from './plan.js'
import { Signatures } from './signatures.js'
import type { ComparedCode, ComparedDocument, ComparisonMark, DocumentChange } from './types.js'

/** Changes in the list; the document has all. */
const maxChanges = 2_000
/** Characters of one change in the list. */
const maxWordsLength = 1_000

/** Returns the two documents as one. */
export function compareDocuments(before: Document, after: Document): ComparedDocument {
  const entries = new Planner(new Signatures()).plan(before.blocks, after.blocks)
  return new Composer(before, after).compose(entries)
}

class Composer {
  private readonly marks = new Map<object, ComparisonMark>()
  private readonly codes = new Map<Code, ComparedCode>()
  private readonly changes: DocumentChange[] = []
  private readonly keys: Map<object, string>
  private readonly keysBefore: Map<object, string>
  private readonly places: ReadonlyMap<object, string>
  private readonly budget = { work: matchBudget / 8 }
  private count = 0
  /** Ids of moves, by the block at either place. */
  private readonly moves = new Map<object, string>()

  constructor(before: Document, after: Document) {
    this.keysBefore = keysOf(before)
    this.keys = keysOf(after)
    this.places = new Map([...placesOf(before), ...placesOf(after)])
  }

  compose(entries: readonly BlockEntry[]): ComparedDocument {
    const { marks, codes, keys, changes } = this
    const document = { blocks: this.blocks(entries) }
    return { document, marks, codes, keys, changes, hasMore: this.count > changes.length }
  }

  private report(change: Omit<DocumentChange, 'id'>, id = this.nextId()): string {
    if (this.changes.length < maxChanges)
      this.changes.push({
        id,
        ...change,
        words: change.words.map(({ change: kind, text }) => ({ change: kind, text: cut(text) })),
      })
    return id
  }

  private nextId(): string {
    this.count += 1
    return `c${this.count}`
  }

  private blocks(entries: readonly BlockEntry[]): Block[] {
    return entries.flatMap((entry): Block | Block[] => {
      switch (entry.kind) {
        case 'same':
          return entry.after
        case 'pair':
          return this.pair(entry)
        default:
          this.marks.set(entry.node, this.markSingle(entry, blockName(entry.node)))
          return entry.node
      }
    })
  }

  /** Reports a block or part that one version has in its place, and returns its mark. */
  private markSingle(single: Single<Block | BlockPart>, block: string): ComparisonMark {
    const { kind, node, moved } = single
    const [before, after] = kind === 'removed' ? [node, moved?.node] : [moved?.node, node]
    if (moved !== undefined) {
      const id = this.moves.get(node) ?? this.nextId()
      this.moves.set(moved.node, id)
      const place = this.places.get(moved.node)
      // In the list it stands at its new place.
      if (kind === 'added')
        this.report(
          { type: 'moved', block, key: this.keyPair(before, after), words: wordsOf('same', node) },
          id,
        )
      return { change: kind === 'added' ? 'moved' : 'moved-away', id, ...(place !== undefined && { place }) }
    }
    const key = this.keyPair(before, after)
    return { change: kind, id: this.report({ type: kind, block, key, words: wordsOf(kind, node) }) }
  }

  private keyPair(before: object | undefined, after: object | undefined): DocumentChange['key'] {
    const [one, other] = [before && this.keysBefore.get(before), after && this.keys.get(after)]
    return { ...(one !== undefined && { before: one }), ...(other !== undefined && { after: other }) }
  }

  private pair({ before, after, inner }: BlockPair): Block {
    const edited = { type: 'edited', block: blockName(after), key: this.keyPair(before, after) } as const
    if (!areComparable(before, after)) {
      const words = [...wordsOf('removed', before), ...wordsOf('added', after)]
      this.marks.set(after, { change: 'replaced', before, id: this.report({ ...edited, words }) })
      return after
    }
    const own = this.compareOwn(before, after, inner)
    // A block whose parts alone differ has no mark of its own.
    const id = own.words === undefined ? undefined : this.report({ ...edited, words: own.words })
    const block = inner === undefined ? own.block : this.withInner(own.block, inner, edited.key)
    if (id !== undefined) this.marks.set(block, { change: 'edited', id })
    const code = block.type === 'code' ? this.codes.get(own.block as Code) : undefined
    if (code !== undefined) this.codes.set(block as Code, code)
    const key = this.keys.get(after)
    if (key !== undefined) this.keys.set(block, key)
    return block
  }

  /** Compares what a block has besides its blocks; `words` is undefined where that is the same. */
  private compareOwn(
    before: Block,
    after: Block,
    inner: Inner | undefined,
  ): { readonly block: Block; readonly words?: readonly DiffPart[] } {
    const isEqual = ownMembers(before) === ownMembers(after)
    if (after.type === 'code' && before.type === 'code') {
      const lines = diffTokens(linesOf(before), linesOf(after), (line) => `${line}|`, this.budget)
      const block = { ...after }
      if (before.code !== after.code) this.codes.set(block, { before, lines })
      return { block, words: lines.map(({ change, tokens }) => ({ change, text: `${tokens.join('\n')}\n` })) }
    }
    if (after.type === 'expandable' && before.type === 'expandable') {
      const { inlines, words } = this.inlines(before.title, after.title)
      const isSame = isEqual && words.every(({ change }) => change === 'same')
      return { block: { ...after, title: inlines }, ...(!isSame && { words }) }
    }
    if ('children' in after && 'children' in before) {
      const { inlines, words } = this.inlines(before.children, after.children)
      return { block: { ...after, children: inlines }, words }
    }
    if (inner?.type === 'table' && after.type === 'table') {
      const compared = inner.columns.map((pair) => this.column(pair.before, pair.after))
      const isSame = isEqual && compared.every(({ words }) => words.every(({ change }) => change === 'same'))
      const block = { ...after, columns: compared.map(({ column }) => column) }
      return { block, ...(!isSame && { words: compared.flatMap(({ words }) => words) }) }
    }
    return { block: after, ...(!isEqual && { words: [] }) }
  }

  private inlines(before: readonly Inline[], after: readonly Inline[]) {
    return compareInlines(before, after, (inline, change) => this.marks.set(inline, { change }), this.budget)
  }

  private column(before: TableColumn | undefined, after: TableColumn | undefined) {
    const { inlines, words } = this.inlines(before?.title ?? [], after?.title ?? [])
    return { column: { ...(after ?? before!), title: inlines }, words }
  }

  private withInner(block: Block, inner: Inner, key: DocumentChange['key']): Block {
    switch (inner.type) {
      case 'blocks':
        return { ...block, blocks: this.blocks(inner.entries) } as Block
      case 'parts':
        return { ...block, [partsMember(block)]: this.parts(inner.entries, block) } as Block
      case 'table':
        return { ...(block as Table), rows: inner.rows.map((row) => this.row(row, key)) }
    }
  }

  private parts(entries: readonly PartEntry[], block: Block): BlockPart[] {
    return entries.map((entry): BlockPart => {
      if (entry.kind === 'same') return entry.after
      if (entry.kind !== 'pair') {
        const mark = this.markSingle(entry, partName(block))
        // An empty part is displayed too, as a number or a bullet.
        const blocks = entry.node.blocks.length > 0 ? entry.node.blocks : [{ ...emptyBlock }]
        for (const one of blocks) this.marks.set(one, mark)
        const part = { ...entry.node, blocks }
        this.marks.set(part, mark)
        return part
      }
      const { before, after } = entry
      const [was, is] = [before, after].map((part) => (part as { checked?: boolean }).checked)
      const key = this.keyPair(before, after)
      const id =
        was === is ? undefined : this.report({ type: 'edited', block: partName(block), key, words: [] })
      const part = { ...after, blocks: this.blocks(entry.entries) }
      if (id !== undefined) this.marks.set(part, { change: 'edited', id })
      return part
    })
  }

  private row({ before, after, cells }: RowPair, key: DocumentChange['key']): TableCell[] {
    if (before !== undefined && after !== undefined) return cells.map((cell) => this.cell(cell, key))
    const change = before === undefined ? ('added' as const) : ('removed' as const)
    const words = (before ?? after!).flatMap((cell) => wordsOfCell(change, cell))
    const id = this.report({ type: change, block: 'table-row', key, words })
    return cells.map((cell) => {
      // A copy: an empty cell may stand for several.
      const one = { ...(cell.before ?? cell.after ?? { blocks: [] }) }
      this.marks.set(one, { change, id })
      return one
    })
  }

  private cell({ before, after, entries }: CellPair, key: DocumentChange['key']): TableCell {
    if (entries !== undefined) return { ...after!, blocks: this.blocks(entries) }
    if (before !== undefined && after !== undefined && !isEmptyCell(before) && !isEmptyCell(after)) {
      if (JSON.stringify(before.values) === JSON.stringify(after.values) && before.href === after.href)
        return after
      const words = [...wordsOfCell('removed', before), ...wordsOfCell('added', after)]
      const id = this.report({ type: 'edited', block: 'table-cell', key, words })
      const one = { ...after }
      this.marks.set(one, { change: 'replaced', id, before })
      return one
    }
    const one = { ...(after !== undefined && !isEmptyCell(after) ? after : (before ?? { blocks: [] })) }
    if (before === undefined || after === undefined) {
      // Of a column that one version has: the change of the table.
      this.marks.set(one, { change: before === undefined ? 'added' : 'removed' })
    } else if (!isEmptyCell(before) || !isEmptyCell(after)) {
      const change = isEmptyCell(before) ? ('added' as const) : ('removed' as const)
      const id = this.report({ type: 'edited', block: 'table-cell', key, words: wordsOfCell(change, one) })
      this.marks.set(one, { change, id })
    }
    return one
  }
}

const isEmptyCell = ({ blocks, values, href }: TableCell): boolean =>
  blocks.length === 0 && (values ?? []).length === 0 && href === undefined

/** Displays nothing. */
const emptyBlock: Block = { type: 'paragraph', span: { start: 0, end: 0 }, children: [] }

/** What a block has besides its blocks and its text, as a string. */
function ownMembers(block: Block): string {
  const { span: _, aliases: __, ...members } = block
  return JSON.stringify(members, (name, value) => (innerMembers.has(name) ? undefined : value))
}

const innerMembers = new Set(
  'anchor blocks children title items tabs steps columns updates rows code'.split(' '),
)

function partsMember({ type }: Block): 'items' | 'tabs' | 'steps' | 'columns' | 'updates' {
  if (type === 'list') return 'items'
  return type === 'stepper' ? 'steps' : (type as 'tabs' | 'columns' | 'updates')
}

/** The type of a block in the JSON of the API. */
function blockName(block: Block): string {
  if (block.type === 'heading') return `heading-${block.level}`
  if (block.type === 'list') return `list-${block.kind}`
  return block.type === 'html' ? 'code' : block.type
}

/** The type of a part in the JSON of the API. */
function partName(block: Block): string {
  const names = {
    list: 'list-item',
    tabs: 'tabs-item',
    stepper: 'stepper-step',
    columns: 'column',
    updates: 'update',
  }
  return names[block.type as keyof typeof names]
}

const linesOf = ({ code }: Code): string[] => code.split('\n')

function wordsOf(change: DiffPart['change'], node: Block | BlockPart): DiffPart[] {
  const text = plainText({ blocks: 'type' in node ? [node as Block] : node.blocks })
  return text === '' ? [] : [{ change, text }]
}

function wordsOfCell(change: DiffPart['change'], { blocks, values }: TableCell): DiffPart[] {
  const text = values?.join(', ') ?? plainText({ blocks })
  return text === '' ? [] : [{ change, text }]
}

function cut(text: string): string {
  return text.length <= maxWordsLength
    ? text
    : `${text.slice(0, maxWordsLength).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns for each block and part the heading above it. */
function placesOf(document: Document): Map<object, string> {
  const places = new Map<object, string>()
  let heading: string | undefined
  const visit = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (heading !== undefined) places.set(block, heading)
      if (block.type === 'heading') heading = plainText(block.children)
      for (const part of partsOf(block) ?? []) {
        if (heading !== undefined) places.set(part, heading)
        visit(part.blocks)
      }
      if ('blocks' in block) visit(block.blocks)
    }
  }
  visit(document.blocks)
  return places
}
