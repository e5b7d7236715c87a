/**
 * Tables as Typst: every cell gets a valid grid position, whatever the spans in the markup, and column widths follow the
 * text.
 */
import type { Element } from 'hast'
import type { ConversionContext } from './context.js'
import { attribute, childElements, hasClass, textContent } from './markup-tree.js'
import { type TypstCode, call, empty } from './typst.js'

interface TableCell {
  readonly element: Element
  readonly isHead: boolean
  readonly column: number
  readonly across: number
  readonly down: number
}

/** Maximum number of columns: cells of further ones are dropped. */
const maxColumns = 40
/** Characters of text from which a column does not grow further. */
const maxColumnWidth = 60

/** Returns a `table`. */
export function convertTable(table: Element, page: ConversionContext, depth: number): TypstCode {
  const heads: Element[] = []
  const bodies: Element[] = []
  const collect = (parent: Element, into: Element[]): void => {
    for (const child of childElements(parent)) {
      if (child.tagName === 'tr') into.push(child)
      else if (child.tagName === 'thead') collect(child, heads)
      else if (child.tagName === 'tbody' || child.tagName === 'tfoot') collect(child, bodies)
    }
  }
  collect(table, bodies)
  const width = Math.min(maxColumns, Math.max(widthOf(heads), widthOf(bodies)))
  if (width === 0) return empty
  const head = placeCells(heads, width)
  const body = placeCells(bodies, width)
  const written = (cell: TableCell | undefined): TypstCode =>
    cell === undefined ? call('cell', 1, 1, '', empty) : convertCell(cell, page, depth)
  const size = width > 9 ? 0.68 : width > 6 ? 0.78 : 0.9
  return call(
    'sheet',
    columnSharesOf([...head, ...body], width, size),
    size,
    head.flat().map(written),
    ...body.flat().map(written),
  )
}

function convertCell(
  { element, isHead, across, down }: TableCell,
  page: ConversionContext,
  depth: number,
): TypstCode {
  const isCentered = hasClass(element, 'align-center') || attribute(element, 'align') === 'center'
  const isAtEnd = hasClass(element, 'align-right') || attribute(element, 'align') === 'right'
  const align = isCentered ? 'center' : isAtEnd ? 'right' : ''
  const content = page.blocks(element.children, depth + 1)
  return call(isHead ? 'head-cell' : 'cell', across, down, align, content)
}

function widthOf(rows: readonly Element[]): number {
  return Math.max(
    0,
    ...rows.map((row) => childElements(row).reduce((sum, cell) => sum + spanOf(cell, 'colSpan'), 0)),
  )
}

function spanOf(cell: Element, name: 'colSpan' | 'rowSpan'): number {
  const span = Number(attribute(cell, name) ?? attribute(cell, name.toLowerCase()) ?? 1)
  return Number.isInteger(span) && span > 1 ? Math.min(span, 1_000) : 1
}

/** Returns the cells of each row in order, undefined for empty positions; spans are cut at the end of the table. */
function placeCells(rows: readonly Element[], width: number): (TableCell | undefined)[][] {
  /** Number of rows that a cell above still spans, by column. */
  const spannedRows = Array.from({ length: width }, () => 0)
  return rows.map((row, index) => {
    const cells = childElements(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th')
    const placed: (TableCell | undefined)[] = []
    for (let column = 0; column < width;) {
      if (spannedRows[column]! > 0) {
        spannedRows[column]!--
        column++
        continue
      }
      const element = cells.shift()
      if (element === undefined) {
        placed.push(undefined)
        column++
        continue
      }
      let across = 1
      const requestedSpan = spanOf(element, 'colSpan')
      while (across < requestedSpan && column + across < width && spannedRows[column + across] === 0) across++
      const down = Math.min(spanOf(element, 'rowSpan'), rows.length - index)
      for (let at = column; at < column + across; at++) spannedRows[at] = down - 1
      placed.push({ element, isHead: element.tagName === 'th', column, across, down })
      column += across
    }
    return placed
  })
}

/** Characters of a column that is exactly as wide as its text, and of all such columns together. */
const narrowWidth = 16
const maxNarrowTotal = 64

/** Returns the width share of each column, 0 for one as wide as its content. */
function columnSharesOf(
  rows: readonly (readonly (TableCell | undefined)[])[],
  width: number,
  size: number,
): number[] {
  const longest = Array.from({ length: width }, () => 1)
  const words = Array.from({ length: width }, () => 1)
  for (const cell of rows.flat()) {
    if (cell === undefined || cell.across > 1) continue
    const text = textContent(cell.element).trim().slice(0, 2_000)
    longest[cell.column] = Math.max(longest[cell.column]!, text.length)
    for (const word of text.split(/\s+/)) words[cell.column] = Math.max(words[cell.column]!, word.length)
  }
  const isNarrow = longest.map((length) => length <= narrowWidth)
  const narrow = longest.reduce((sum, length, at) => sum + (isNarrow[at] === true ? length + 3 : 0), 0)
  const fits = narrow <= maxNarrowTotal / size && isNarrow.includes(false)
  return longest.map((length, at) => {
    if (fits && isNarrow[at] === true) return 0
    return Math.max(Math.min(length, maxColumnWidth), Math.min(words[at]! * 1.5, 36), 6)
  })
}
