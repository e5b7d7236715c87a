/** Quotes. */
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
  },
}

export const blockquoteInsertions: readonly InsertableBlock[] = [
  {
    name: 'quote',
    title: 'Quote',
    keywords: 'blockquote citation',
    icon: 'text-quote',
    group: 'Text',
    isInCells: true,
    block: { type: 'blockquote', attributes: {}, blocks: roomToWrite },
  },
]
