/** Table cells: typed columns render their values as icons and chips instead of text. */
import type { Block, TableCell, TableColumn } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import { colorClass } from './colors.js'
import { compared } from './comparison.js'
import type { PageRenderer } from './context.js'
import { icon } from './icons.js'
import { fill } from '../words/words.js'
import { isolated, tightBlocks } from './list.js'

/** The content of a cell by the type of its column; nothing for a cell that the row lacks. */
export function renderCell(cell: TableCell | undefined, column: TableColumn, page: PageRenderer): Html {
  if (cell === undefined) return nothing
  const render = (one: TableCell) => renderContent(one, column, page)
  return compared(
    cell,
    page,
    () => render(cell),
    'text',
    (before) => render(before as TableCell),
  )
}

function renderContent(cell: TableCell, column: TableColumn, page: PageRenderer): Html {
  const value = cell.values?.[0]
  switch (column.type) {
    case 'checkbox':
      return value === 'true'
        ? html`<span class="tick" role="img" aria-label="${page.words.yes}">${icon('check')}</span>`
        : html`<span class="tick" role="img" aria-label="${page.words.no}">–</span>`
    case 'rating':
      return value === undefined ? content(cell.blocks, page) : rating(Number(value), column.max ?? 5, page)
    case 'select':
      return cell.values === undefined
        ? content(cell.blocks, page)
        : html`<span class="chips">${cell.values.map((option) => chip(option, column))}</span>`
    case 'number':
      return value === undefined ? content(cell.blocks, page) : html`${value}`
    case 'text':
    case 'users':
    case 'files':
    case 'content-ref':
    case 'image':
      return content(cell.blocks, page)
  }
}

function content(blocks: readonly Block[], page: PageRenderer): Html {
  return html`${tightBlocks(blocks, isolated(page))}`
}

function chip(value: string, column: TableColumn): Html {
  const option = column.options?.find((option) => option.value === value)
  return html`<span${attributes({ class: ['chip', colorClass('background', option?.color)].filter(Boolean).join(' ') })}>${option?.label ?? value}</span>`
}

function rating(value: number, max: number, { words }: PageRenderer): Html {
  const full = Math.min(Math.max(Number.isFinite(max) ? Math.round(max) : 5, 1), 10)
  const stars = Math.min(Math.max(Number.isFinite(value) ? Math.round(value) : 0, 0), full)
  return html`<span class="rating" role="img" aria-label="${fill(words.stars, stars, full)}">${'★'.repeat(stars)}<span>${'★'.repeat(full - stars)}</span></span>`
}
