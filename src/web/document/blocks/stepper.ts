/** Numbered steps. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, textAttribute } from '../construct.js'
import { beside } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const stepper: BlockNodes = {
  stepper: container({
    className: 'stepper-frame',
    content: 'step+',
    label: text.blocks.stepper,
    parts: 'step',
    bodyClass: 'stepper',
    bodyTag: 'ol',
  }),
  step: container({
    className: 'step',
    label: text.blocks.step,
    isPart: true,
    tag: 'li',
    group: '',
    isolating: true,
    bodyClass: 'step-body',
    classesOf: (node) => [textAttribute(node, 'icon') === undefined ? undefined : 'with-icon'],
    fields: [
      {
        name: 'icon',
        label: text.fields.icon,
        kind: 'icon',
        isOptional: true,
        placeholder: text.placeholders.number,
      },
    ],
    decorate(dom, tools) {
      const sign = beside('span', { class: 'step-icon' })
      return (node) => {
        const drawn = tools.icon(textAttribute(node, 'icon') ?? '')
        sign.replaceChildren(...(drawn ? [drawn] : []))
        if (drawn) dom.prepend(sign)
        else sign.remove()
      }
    },
  }),
}

const step = {
  type: 'step',
  attributes: {},
  blocks: [{ type: 'heading', attributes: { level: 2 }, inlines: [] }, ...roomToWrite],
} as const

export const stepperInsertions: readonly InsertableBlock[] = [
  {
    name: 'stepper',
    title: text.blocks.stepper,
    keywords: text.keywords.stepper,
    icon: 'list-ordered',
    group: 'Layout',
    block: { type: 'stepper', attributes: {}, blocks: [step, step] },
  },
]
