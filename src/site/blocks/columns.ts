/** Columns side by side, one under the other where there is no room. */
import type { Columns } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { Rendering } from './context.js'

/** A row of columns whose widths are rounded to the shares that the style sheet knows. */
export function renderColumns(block: Columns, page: Rendering): Html {
  return html`<div class="${block.fullWidth === true ? 'columns full-width' : 'columns'}">
    ${block.columns.map(
      (column) =>
        html`<div${attributes({ class: column.verticalAlignment === undefined ? 'column' : `column ${column.verticalAlignment}`, 'data-share': shareOf(column.width) })}>
${page.blocks(column.blocks)}</div>`,
    )}
  </div> `
}

/** A share in steps of twelfths, 1 to 11; undefined when nothing usable is written. Inline styles are not allowed. */
function shareOf(width: string | undefined): number | undefined {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(width ?? '')?.[1])
  return percent > 0 && percent < 100
    ? Math.min(11, Math.max(1, Math.round((percent * 12) / 100)))
    : undefined
}
