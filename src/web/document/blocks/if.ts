/** Content under a condition. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, textAttribute } from '../construct.js'
import { beside, element } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const conditional: BlockNodes = {
  if: {
    ...container({
      className: 'condition',
      label: text.blocks.condition,
      bodyClass: 'condition-body',
      decorate(dom, tools) {
        const label = beside('p', { class: 'condition-label' })
        dom.append(label)
        return (node) => {
          const expression = element('code', {}, textAttribute(node, 'expression') ?? '')
          label.replaceChildren(
            ...[tools.icon('split')].filter((one) => one !== undefined),
            `${text.fields.displayedIf} `,
            expression,
          )
        }
      },
      fields: [
        {
          name: 'expression',
          label: text.fields.displayedIf,
          kind: 'expression',
          isRequired: true,
          placeholder: text.placeholders.expression,
        },
      ],
    }),
    isBlank: (node) => (textAttribute(node, 'expression') ?? '').trim() === '',
  },
}

export const conditionalInsertions: readonly InsertableBlock[] = [
  {
    name: 'condition',
    title: text.blocks.condition,
    keywords: text.keywords.condition,
    icon: 'split',
    group: 'Layout',
    block: { type: 'if', attributes: { expression: 'visitor.claims.plan == "pro"' }, blocks: roomToWrite },
  },
]
