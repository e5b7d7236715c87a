/** The outline of a page: its headings, wherever they stand, in the order of the text. */
import { plainText } from './plain-text.js'
import type { Document } from './types.js'
import { visitBlocks } from './visit.js'

export interface OutlineEntry {
  readonly level: 1 | 2 | 3
  readonly anchor: string
  readonly text: string
}

/** Returns the outline; headings without words are left out. */
export function outline(document: Document): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = []
  visitBlocks(document, (block) => {
    if (block.type !== 'heading') return block.type !== 'table'
    const text = plainText(block.children).trim()
    if (text !== '') entries.push({ level: block.level, anchor: block.anchor, text })
    return undefined
  })
  return entries
}
