/** Formats tables as pipe tables when each cell is one line, else as HTML, whose cells may contain any block. */
import type { Inline, Table, TableCell, TableColumn } from '../document/types.js'
import { encodeAttribute, encodeText } from './entities.js'
import { blocksAsHtml, inlinesAsHtml } from './format-html.js'
import { type InlineContext, formatInlines } from './format-inlines.js'

/** Returns the lines of a table. */
export function formatTable(table: Table, context: InlineContext): string[] {
  const { view, columns, fullWidth, hideHeader } = table
  const isPlain =
    view === 'grid' &&
    !fullWidth &&
    !hideHeader &&
    columns.every(isPlainColumn) &&
    table.rows.every((row) => row.every((cell) => lineOf(cell) !== undefined && !cell.objectFit))
  return isPlain ? pipeRows(table, { ...context, isOneLine: true, inCell: true }) : htmlRows(table)
}

const plainMembers = new Set(['title', 'type', 'align'])

function isPlainColumn(column: TableColumn): boolean {
  const others = Object.entries(column).filter(([name]) => !plainMembers.has(name))
  return column.type === 'text' && others.every(([, value]) => value === undefined)
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

/** Returns the text of a cell of a pipe table. */
export function formatCell(inlines: readonly Inline[]): string {
  return formatInlines(inlines, { isOneLine: true, inCell: true, annotate: () => {} })
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

function htmlRows(table: Table): string[] {
  const { view, cardSize, fullWidth, hideHeader, columns, rows } = table
  const attributes = attributesOf({
    'data-view': view === 'cards' ? view : undefined,
    'data-card-size': cardSize,
    'data-full-width': fullWidth && 'true',
    'data-header-hidden': hideHeader && '',
  })
  return [
    `<table${attributes}>`,
    `<thead><tr>${columns.map(head).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((cells) => `<tr>${cells.map((cell, index) => td(cell, columns[index])).join('')}</tr>`),
    '</tbody>',
    '</table>',
  ]
}

function attributesOf(values: Readonly<Record<string, string | false | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => {
      if (value === undefined || value === false) return ''
      return value === '' ? ` ${name}` : ` ${name}="${encodeAttribute(value)}"`
    })
    .join('')
}

function head(column: TableColumn): string {
  const { title, type, align, width, hidden, cardTarget, cardCover, cardCoverDark, max, options } = column
  const attributes = attributesOf({
    align,
    width,
    'data-type': type === 'text' ? undefined : type,
    'data-hidden': hidden && '',
    'data-card-target': cardTarget && '',
    'data-card-cover': cardCover && '',
    'data-card-cover-dark': cardCoverDark && '',
    'data-max': max === undefined ? undefined : String(max),
  })
  const list = options?.map(
    ({ value, label, color }) =>
      `<option${attributesOf({ value, label, color })}>${encodeText(label)}</option>`,
  )
  return `<th${attributes}>${inlinesAsHtml(title)}${list ? `<select>${list.join('')}</select>` : ''}</th>`
}

function td({ blocks, values = [], objectFit }: TableCell, column: TableColumn | undefined): string {
  const attributes = attributesOf({ 'data-object-fit': objectFit })
  if (column?.type === 'checkbox')
    return `<td${attributes}><input type="checkbox"${values[0] === 'true' ? ' checked' : ''}></td>`
  if (column?.type !== 'select') return `<td${attributes}>${blocksAsHtml(blocks)}</td>`
  const spans = values.map((value) => {
    const label = column.options?.find((option) => option.value === value)?.label ?? value
    return `<span data-option="${encodeAttribute(value)}">${encodeText(label)}</span>`
  })
  return `<td${attributes}>${spans.join(', ')}</td>`
}
