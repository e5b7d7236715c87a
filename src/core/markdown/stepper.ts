/** `{% stepper %}{% step %} … {% endstep %}{% endstepper %}` */
import type { Step } from '../document/types.js'
import { type Construct, readParts, spanOf } from './construct.js'
import { defined } from './reader.js'
import { attributeValue, formatTag } from './tags.js'

export const stepper: Construct = {
  read(node, reader) {
    const { parts, others, span } = readParts(node, 'step', reader)
    const steps = parts.map((part): Step =>
      defined({
        span: spanOf(part),
        icon: attributeValue(part.tag.attributes, 'icon'),
        blocks: reader.blocks(part.children),
      }),
    )
    return steps.length > 0 ? [...others, { type: 'stepper', span, steps }] : others
  },
}

export const step: Construct = { inside: 'stepper', read: (node, reader) => reader.blocks(node.children) }

/** Returns the opening tag of one step. */
export function formatStep({ icon }: Pick<Step, 'icon'>): string {
  return formatTag('step', { icon })
}
