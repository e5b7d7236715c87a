/**
 * Tables. A wide one scrolls inside itself, so that the page never scrolls sideways; one of few columns becomes a
 * list of labelled cells on narrow screens, and stays a table by its ARIA roles.
 *
 * The card view is in cards.ts, the content of cells in cell.ts, the layout in table-shape.ts.
 */
import type { Table, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { renderCards } from './cards.js'
import { renderCell } from './cell.js'
import { isolated } from './list.js'
import type { PageRenderer } from './context.js'
import { type VisibleColumn, type TableShape, shapeOf } from './table-shape.js'

/** The table as a grid or as cards, hidden columns left out. */
export function renderTable(block: Table, page: PageRenderer): Html {
  return block.view === 'cards' ? renderCards(block, page) : renderGrid(block, page)
}

function renderGrid(block: Table, page: PageRenderer): Html {
  const shape = shapeOf(block)
  const { columns } = shape
  let count = 0
  const visibleBefore = [0, ...block.columns.map((column) => (count += column.hidden === true ? 0 : 1))]
  const classes = [
    'table',
    block.fullWidth === true && 'full-width',
    shape.stacks && (shape.namesRows ? 'stacks named' : 'stacks'),
    shape.isFirstSticky && 'keeps-first',
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
              ${renderCells(row, shape, index === 0, page)}${missingCells(columns.length - (visibleBefore[row.length] ?? 0), shape)}
            </tr>\n`,
        )}
      </tbody>
    </table>
  </div>\n`
}

/** Missing cells of a row are one cell: otherwise short rows of a wide table would fill the page with empty cells. */
function missingCells(cells: number, { stacks }: TableShape): Html | false {
  return (
    cells > 0 &&
    html`<td${attributes({ role: stacks ? 'cell' : undefined, colspan: cells === 1 ? undefined : cells })}></td>`
  )
}

function renderCells(
  row: readonly TableCell[],
  { byIndex, stacks, isHeaded }: TableShape,
  isFirst: boolean,
  page: PageRenderer,
): Html[] {
  return row.flatMap((cell, index) => {
    const column = byIndex.get(index)
    if (column === undefined) return []
    if (stacks) page.spend('output', column.label.length)
    const own = attributes({
      role: stacks ? 'cell' : undefined,
      class: cellClass(column, isFirst && !isHeaded),
      'data-label': stacks && column.label !== '' ? column.label : undefined,
    })
    return [html`<td${own}>${renderCell(cell, column.column, page)}</td>`]
  })
}

function widthOf(column: TableColumn): string | undefined {
  return /^\d{1,4}(?:\.\d+)?(?:%|px)?$/.test(column.width ?? '') ? column.width?.replace('px', '') : undefined
}

/** The first cell of a column sets its width. */
function cellClass({ column, room }: VisibleColumn, isFirst: boolean): string | undefined {
  const align = column.align ?? (column.type === 'number' ? 'right' : undefined)
  const classes = [
    align !== undefined && align !== 'left' && `align-${align}`,
    isFirst && room > 0 && `room-${room}`,
  ]
  return classes.filter(Boolean).join(' ') || undefined
}
