/** Content under a condition. */
import { type BlockNodes, type InsertableBlock, textAttribute } from '../construct.js'
import { container, roomToWrite } from './containers.js'

export const conditional: BlockNodes = {
  if: {
    ...container({
      className: 'condition',
      bodyClass: 'condition-body',
      fields: [
        {
          name: 'expression',
          label: 'Displayed if',
          kind: 'text',
          placeholder: 'visitor.claims.plan == "pro"',
        },
      ],
    }),
    isBlank: (node) => (textAttribute(node, 'expression') ?? '').trim() === '',
  },
}

export const conditionalInsertions: readonly InsertableBlock[] = [
  {
    name: 'condition',
    title: 'Conditional content',
    keywords: 'if visitor adaptive claims',
    icon: 'split',
    group: 'Layout',
    block: { type: 'if', attributes: { expression: 'visitor.claims.plan == "pro"' }, blocks: roomToWrite },
  },
]
