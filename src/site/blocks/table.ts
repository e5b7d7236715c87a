/**
 * Tables. A wide one scrolls inside itself, so that the page never scrolls sideways; one of few columns becomes a
 * list of labelled cells where there is little room, and stays a table by its roles.
 *
 * The view as cards is in cards.ts, the content of cells in cell.ts, what fits where in table-shape.ts.
 */
import type { Table, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { renderCards } from './cards.js'
import { renderCell } from './cell.js'
import { isolated } from './list.js'
import type { Rendering } from './context.js'
import { type ShownColumn, type TableShape, shapeOf } from './table-shape.js'

/** The table as a grid or as cards, hidden columns left out. */
export function renderTable(block: Table, page: Rendering): Html {
  return block.view === 'cards' ? renderCards(block, page) : renderGrid(block, page)
}

function renderGrid(block: Table, page: Rendering): Html {
  const shape = shapeOf(block)
  const { columns } = shape
  let count = 0
  const shownUpTo = [0, ...block.columns.map((column) => (count += column.hidden === true ? 0 : 1))]
  const classes = [
    'table',
    block.fullWidth === true && 'full-width',
    shape.stacks && (shape.namesRows ? 'stacks named' : 'stacks'),
    shape.keepsFirst && 'keeps-first',
  ]
  const role = (name: string) => attributes({ role: shape.stacks ? name : undefined })
  return html`<div class="${classes.filter(Boolean).join(' ')}" tabindex="0" role="group" aria-label="${page.words.table}">
    <table${role('table')}>
      ${
        columns.some(({ column }) => widthOf(column) !== undefined) &&
        html`<colgroup>
          ${columns.map(({ column }) => html`<col${attributes({ width: widthOf(column) })}>`)}
        </colgroup>`
      }${
        shape.isHeaded &&
        html`<thead${role('rowgroup')}>
          <tr${role('row')}>
            ${columns.map((column) => html`<th scope="col"${role('columnheader')}${attributes({ class: cellClass(column, true) })}>${isolated(page).inlines(column.column.title)}</th>`)}
          </tr>
        </thead>\n`
      }
      <tbody${role('rowgroup')}>
        ${block.rows.map(
          (row, index) =>
            html`<tr${role('row')}>
              ${renderCells(row, shape, index === 0, page)}${missing(columns.length - (shownUpTo[row.length] ?? 0), shape)}
            </tr>\n`,
        )}
      </tbody>
    </table>
  </div>\n`
}

/** Cells that a row lacks are one: short rows of a wide table would fill the page with what nobody wrote. */
function missing(cells: number, { stacks }: TableShape): Html | false {
  return (
    cells > 0 &&
    html`<td${attributes({ role: stacks ? 'cell' : undefined, colspan: cells === 1 ? undefined : cells })}></td>`
  )
}

function renderCells(
  row: readonly TableCell[],
  { at, stacks, isHeaded }: TableShape,
  isFirst: boolean,
  page: Rendering,
): Html[] {
  return row.flatMap((cell, index) => {
    const shown = at.get(index)
    if (shown === undefined) return []
    if (stacks) page.spend('output', shown.label.length)
    const own = attributes({
      role: stacks ? 'cell' : undefined,
      class: cellClass(shown, isFirst && !isHeaded),
      'data-label': stacks && shown.label !== '' ? shown.label : undefined,
    })
    return [html`<td${own}>${renderCell(cell, shown.column, page)}</td>`]
  })
}

function widthOf(column: TableColumn): string | undefined {
  return /^\d{1,4}(?:\.\d+)?(?:%|px)?$/.test(column.width ?? '') ? column.width?.replace('px', '') : undefined
}

/** The first cell of a column says how much room all of it gets. */
function cellClass({ column, room }: ShownColumn, isFirst: boolean): string | undefined {
  const align = column.align ?? (column.type === 'number' ? 'right' : undefined)
  const classes = [
    align !== undefined && align !== 'left' && `align-${align}`,
    isFirst && room > 0 && `room-${room}`,
  ]
  return classes.filter(Boolean).join(' ') || undefined
}
