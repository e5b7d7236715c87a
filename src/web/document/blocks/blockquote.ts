/** Quotes. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, blockAttrs } from '../construct.js'
import { roomToWrite } from './containers.js'

export const blockquote: BlockNodes = {
  blockquote: {
    spec: {
      group: 'block',
      content: 'block+',
      defining: true,
      attrs: blockAttrs,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    content: 'blocks',
    label: text.blocks.quote,
  },
}

export const blockquoteInsertions: readonly InsertableBlock[] = [
  {
    name: 'quote',
    title: text.blocks.quote,
    keywords: text.keywords.quote,
    icon: 'text-quote',
    group: 'Text',
    isInCells: true,
    block: { type: 'blockquote', attributes: {}, blocks: roomToWrite },
  },
]
