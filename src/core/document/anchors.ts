/**
 * URL fragments of a document: everything in it that has an id where it is rendered. Links are checked against this list,
 * so it follows the renderer: nothing in it may be missing in the page.
 */
import type { Block, Document, Inline, Table } from './types.js'
import { innerBlocks, innerInlines } from './visit.js'

/** Returns the fragments in document order, with those of footnotes. */
export function anchorsOf({ blocks }: Document): readonly string[] {
  const anchors: string[] = []
  const footnotes = new Set<readonly Block[]>()
  const add = (anchored: { readonly anchor?: string; readonly aliases?: readonly string[] }): void => {
    if (anchored.anchor !== undefined) anchors.push(anchored.anchor)
    for (const alias of anchored.aliases ?? []) anchors.push(alias)
  }
  const visit = (all: readonly Block[]): void => {
    for (const block of all) {
      const visible = block.type === 'table' ? visibleTable(block) : block
      add(block)
      if (block.type === 'tabs') block.tabs.forEach(add)
      else if (block.type === 'updates') block.updates.forEach(add)
      for (const inlines of innerInlines(visible)) visitLine(inlines)
      for (const inner of innerBlocks(visible)) visit(inner)
    }
  }
  const visitLine = (inlines: readonly Inline[]): void => {
    for (const inline of inlines) {
      if (inline.type === 'anchor') add(inline)
      // A mention is rendered as the name of its target.
      else if (inline.type === 'link' && inline.mention !== true) visitLine(inline.children)
      else if (inline.type === 'annotation') {
        visitLine(inline.children)
        if (footnotes.has(inline.body)) continue
        footnotes.add(inline.body)
        visit(inline.body)
      }
    }
  }
  visit(blocks)
  return anchors
}

/** The part of a table whose blocks are rendered: no hidden columns, and no columns of plain values. */
function visibleTable(table: Table): Table {
  const isRendered = (index: number): boolean => {
    const column = table.columns[index]
    return (
      column !== undefined &&
      column.hidden !== true &&
      ['text', 'users', 'files', 'content-ref', 'image'].includes(column.type)
    )
  }
  const hasHeader = table.view === 'grid' && table.hideHeader !== true
  return {
    ...table,
    columns: !hasHeader ? [] : table.columns.filter((_, index) => isRendered(index)),
    rows: table.rows.map((row) => row.filter((_, index) => isRendered(index))),
  }
}
