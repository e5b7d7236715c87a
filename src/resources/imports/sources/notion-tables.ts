/**
 * Notion databases, exported as CSV: converted to tables whose rows link to their pages, on their own page or inline
 * in another.
 */
import type { Block, Inline, TableCell } from '../../../core/document/types.js'
import { formatPage } from '../../../core/markdown/format.js'
import { parseCsv } from '../csv.js'
import { type PageMention, parseMentions } from './notion-dialect.js'

/** Maximum rows of a table; more are not readable. */
const maxRows = 1_000
const noSpan = { start: 0, end: 0 }

export interface ConvertedTable {
  readonly markdown: string
  /** A sentence about the rows that were left out. */
  readonly notice?: string
}

export interface TableLinks {
  /** Returns the path of the page of the row with this title. */
  readonly row: (title: string) => string | undefined
  /** Returns the rewritten URL of a link in a cell. */
  readonly resolve: (url: string) => string | undefined
}

/** Returns the Markdown of a database; only the table when it has no title. */
export function convertTable(text: string, title: string | undefined, links: TableLinks): ConvertedTable {
  const [head = [], ...rows] = parseCsv(text)
  const table: Block = {
    type: 'table',
    span: noSpan,
    view: 'grid',
    columns: head.map((name) => ({ type: 'text', title: [{ type: 'text', text: name }] })),
    rows: rows.slice(0, maxRows).map((row) => row.map((value, column) => cellOf(value, column, links))),
  }
  const markdown = formatPage({ ...(title !== undefined && { title }), blocks: [table] })
  return rows.length > maxRows
    ? { markdown, notice: `Not carried over: ${rows.length - maxRows} rows of this table beyond ${maxRows}.` }
    : { markdown }
}

/** Returns the number of rows of a database. */
export function countRows(text: string): number {
  return parseCsv(text).length - 1
}

function cellOf(value: string, column: number, { row, resolve }: TableLinks): TableCell {
  const words = value.replace(/\s+/g, ' ').trim()
  if (words === '') return { blocks: [] }
  const url = column === 0 ? row(words) : undefined
  const children: Inline[] =
    url === undefined
      ? parseMentions(words).map((part) => (typeof part === 'string' ? textOf(part) : linkOf(part, resolve)))
      : [{ type: 'link', url, children: [textOf(words)] }]
  return { blocks: [{ type: 'paragraph', span: noSpan, children }] }
}

function linkOf({ words, url }: PageMention, resolve: TableLinks['resolve']): Inline {
  const target = resolve(url) ?? (url.startsWith('https:') ? url : undefined)
  return target === undefined ? textOf(words) : { type: 'link', url: target, children: [textOf(words)] }
}

function textOf(text: string): Inline {
  return { type: 'text', text }
}
