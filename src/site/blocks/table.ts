/**
 * Tables. A wide one scrolls inside itself, so that the page never scrolls sideways.
 *
 * The view as cards is in cards.ts, the content of cells in cell.ts.
 */
import type { Table, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { renderCards } from './cards.js'
import { renderCell } from './cell.js'
import { isolated } from './list.js'
import type { Rendering } from './context.js'

/** The table as a grid or as cards, hidden columns left out. */
export function renderTable(block: Table, page: Rendering): Html {
  return block.view === 'cards' ? renderCards(block, page) : renderGrid(block, page)
}

function renderGrid(block: Table, page: Rendering): Html {
  const shown = block.columns.filter((column) => column.hidden !== true)
  let count = 0
  const shownUpTo = [0, ...block.columns.map((column) => (count += column.hidden === true ? 0 : 1))]
  const headed = block.hideHeader !== true && shown.some(({ title }) => title.length > 0)
  const widths = shown.some((column) => widthOf(column) !== undefined)
  return html`<div
    class="${block.fullWidth === true ? 'table full-width' : 'table'}"
    tabindex="0"
    role="group"
    aria-label="Table">
    <table>
      ${
        widths &&
        html`<colgroup>
          ${shown.map((column) => html`<col${attributes({ width: widthOf(column) })}>`)}
        </colgroup>`
      }${
        headed &&
        html`<thead>
          <tr>
            ${shown.map((column) => html`<th scope="col"${attributes({ class: cellClass(column) })}>${isolated(page).inlines(column.title)}</th>`)}
          </tr>
        </thead>\n`
      }
      <tbody>
        ${block.rows.map(
          (row) =>
            html`<tr>
              ${renderCells(row, block.columns, page)}${missing(shown.length - (shownUpTo[row.length] ?? 0))}
            </tr>\n`,
        )}
      </tbody>
    </table>
  </div>\n`
}

/** Cells that a row lacks are one: short rows of a wide table would fill the page with what nobody wrote. */
function missing(cells: number): Html | false {
  return cells > 0 && html`<td${attributes({ colspan: cells === 1 ? undefined : cells })}></td>`
}

function renderCells(row: readonly TableCell[], columns: readonly TableColumn[], page: Rendering): Html[] {
  return row.flatMap((cell, index) => {
    const column = columns[index]
    if (column === undefined || column.hidden === true) return []
    return [html`<td${attributes({ class: cellClass(column) })}>${renderCell(cell, column, page)}</td>`]
  })
}

function widthOf(column: TableColumn): string | undefined {
  return /^\d{1,4}(?:\.\d+)?(?:%|px)?$/.test(column.width ?? '') ? column.width?.replace('px', '') : undefined
}

function cellClass(column: TableColumn): string | undefined {
  const align = column.align ?? (column.type === 'number' ? 'right' : undefined)
  return align === undefined || align === 'left' ? undefined : `align-${align}`
}
