/** Thematic breaks. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, blockAttrs } from '../construct.js'

export const divider: BlockNodes = {
  divider: {
    spec: { group: 'block', attrs: blockAttrs, parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    content: 'none',
    label: text.blocks.divider,
  },
}

export const dividerInsertions: readonly InsertableBlock[] = [
  {
    name: 'divider',
    title: text.blocks.divider,
    keywords: text.keywords.divider,
    icon: 'minus',
    group: 'Text',
    block: { type: 'divider', attributes: {} },
  },
]
