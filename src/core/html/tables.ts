/**
 * Tables: head, cells with block content, column alignment. Cells spanning rows or columns are split, which is reported
 * as a loss; layout tables are read as their content.
 */
import type { Block, Table, TableCell, TableColumn } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { trimInlines } from '../markdown/caption.js'
import { defined } from '../markdown/reader.js'
import { type HtmlElement, classesOf, elementsOf, hasClass, valueOf } from './nodes.js'
import { paragraphsToInlines } from './paragraphs-to-inlines.js'
import { type HtmlReader, noSpan } from './reader.js'

/** Wider tables are cut: they would not be readable. */
const maxColumns = 200
/** Cells including padding: a table of many columns and many short rows must not grow with their product. */
const maxCells = 200_000

interface Row {
  readonly cells: readonly HtmlElement[]
  readonly isHead: boolean
}

/** Returns the blocks of a table. */
export function readTable(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const { rows, caption } = partsOf(element)
  if (isLayout(element, rows))
    return rows.flatMap(({ cells }) => cells.flatMap((cell) => reader.blocks(cell.children)))
  const grid = layOutCells(reader, rows)
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return []
  const hasHead = rows[0]!.isHead || (rows.length > 1 && rows[0]!.cells.every((cell) => isBold(reader, cell)))
  const columns = Array.from({ length: width }, (_, index) => {
    const cell = hasHead ? grid[0]![index] : undefined
    const blocks = cell ? reader.blocks(cell.children) : []
    return defined({
      title: paragraphsToInlines(blocks),
      type: 'text' as const,
      align: alignOf(grid, index),
    }) as TableColumn
  })
  const body = hasHead ? grid.slice(1) : grid
  const filled = body
    .map((row) => row.map((cell): TableCell => ({ blocks: cell ? reader.blocks(cell.children) : [] })))
    .filter((cells) => cells.some(({ blocks }) => blocks.length > 0))
  if (filled.length === 0 && columns.every(({ title }) => plainText(title) === '')) return []
  const table: Table = {
    type: 'table',
    span: noSpan,
    view: 'grid',
    ...(!hasHead && { hideHeader: true }),
    columns,
    rows: filled,
  }
  const children = caption ? trimInlines(reader.inlines(caption.children, [{ type: 'bold' }])) : []
  return children.length > 0 ? [{ type: 'paragraph', span: noSpan, children }, table] : [table]
}

/** Word processors have no header cells: they write them in bold. */
function isBold({ styles }: HtmlReader, cell: HtmlElement): boolean {
  let one: HtmlElement | undefined = cell
  for (let level = 0; one && level < 4; level++) {
    const isMarked =
      one.name === 'strong' ||
      one.name === 'b' ||
      classesOf(one).some((name) => styles.get(name)?.some(({ type }) => type === 'bold'))
    if (isMarked) return one.letters > 0
    const inner: HtmlElement[] = elementsOf(one)
    if (inner.length !== 1 || inner[0]!.letters !== cell.letters) return false
    one = inner[0]
  }
  return false
}

function partsOf(table: HtmlElement): { rows: readonly Row[]; caption?: HtmlElement } {
  const rows: Row[] = []
  let caption: HtmlElement | undefined
  for (const part of elementsOf(table)) {
    if (part.name === 'caption') caption ??= part
    for (const row of part.name === 'tr' ? [part] : elementsOf(part).filter(({ name }) => name === 'tr')) {
      const cells = elementsOf(row).filter(({ name }) => name === 'td' || name === 'th')
      if (cells.length === 0) continue
      const isHead = part.name === 'thead' || cells.every(({ name }) => name === 'th')
      rows.push({ cells, isHead: isHead && (rows.length === 0 || part.name === 'thead') })
    }
  }
  return caption ? { rows, caption } : { rows }
}

/** Layout tables: old pages, and some admonitions, use them. */
function isLayout(table: HtmlElement, rows: readonly Row[]): boolean {
  const role = valueOf(table, 'role')
  // Confluence tables have visible borders, even with a single cell.
  if (hasClass(table, 'confluencetable')) return false
  if (role === 'presentation' || role === 'none' || hasClass(table, 'docutils-layout', 'layout')) return true
  if (rows.every(({ cells }) => cells.length === 1))
    return rows.every(({ isHead }) => !isHead) || rows.length === 1
  // A table with a nested table and no header is a layout table.
  return (
    rows.every(({ isHead }) => !isHead) && rows.some(({ cells }) => cells.some((cell) => holdsTable(cell)))
  )
}

function holdsTable(cell: HtmlElement): boolean {
  return elementsOf(cell).some(
    (one) => one.name === 'table' || (one.name === 'div' && elementsOf(one)[0]?.name === 'table'),
  )
}

/** The grid of a table: each cell at its first position; further positions that it spans are empty. */
function layOutCells(reader: HtmlReader, rows: readonly Row[]): (HtmlElement | undefined)[][] {
  const grid: (HtmlElement | undefined)[][] = []
  /** Rows that each column is still covered by a cell above. */
  const covered: number[] = []
  let count = 0
  for (const { cells } of rows) {
    const row: (HtmlElement | undefined)[] = []
    const cover = (): void => {
      while ((covered[row.length] ?? 0) > 0 && row.length < maxColumns) {
        covered[row.length]!--
        row.push(undefined)
      }
    }
    for (const cell of cells) {
      cover()
      if (row.length >= maxColumns || count + row.length >= maxCells) {
        reader.reportLoss('cells of tables that are too wide or too long')
        break
      }
      const wide = spanOf(cell, 'colspan')
      const high = spanOf(cell, 'rowspan')
      if (wide > 1 || high > 1) reader.reportLoss('cells over several rows or columns, which were split')
      for (let index = 0; index < wide && row.length < maxColumns; index++) {
        if (high > 1) covered[row.length] = high - 1
        row.push(index === 0 ? cell : undefined)
      }
    }
    cover()
    count += row.length
    reader.budget.spend('steps', row.length)
    grid.push(row)
  }
  return grid
}

function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const written = Number(valueOf(cell, name) ?? '1')
  return Number.isSafeInteger(written) && written > 1
    ? Math.min(written, name === 'colspan' ? maxColumns : 10_000)
    : 1
}

/** The alignment shared by all cells of a column. */
function alignOf(
  grid: readonly (readonly (HtmlElement | undefined)[])[],
  column: number,
): TableColumn['align'] {
  let alignment: string | undefined
  for (const row of grid.slice(0, 50)) {
    const cell = row[column]
    if (!cell) continue
    const written = alignmentOf(cell)
    if (alignment !== undefined && written !== alignment) return undefined
    alignment = written ?? ''
  }
  return alignment === 'left' || alignment === 'center' || alignment === 'right' ? alignment : undefined
}

function alignmentOf(cell: HtmlElement): string | undefined {
  const alignAttribute = valueOf(cell, 'align')?.toLowerCase()
  if (alignAttribute !== undefined) return alignAttribute
  const style = /(?:^|;)\s{0,4}text-align\s{0,4}:\s{0,4}(left|center|right)/i.exec(
    cell.attributes.get('style') ?? '',
  )
  return (
    style?.[1]!.toLowerCase() ??
    (hasClass(cell, 'text-center') ? 'center' : hasClass(cell, 'text-right') ? 'right' : undefined)
  )
}
