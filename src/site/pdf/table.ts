/**
 * Tables: a grid that every cell has a place in, whatever the markup says of its spans, and columns as wide as their
 * words want them.
 */
import type { Element } from 'hast'
import type { ConversionContext } from './context.js'
import { attribute, childElements, hasClass, textIn } from './tree.js'
import { type Code, call, empty } from './typst.js'

interface Cell {
  readonly element: Element
  readonly isHead: boolean
  readonly column: number
  readonly across: number
  readonly down: number
}

/** Columns that a page has room for: what stands in others is cut off with them. */
const mostColumns = 40
/** Characters from which a column is no wider. */
const widest = 60

/** Returns a `table`. */
export function convertTable(table: Element, page: ConversionContext, depth: number): Code {
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
  const width = Math.min(mostColumns, Math.max(widthOf(heads), widthOf(bodies)))
  if (width === 0) return empty
  const head = place(heads, width)
  const body = place(bodies, width)
  const written = (cell: Cell | undefined): Code =>
    cell === undefined ? call('cell', 1, 1, '', empty) : convertCell(cell, page, depth)
  const size = width > 9 ? 0.68 : width > 6 ? 0.78 : 0.9
  return call(
    'sheet',
    sharesOf([...head, ...body], width, size),
    size,
    head.flat().map(written),
    ...body.flat().map(written),
  )
}

function convertCell({ element, isHead, across, down }: Cell, page: ConversionContext, depth: number): Code {
  const where = hasClass(element, 'align-center') || attribute(element, 'align') === 'center'
  const atEnd = hasClass(element, 'align-right') || attribute(element, 'align') === 'right'
  const align = where ? 'center' : atEnd ? 'right' : ''
  const shown = page.blocks(element.children, depth + 1)
  return call(isHead ? 'head-cell' : 'cell', across, down, align, shown)
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

/** Returns the cells of each row in their order, undefined where nothing stands; spans end with the table. */
function place(rows: readonly Element[], width: number): (Cell | undefined)[][] {
  /** Rows that a cell above still reaches into, by column. */
  const reached = Array.from({ length: width }, () => 0)
  return rows.map((row, index) => {
    const cells = childElements(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th')
    const placed: (Cell | undefined)[] = []
    for (let column = 0; column < width;) {
      if (reached[column]! > 0) {
        reached[column]!--
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
      const wanted = spanOf(element, 'colSpan')
      while (across < wanted && column + across < width && reached[column + across] === 0) across++
      const down = Math.min(spanOf(element, 'rowSpan'), rows.length - index)
      for (let at = column; at < column + across; at++) reached[at] = down - 1
      placed.push({ element, isHead: element.tagName === 'th', column, across, down })
      column += across
    }
    return placed
  })
}

/** Characters of a column that is as wide as they are, and of all such columns together. */
const short = 16
const shortTogether = 64

/** Returns the share of each column, 0 for one that is as wide as what it holds. */
function sharesOf(rows: readonly (readonly (Cell | undefined)[])[], width: number, size: number): number[] {
  const longest = Array.from({ length: width }, () => 1)
  const words = Array.from({ length: width }, () => 1)
  for (const cell of rows.flat()) {
    if (cell === undefined || cell.across > 1) continue
    const text = textIn(cell.element).trim().slice(0, 2_000)
    longest[cell.column] = Math.max(longest[cell.column]!, text.length)
    for (const word of text.split(/\s+/)) words[cell.column] = Math.max(words[cell.column]!, word.length)
  }
  const isNarrow = longest.map((length) => length <= short)
  const narrow = longest.reduce((sum, length, at) => sum + (isNarrow[at] === true ? length + 3 : 0), 0)
  const fits = narrow <= shortTogether / size && isNarrow.includes(false)
  return longest.map((length, at) => {
    if (fits && isNarrow[at] === true) return 0
    return Math.max(Math.min(length, widest), Math.min(words[at]! * 1.5, 36), 6)
  })
}
