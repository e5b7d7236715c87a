/** Pipe tables: rich text only; the typed columns and cards are written in HTML (`table.ts`). */
import type { Table, TableCell, TableColumn } from '../document/types.js'
import { trimInlines } from './caption.js'
import type { MarkdownNode } from './nodes.js'
import { defined, type Reader } from './reader.js'
import { inlineNodes } from './tokens.js'

/** A table of many columns and many rows of one cell must not grow with the product of both. */
const maxFilledCells = 100_000

/** Returns the table; every row has as many cells as there are columns, unless the table is absurdly large. */
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
