/** Outline (table of contents) of one page, in document order. */
import { plainText } from './plain-text.js'
import type { Document } from './types.js'
import { visitBlocks } from './visit.js'

export interface OutlineEntry {
  readonly level: 1 | 2
  readonly anchor: string
  readonly text: string
}

/** Returns the outline, without headings of the lowest level, empty ones, or those inside hints and tables. */
export function outline(document: Document): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = []
  visitBlocks(document, (block) => {
    if (block.type !== 'heading') return block.type !== 'table' && block.type !== 'hint'
    const text = plainText(block.children).trim()
    if (text !== '' && block.level < 3)
      entries.push({ level: block.level as 1 | 2, anchor: block.anchor, text })
    return undefined
  })
  return entries
}
