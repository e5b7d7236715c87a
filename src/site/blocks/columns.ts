/** Columns side by side, stacked on narrow screens. */
import type { Columns } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'

/** A row of columns whose widths are rounded to twelfths, the shares that the style sheet knows. */
export function renderColumns(block: Columns, page: PageRenderer): Html {
  const shares = sharesOf(block.columns.map(({ width }) => width))
  return html`<div class="${block.fullWidth === true ? 'columns full-width' : 'columns'}">
    ${block.columns.map(
      (column, index) =>
        html`<div${attributes({ class: column.verticalAlignment === undefined ? 'column' : `column ${column.verticalAlignment}`, 'data-share': shares[index] })}>
${page.blocks(column.blocks)}</div>`,
    )}
  </div>\n`
}

/** Twelfths, 1 to 11; columns without a width share what the others leave. Inline styles are not allowed. */
function sharesOf(widths: readonly (string | undefined)[]): readonly (number | undefined)[] {
  const declared = widths.map((width) => {
    const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(width ?? '')?.[1])
    return percent > 0 && percent < 100
      ? Math.min(11, Math.max(1, Math.round((percent * 12) / 100)))
      : undefined
  })
  const free = declared.filter((share) => share === undefined).length
  if (free === declared.length) return declared
  const left = 12 - declared.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  return declared.map((share) => share ?? Math.max(1, Math.round(left / free)))
}
