/**
 * How a table wants to stand, judged by the characters in it: a browser knows how wide words are, but not which
 * column holds sentences, nor whether rows read better one below the other on a phone.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Table, TableCell, TableColumn } from '../../core/document/types.js'

export interface ShownColumn {
  readonly column: TableColumn
  /** The title as plain text. */
  readonly label: string
  /** Least room: 0 for words, 1 for phrases, 2 for sentences, 3 for paragraphs. */
  readonly room: 0 | 1 | 2 | 3
}

export interface TableShape {
  readonly columns: readonly ShownColumn[]
  /** By its place among all columns. */
  readonly at: ReadonlyMap<number, ShownColumn>
  readonly isHeaded: boolean
  /** True when on a phone each row stands as a list of its cells, labelled by their columns. */
  readonly stacks: boolean
  /** True when the first column names what the row tells of. */
  readonly namesRows: boolean
  /** True when the first column stays in sight while the others are scrolled. */
  readonly keepsFirst: boolean
}

/** Characters from which a column gets more room. */
const phrase = 24
const sentence = 60
const paragraph = 160
/** Characters of a row that a phone shows side by side. */
const fitsPhone = 30
const longestLabel = 40

/** Returns the shape of a table's shown columns. */
export function shapeOf(block: Table): TableShape {
  const longest = longestCells(block)
  const lengths: number[] = []
  const at = new Map<number, ShownColumn>()
  for (const [index, column] of block.columns.entries()) {
    if (column.hidden === true) continue
    const length = longest[index] ?? 0
    lengths.push(length)
    const room = length < phrase ? 0 : length < sentence ? 1 : length < paragraph ? 2 : 3
    at.set(index, { column, label: plainText(column.title).trim(), room })
  }
  const columns = [...at.values()]
  const isHeaded = block.hideHeader !== true && columns.some(({ column }) => column.title.length > 0)
  const width = lengths.reduce((sum, length) => sum + length, 0)
  return {
    columns,
    at,
    isHeaded,
    stacks:
      isHeaded &&
      columns.length > 1 &&
      columns.length <= 3 &&
      width > fitsPhone &&
      columns.every(({ label }) => label.length <= longestLabel),
    namesRows: (columns[0]?.room ?? 3) < 2,
    keepsFirst: columns.length > 2 && columns[0]!.room < (columns.length > 3 ? 3 : 2),
  }
}

/** Characters of the longest cell by column. Rows are walked, for they may be short of thousands of columns. */
function longestCells({ rows }: Table): number[] {
  const longest: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) longest[index] = Math.max(longest[index] ?? 0, lengthOf(cell))
  }
  return longest
}

function lengthOf({ blocks, values }: TableCell): number {
  return values === undefined ? plainText({ blocks }).length : values.join(' ').length
}
