/**
 * Layout of a table, estimated from the characters in it: a browser knows how wide words are, but not which column
 * contains sentences, nor whether rows should be stacked on a phone.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Table, TableCell, TableColumn } from '../../core/document/types.js'

export interface VisibleColumn {
  readonly column: TableColumn
  /** The title as plain text. */
  readonly label: string
  /** Minimum width: 0 for words, 1 for phrases, 2 for sentences, 3 for paragraphs. */
  readonly room: 0 | 1 | 2 | 3
}

export interface TableShape {
  readonly columns: readonly VisibleColumn[]
  /** By the index among all columns, hidden ones included. */
  readonly byIndex: ReadonlyMap<number, VisibleColumn>
  readonly isHeaded: boolean
  /** True if on a phone each row becomes a list of its cells, labelled by their columns. */
  readonly stacks: boolean
  /** True if the first column names the row. */
  readonly namesRows: boolean
  /** True if the first column stays visible while the others are scrolled. */
  readonly isFirstSticky: boolean
}

/** Characters from which a column becomes wider. */
const phrase = 24
const sentence = 60
const paragraph = 160
/** Characters of a row that fit side by side on a phone. */
const phoneWidth = 30
const maxLabelLength = 40

/** Returns the layout of a table's visible columns. */
export function shapeOf(block: Table): TableShape {
  const longest = longestCells(block)
  const lengths: number[] = []
  const byIndex = new Map<number, VisibleColumn>()
  for (const [index, column] of block.columns.entries()) {
    if (column.hidden === true) continue
    const length = longest[index] ?? 0
    lengths.push(length)
    const room = length < phrase ? 0 : length < sentence ? 1 : length < paragraph ? 2 : 3
    byIndex.set(index, { column, label: plainText(column.title).trim(), room })
  }
  const columns = [...byIndex.values()]
  const isHeaded = block.hideHeader !== true && columns.some(({ column }) => column.title.length > 0)
  const width = lengths.reduce((sum, length) => sum + length, 0)
  return {
    columns,
    byIndex,
    isHeaded,
    stacks:
      isHeaded &&
      columns.length > 1 &&
      columns.length <= 3 &&
      width > phoneWidth &&
      columns.every(({ label }) => label.length <= maxLabelLength),
    namesRows: (columns[0]?.room ?? 3) < 2,
    isFirstSticky: columns.length > 2 && columns[0]!.room < (columns.length > 3 ? 3 : 2),
  }
}

/** Characters of the longest cell by column. Iterates rows, which can lack thousands of columns. */
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
