/** Keys of blocks and of their parts: their positions, as the JSON of the API has them. */
import type { Block, Document } from '../document/types.js'

/** A part of a block that has blocks of its own: an item, tab, step, column or update. */
export interface BlockPart {
  readonly blocks: readonly Block[]
}

/** Returns the parts of a block, undefined for a block without parts. */
export function partsOf(block: Block): readonly BlockPart[] | undefined {
  switch (block.type) {
    case 'list':
      return block.items
    case 'tabs':
      return block.tabs
    case 'stepper':
      return block.steps
    case 'columns':
      return block.columns
    case 'updates':
      return block.updates
    default:
      return undefined
  }
}

/** Returns the key of each block and part. */
export function keysOf({ blocks }: Document): Map<object, string> {
  const keys = new Map<object, string>()
  const visit = (below: readonly Block[], prefix: string): void => {
    for (const [index, block] of below.entries()) visitBlock(block, `${prefix}${index}`)
  }
  const visitBlock = (block: Block, key: string): void => {
    keys.set(block, key)
    for (const [index, part] of (partsOf(block) ?? []).entries()) {
      keys.set(part, `${key}.${index}`)
      visit(part.blocks, `${key}.${index}.`)
    }
    if (block.type === 'table') {
      for (const [row, cells] of block.rows.entries())
        for (const [column, cell] of cells.entries()) visit(cell.blocks, `${key}.r${row}c${column}.`)
    } else if (block.type === 'expandable') visit(block.blocks, `${key}.body.`)
    else if ('blocks' in block) visit(block.blocks, `${key}.`)
  }
  visit(blocks, '')
  return keys
}
