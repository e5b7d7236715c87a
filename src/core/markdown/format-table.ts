/** Formats tables as pipe tables when each cell is one line, else as HTML, whose cells may contain any block. */
import type { Block, Inline, Table, TableCell } from '../document/types.js'
import { encodeAttribute } from './entities.js'
import { blocksAsHtml, inlinesAsHtml } from './format-html.js'
import { type InlineContext, formatInlines } from './format-inlines.js'

/** Returns the lines of a table. */
export function formatTable(table: Table, context: InlineContext): string[] {
  const isPlain =
    table.hideHeader !== true && table.rows.every((row) => row.every((cell) => lineOf(cell) !== undefined))
  return isPlain ? pipeRows(table, { ...context, isOneLine: true, inCell: true }) : htmlRows(table)
}

/** The inlines of a single-line cell. */
function lineOf({ blocks }: TableCell): readonly Inline[] | undefined {
  const [only] = blocks
  if (only === undefined) return []
  if (blocks.length > 1) return undefined
  if (only.type === 'paragraph') return only.children
  return only.type === 'images' && only.images.length === 1 && only.images[0]!.caption === undefined
    ? [{ type: 'inline-image', ...only.images[0]! }]
    : undefined
}

function pipeRows({ columns, rows }: Table, context: InlineContext): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell || ' ').join(' | ')} |`
  const rules = { left: ':---', center: ':---:', right: '---:' }
  return [
    row(columns.map(({ title }) => formatInlines(title, context))),
    row(columns.map(({ align }) => (align ? rules[align] : '---'))),
    ...rows.map((cells) =>
      row(cells.map((cell) => formatInlines(lineOf(cell)!, context)).slice(0, columns.length)),
    ),
  ]
}

function htmlRows({ columns, rows, hideHeader }: Table): string[] {
  const heads = columns.map(({ title, align }) => {
    const side = align ? ` align="${encodeAttribute(align)}"` : ''
    return `<th${side}>${inlinesAsHtml(title)}</th>`
  })
  const cell = ({ blocks }: { readonly blocks: readonly Block[] }): string =>
    `<td>${blocksAsHtml(blocks)}</td>`
  return [
    hideHeader ? '<table data-header-hidden>' : '<table>',
    `<thead><tr>${heads.join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`),
    '</tbody>',
    '</table>',
  ]
}
