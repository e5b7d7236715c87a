/** Thematic breaks. */
import { type BlockNodes, type InsertableBlock, blockAttrs } from '../construct.js'

export const divider: BlockNodes = {
  divider: {
    spec: { group: 'block', attrs: blockAttrs, parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    content: 'none',
  },
}

export const dividerInsertions: readonly InsertableBlock[] = [
  {
    name: 'divider',
    title: 'Divider',
    keywords: 'horizontal rule line hr separator',
    icon: 'minus',
    group: 'Text',
    block: { type: 'divider', attributes: {} },
  },
]
