/**
 * A table shown as cards. Hidden columns carry where a card leads and its pictures; the first shown
 * column is its title.
 *
 * The link is the title's, stretched over the whole card by the style sheet: one link for a screen
 * reader, and links in the other cells keep working.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Block, Inline, Table, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import { renderCell } from './cell.js'
import type { Rendering } from './context.js'
import { sizeOf, sourceOf } from './images.js'
import { sizesFor } from './picture-sizes.js'
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
  // A link inside the title would be a link in a link, and a heading has one: then the card's own stands beside it.
  const linkable = first !== undefined && first.cell.blocks.every(isWithoutLinks)
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
          aria-label="${labelOf(filled, target, page)}"></a>`
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
    return html`<img${attributes({ class: classes, src: source.src, ...sizesFor(source.file, 'card'), alt: '', ...sizeOf({}, source.file), loading: 'lazy', decoding: 'async' })}>`
  }
  if (dark?.href === undefined) return one(light)
  return html`${one(light, 'when-light')}${one(dark, 'when-dark')}`
}

/** What a card is called whose title is no link: by its first words, else by where it leads. */
function labelOf(
  filled: readonly { cell: TableCell }[],
  target: TableCell | undefined,
  page: Rendering,
): string {
  for (const { cell } of filled) {
    const words = plainText(cell).trim()
    if (words !== '') return words.slice(0, longestLabel)
  }
  return page.context.link(target?.href ?? '').page?.title ?? page.words.open
}

const longestLabel = 200
const linking = new Set<Inline['type']>(['link', 'button', 'annotation', 'inline-html'])

function isWithoutLinks(block: Block): boolean {
  return block.type === 'paragraph' && !block.children.some(({ type }) => linking.has(type))
}
