/** `{% hint style="warning" icon="bolt" %} … {% endhint %}` */
import { type Hint, hintStyles } from '../document/types.js'
import { type Construct, spanOf } from './construct.js'
import { defined } from './reader.js'
import { attributeOneOf, attributeValue, formatTag } from './tags.js'

export const hint: Construct = {
  read(node, reader) {
    const { attributes, span } = node.tag
    const style = attributeOneOf(attributes, 'style', hintStyles)
    if (!style) reader.problem(`The style of a hint is one of ${hintStyles.join(', ')}`, span)
    return [
      defined({
        type: 'hint' as const,
        span: spanOf(node),
        style: style ?? ('info' as const),
        icon: attributeValue(attributes, 'icon'),
        blocks: reader.blocks(node.children),
      }),
    ]
  },
}

/** Returns the opening tag. */
export function formatHint({ style, icon }: Pick<Hint, 'style' | 'icon'>): string {
  return formatTag('hint', { style, icon })
}
