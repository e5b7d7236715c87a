/**
 * Card view of a table. Hidden columns hold the link target and the pictures of a card; the first visible
 * column is its title.
 *
 * The title is the link, stretched over the whole card by the style sheet: one link for a screen
 * reader, and links in the other cells keep working.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Block, Inline, Table, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import { renderCell } from './cell.js'
import type { PageRenderer } from './context.js'
import { sizeOf, sourceOf } from './images.js'
import { responsiveAttributes } from './responsive-images.js'
import { safeUrl } from './safe-url.js'

/** Indexes of the columns with a special role, looked up once. */
interface CardColumns {
  readonly target: number
  readonly cover: number
  readonly coverDark: number
}

/** A list of cards, one for each row. */
export function renderCards(block: Table, page: PageRenderer): Html {
  const { columns } = block
  const cardColumns: CardColumns = {
    target: columns.findIndex((column) => column.cardTarget === true),
    cover: columns.findIndex((column) => column.cardCover === true),
    coverDark: columns.findIndex((column) => column.cardCoverDark === true),
  }
  const classes = ['cards', block.cardSize === 'large' && 'large', block.fullWidth === true && 'full-width']
  return html`<ul class="${classes.filter(Boolean).join(' ')}" role="list">
    ${block.rows.map((row) => renderCard(row, columns, cardColumns, page))}
  </ul>\n`
}

function renderCard(
  row: readonly TableCell[],
  columns: readonly TableColumn[],
  cardColumns: CardColumns,
  page: PageRenderer,
): Html {
  const filled = row.flatMap((cell, index) => {
    const column = columns[index]
    const isFilled = cell.blocks.length > 0 || (cell.values?.length ?? 0) > 0
    return column === undefined || column.hidden === true || !isFilled ? [] : [{ column, cell }]
  })
  const target = row[cardColumns.target]
  const href = cardHref(target, page)
  const cover = renderCover(row[cardColumns.cover], row[cardColumns.coverDark], page)
  const [first, ...others] = filled
  const title = first === undefined ? nothing : renderCell(first.cell, first.column, page)
  // Nested links are invalid, and headings contain one: then the link of the card is beside the title.
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

function cardHref(cell: TableCell | undefined, page: PageRenderer): string | undefined {
  if (cell?.href === undefined) return undefined
  const target = page.context.link(cell.href)
  return target.broken === true ? undefined : safeUrl(target.href)
}

function renderCover(light: TableCell | undefined, dark: TableCell | undefined, page: PageRenderer): Html {
  const one = (cell: TableCell | undefined, theme?: string): Html => {
    const source = cell?.href === undefined ? undefined : sourceOf(cell.href, page)
    if (source === undefined) return nothing
    const classes = ['card-cover', cell?.objectFit !== undefined && `fit-${cell.objectFit}`, theme]
      .filter(Boolean)
      .join(' ')
    return html`<img${attributes({ class: classes, src: source.src, ...responsiveAttributes(source.file, 'card'), alt: '', ...sizeOf({}, source.file), loading: 'lazy', decoding: 'async' })}>`
  }
  if (dark?.href === undefined) return one(light)
  return html`${one(light, 'when-light')}${one(dark, 'when-dark')}`
}

/** Accessible name of a card whose title is not a link: its first words, or else its target. */
function labelOf(
  filled: readonly { cell: TableCell }[],
  target: TableCell | undefined,
  page: PageRenderer,
): string {
  for (const { cell } of filled) {
    const words = plainText(cell).trim()
    if (words !== '') return words.slice(0, maxLabelLength)
  }
  return page.context.link(target?.href ?? '').page?.title ?? page.words.open
}

const maxLabelLength = 200
const linking = new Set<Inline['type']>(['link', 'button', 'annotation', 'inline-html'])

function isWithoutLinks(block: Block): boolean {
  return block.type === 'paragraph' && !block.children.some(({ type }) => linking.has(type))
}
