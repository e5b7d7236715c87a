/** `{% @integration/block prop="value" %}`: a block that an external integration renders. */
import type { Integration } from '../document/types.js'
import { type Construct, spanOf } from './construct.js'
import { formatTag } from './tags.js'

export const integration: Construct = {
  ending: 'alone',
  read(node, reader) {
    const { name, attributes, span } = node.tag
    const slash = name.indexOf('/')
    const props: Record<string, string> = {}
    for (const [key, { value, span: place }] of attributes) {
      Object.defineProperty(props, key, { value, enumerable: true, configurable: true, writable: true })
      if (key === 'url') reader.refer('link', value, place, 'attribute')
    }
    return [
      {
        type: 'integration',
        span: node.isClosed ? spanOf(node) : span,
        integration: name.slice(1, slash),
        block: name.slice(slash + 1),
        props,
      },
      ...reader.blocks(node.children),
    ]
  },
}

/** Returns the tag. */
export function formatIntegration(block: Pick<Integration, 'integration' | 'block' | 'props'>): string {
  return formatTag(`@${block.integration}/${block.block}`, block.props)
}
