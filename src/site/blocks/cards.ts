/**
 * A table shown as cards. Hidden columns carry where a card leads and its pictures; the first shown
 * column is its title.
 *
 * The link is the title's, stretched over the whole card by the style sheet: one link for a screen
 * reader, and links in the other cells keep working.
 */
import type { Block, Inline, Table, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import { renderCell } from './cell.js'
import type { Rendering } from './context.js'
import { sizeOf, sourceOf } from './images.js'
import { safeUrl } from './safe-url.js'

/** A list of cards, one for each row. */
export function renderCards(block: Table, page: Rendering): Html {
  const classes = ['cards', block.cardSize === 'large' && 'large', block.fullWidth === true && 'full-width']
  return html`<ul class="${classes.filter(Boolean).join(' ')}" role="list">
    ${block.rows.map((row) => renderCard(row, block.columns, page))}
  </ul>\n`
}

function renderCard(row: readonly TableCell[], columns: readonly TableColumn[], page: Rendering): Html {
  const find = (claim: (column: TableColumn) => boolean | undefined): TableCell | undefined =>
    row[columns.findIndex((column) => claim(column) === true)]
  const shown = columns.flatMap((column, index) =>
    column.hidden === true ? [] : [{ column, cell: row[index] }],
  )
  const filled = shown.filter(
    ({ cell }) => cell !== undefined && (cell.blocks.length > 0 || (cell.values?.length ?? 0) > 0),
  )
  const href = cardHref(
    find((column) => column.cardTarget),
    page,
  )
  const cover = renderCover(
    find((column) => column.cardCover),
    find((column) => column.cardCoverDark),
    page,
  )
  const [first, ...others] = filled
  const title = first === undefined ? nothing : renderCell(first.cell, first.column, page)
  // A link inside the title would be a link in a link: then the card's own link stands beside it.
  const linkable = first !== undefined && !hasLink(first.cell?.blocks ?? [])
  return html`<li class="${href === undefined ? 'card' : 'card linked'}">
    ${cover}
    <div class="card-body">
      ${
        first !== undefined &&
        html`<div class="card-title">
          ${href !== undefined && linkable ? html`<a class="card-link" href="${href}">${title}</a>` : title}
        </div>`
      }${others.map(({ cell, column }) => html`<div class="card-cell">${renderCell(cell, column, page)}</div>`)}${
        href !== undefined &&
        !linkable &&
        html`<a
          class="card-link"
          href="${href}"
          aria-label="${page.context.link(find((column) => column.cardTarget)?.href ?? '').page?.title ?? 'Open'}"></a>`
      }
    </div>
  </li>\n`
}

function cardHref(cell: TableCell | undefined, page: Rendering): string | undefined {
  if (cell?.href === undefined) return undefined
  const target = page.context.link(cell.href)
  return target.broken === true ? undefined : safeUrl(target.href)
}

function renderCover(light: TableCell | undefined, dark: TableCell | undefined, page: Rendering): Html {
  const one = (cell: TableCell | undefined, theme?: string): Html => {
    const source = cell?.href === undefined ? undefined : sourceOf(cell.href, page)
    if (source === undefined) return nothing
    const classes = ['card-cover', cell?.objectFit !== undefined && `fit-${cell.objectFit}`, theme]
      .filter(Boolean)
      .join(' ')
    return html`<img${attributes({ class: classes, src: source.src, alt: '', ...sizeOf({}, source.file), loading: 'lazy', decoding: 'async' })}>`
  }
  if (dark?.href === undefined) return one(light)
  return html`${one(light, 'when-light')}${one(dark, 'when-dark')}`
}

function hasLink(blocks: readonly Block[]): boolean {
  const linked = (inlines: readonly Inline[]): boolean =>
    inlines.some(
      (inline) => inline.type === 'link' || inline.type === 'button' || inline.type === 'annotation',
    )
  return blocks.some(
    (block) => !(block.type === 'paragraph' || block.type === 'heading') || linked(block.children),
  )
}
