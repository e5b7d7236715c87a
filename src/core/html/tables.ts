/**
 * Tables: head, cells with block content, column alignment. Cells spanning rows or columns are split, which is reported
 * as a loss; layout tables are read as their content.
 */
import type { Block, Table, TableCell, TableColumn } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { alignmentOfAttributes, alignmentOfColumn, layOutCells } from '../document/table-grid.js'
import { trimInlines } from '../markdown/caption.js'
import { defined } from '../markdown/reader.js'
import { type HtmlElement, classesOf, elementsOf, hasClass, valueOf } from './nodes.js'
import { paragraphsToInlines } from './paragraphs-to-inlines.js'
import { type HtmlReader, noSpan } from './reader.js'

interface Row {
  readonly cells: readonly HtmlElement[]
  readonly isHead: boolean
}

/** Returns the blocks of a table. */
export function readTable(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const { rows, caption } = partsOf(element)
  if (isLayout(element, rows))
    return rows.flatMap(({ cells }) => cells.flatMap((cell) => reader.blocks(cell.children)))
  const grid = layOutRows(reader, rows)
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return []
  const hasHead = rows[0]!.isHead || (rows.length > 1 && rows[0]!.cells.every((cell) => isBold(reader, cell)))
  const columns = Array.from({ length: width }, (_, index) => {
    const cell = hasHead ? grid[0]![index] : undefined
    const blocks = cell ? reader.blocks(cell.children) : []
    return defined({
      title: paragraphsToInlines(blocks),
      type: 'text' as const,
      align: alignmentOfColumn(grid, index, alignmentOf),
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

function layOutRows(reader: HtmlReader, rows: readonly Row[]): (HtmlElement | undefined)[][] {
  const grid = layOutCells(
    rows.map(({ cells }) => cells),
    {
      attribute: valueOf,
      onSpan: () => reader.reportLoss('cells over several rows or columns, which were split'),
      onCut: () => reader.reportLoss('cells of tables that are too wide or too long'),
    },
  )
  for (const row of grid) reader.budget.spend('steps', row.length)
  return grid
}

function alignmentOf(cell: HtmlElement): string | undefined {
  return (
    alignmentOfAttributes(valueOf(cell, 'align'), cell.attributes.get('style')) ??
    (hasClass(cell, 'text-center') ? 'center' : hasClass(cell, 'text-right') ? 'right' : undefined)
  )
}
