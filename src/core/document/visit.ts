/** Document traversal: every block and inline, in document order, parents first. */
import type { Block, Document, Inline } from './types.js'

/** Returns the lists of child blocks of a block, in order. */
export function innerBlocks(block: Block): readonly (readonly Block[])[] {
  switch (block.type) {
    case 'blockquote':
    case 'hint':
    case 'expandable':
    case 'if':
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
    case 'swagger':
      return [block.blocks]
    case 'list':
      return block.items.map((item) => item.blocks)
    case 'tabs':
      return block.tabs.map((tab) => tab.blocks)
    case 'stepper':
      return block.steps.map((step) => step.blocks)
    case 'columns':
      return block.columns.map((column) => column.blocks)
    case 'updates':
      return block.updates.map((update) => update.blocks)
    case 'table':
      return block.rows.flatMap((row) => row.map((cell) => cell.blocks))
    default:
      return []
  }
}

/** Returns the lists of inlines directly in a block: its text, title, captions, column titles. */
export function innerInlines(block: Block): readonly (readonly Inline[])[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return [block.children]
    case 'expandable':
      return [block.title]
    case 'file':
    case 'embed':
      return [block.caption]
    case 'images':
      return block.images.map((image) => image.caption ?? [])
    case 'table':
      return block.columns.map((column) => column.title)
    default:
      return []
  }
}

/** Calls `visit` for every block; the children of a block for which it returns false are skipped. */
export function visitBlocks(document: Document, visit: (block: Block) => boolean | void): void {
  for (const block of document.blocks) {
    if (visit(block) === false) continue
    for (const blocks of innerBlocks(block)) visitBlocks({ blocks }, visit)
  }
}

/** Calls `visit` for every inline, including those inside links and annotations, but not inside the footnotes themselves. */
export function visitInlines(document: Document, visit: (inline: Inline) => void): void {
  visitBlocks(document, (block) => {
    for (const inlines of innerInlines(block)) visitRow(inlines, visit)
  })
}

function visitRow(inlines: readonly Inline[], visit: (inline: Inline) => void): void {
  for (const inline of inlines) {
    visit(inline)
    if (inline.type === 'link' || inline.type === 'annotation') visitRow(inline.children, visit)
    else if (inline.type === 'inline-image' && inline.caption) visitRow(inline.caption, visit)
  }
}
