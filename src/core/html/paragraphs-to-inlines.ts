/** Flattens blocks to inlines, for contexts without block content. */
import type { Block, Inline } from '../document/types.js'
import { plainText } from '../document/plain-text.js'

/** Returns the inlines of paragraphs, separated by breaks; other blocks become plain text. */
export function paragraphsToInlines(blocks: readonly Block[]): readonly Inline[] {
  const rows = blocks.map((block): readonly Inline[] => {
    if (block.type === 'paragraph' || block.type === 'heading') return block.children
    if (block.type === 'images') return block.images.map((image) => ({ type: 'inline-image', ...image }))
    return [{ type: 'text', text: plainText({ blocks: [block] }).replace(/\s+/g, ' ') }]
  })
  return rows.flatMap((row, index): readonly Inline[] => (index === 0 ? row : [{ type: 'break' }, ...row]))
}
