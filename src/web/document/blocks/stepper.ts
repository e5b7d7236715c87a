/** Numbered steps. */
import { type BlockNodes, type InsertableBlock, textAttribute } from '../construct.js'
import { beside } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const stepper: BlockNodes = {
  stepper: container({ className: 'stepper', tag: 'ol', content: 'step+' }),
  step: container({
    className: 'step',
    tag: 'li',
    group: '',
    isolating: true,
    bodyClass: 'step-body',
    classesOf: (node) => [textAttribute(node, 'icon') === undefined ? undefined : 'with-icon'],
    fields: [{ name: 'icon', label: 'Icon', kind: 'text', isOptional: true, placeholder: 'number' }],
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
    title: 'Steps',
    keywords: 'stepper guide tutorial numbered',
    icon: 'list-ordered',
    group: 'Layout',
    block: { type: 'stepper', attributes: {}, blocks: [step, step] },
  },
]
