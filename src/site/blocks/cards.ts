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

/** What the columns say of every card, looked up once. */
interface Roles {
  readonly target: number
  readonly cover: number
  readonly coverDark: number
}

/** A list of cards, one for each row. */
export function renderCards(block: Table, page: Rendering): Html {
  const { columns } = block
  const roles: Roles = {
    target: columns.findIndex((column) => column.cardTarget === true),
    cover: columns.findIndex((column) => column.cardCover === true),
    coverDark: columns.findIndex((column) => column.cardCoverDark === true),
  }
  const classes = ['cards', block.cardSize === 'large' && 'large', block.fullWidth === true && 'full-width']
  return html`<ul class="${classes.filter(Boolean).join(' ')}" role="list">
    ${block.rows.map((row) => renderCard(row, columns, roles, page))}
  </ul>\n`
}

function renderCard(
  row: readonly TableCell[],
  columns: readonly TableColumn[],
  roles: Roles,
  page: Rendering,
): Html {
  const filled = row.flatMap((cell, index) => {
    const column = columns[index]
    const isFilled = cell.blocks.length > 0 || (cell.values?.length ?? 0) > 0
    return column === undefined || column.hidden === true || !isFilled ? [] : [{ column, cell }]
  })
  const target = row[roles.target]
  const href = cardHref(target, page)
  const cover = renderCover(row[roles.cover], row[roles.coverDark], page)
  const [first, ...others] = filled
  const title = first === undefined ? nothing : renderCell(first.cell, first.column, page)
  // A link inside the title would be a link in a link: then the card's own link stands beside it.
  const linkable = first !== undefined && !hasLink(first.cell.blocks)
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
          aria-label="${page.context.link(target?.href ?? '').page?.title ?? 'Open'}"></a>`
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
