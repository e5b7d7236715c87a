/**
 * Tables. A wide one scrolls inside itself, so that the page never scrolls sideways.
 *
 * The view as cards is in cards.ts, the content of cells in cell.ts.
 */
import type { Table, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { renderCards } from './cards.js'
import { renderCell } from './cell.js'
import type { Rendering } from './context.js'

/** The table as a grid or as cards, hidden columns left out. */
export function renderTable(block: Table, page: Rendering): Html {
  return block.view === 'cards' ? renderCards(block, page) : renderGrid(block, page)
}

function renderGrid(block: Table, page: Rendering): Html {
  const shown = block.columns.flatMap((column, index) => (column.hidden === true ? [] : [{ column, index }]))
  const headed = block.hideHeader !== true && shown.some(({ column }) => column.title.length > 0)
  const widths = shown.some(({ column }) => widthOf(column) !== undefined)
  return html`<div
    class="${block.fullWidth === true ? 'table full-width' : 'table'}"
    tabindex="0"
    role="group"
    aria-label="Table">
    <table>
      ${
        widths &&
        html`<colgroup>
          ${shown.map(({ column }) => html`<col${attributes({ width: widthOf(column) })}>`)}
        </colgroup>`
      }${
        headed &&
        html`<thead>
          <tr>
            ${shown.map(({ column }) => html`<th scope="col"${attributes({ class: cellClass(column) })}>${page.inlines(column.title)}</th>`)}
          </tr>
        </thead>\n`
      }
      <tbody>
        ${block.rows.map(
          (row) =>
            html`<tr>
              ${shown.map(({ column, index }) => html`<td${attributes({ class: cellClass(column) })}>${renderCell(row[index], column, page)}</td>`)}
            </tr>\n`,
        )}
      </tbody>
    </table>
  </div>\n`
}

function widthOf(column: TableColumn): string | undefined {
  return /^\d{1,4}(?:\.\d+)?(?:%|px)?$/.test(column.width ?? '') ? column.width?.replace('px', '') : undefined
}

function cellClass(column: TableColumn): string | undefined {
  const align = column.align ?? (column.type === 'number' ? 'right' : undefined)
  return align === undefined || align === 'left' ? undefined : `align-${align}`
}
