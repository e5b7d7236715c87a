/** Pipe tables: rich text only; typed columns and cards are HTML tables (`table.ts`). */
import type { Table, TableCell, TableColumn } from '../document/types.js'
import { trimInlines } from './caption.js'
import type { MarkdownNode } from './nodes.js'
import { defined, type Reader } from './reader.js'
import { inlineNodes } from './tokens.js'

/** Padding limit: a table of many columns and many one-cell rows must not grow with the product of both. */
const maxFilledCells = 100_000

/** Returns the table; every row is padded to the number of columns, unless the table is too large. */
export function readPipeTable({ node, scope, start, end }: MarkdownNode, reader: Reader): Table {
  const [head, ...body] = node.children ?? []
  const columns = (head?.children ?? []).map((cell, index): TableColumn => {
    const align = node.align?.[index] as TableColumn['align'] | null | undefined
    const title = trimInlines(reader.inlines(inlineNodes(reader, cell.children ?? [], scope)))
    return defined({ title, type: 'text' as const, align: align ?? undefined })
  })
  const isFilled = columns.length * body.length <= maxFilledCells
  const rows = body.map((row) => {
    const cells = (row.children ?? [])
      .slice(0, columns.length)
      .map((cell): TableCell => ({ blocks: reader.blocks(inlineNodes(reader, cell.children ?? [], scope)) }))
    if (isFilled) for (let index = cells.length; index < columns.length; index++) cells.push({ blocks: [] })
    return cells
  })
  return { type: 'table', span: { start, end }, view: 'grid', columns, rows }
}
