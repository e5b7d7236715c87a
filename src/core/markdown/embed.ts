/** `{% embed url="https://…" %} caption {% endembed %}`, the end being optional. */
import type { Embed } from '../document/types.js'
import { captionOf } from './caption.js'
import { type Construct, spanOf } from './construct.js'
import { defined, referAttribute } from './reader.js'
import { attributeFlag, formatTag } from './tags.js'

export const embed: Construct = {
  ending: 'alone',
  read(node, reader) {
    const url = referAttribute(reader, 'link', node.tag.attributes.get('url')) ?? ''
    if (url === '') reader.problem('An embed needs url', node.tag.span)
    const fullWidth = attributeFlag(node.tag.attributes, 'fullWidth') || undefined
    const caption = captionOf(node.children, reader)
    return [defined({ type: 'embed' as const, span: spanOf(node), url, caption, fullWidth })]
  },
}

/** Returns the opening tag. */
export function formatEmbed({ url, fullWidth }: Pick<Embed, 'url' | 'fullWidth'>): string {
  return formatTag('embed', { url, fullWidth })
}
