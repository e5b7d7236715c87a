/** `{% file src="../.gitbook/assets/a.pdf" %} caption {% endfile %}`, the end being optional. */
import { captionOf } from './caption.js'
import { type Construct, spanOf } from './construct.js'
import { referAttribute } from './reader.js'
import { formatTag } from './tags.js'

export const file: Construct = {
  ending: 'alone',
  read(node, reader) {
    const src = referAttribute(reader, 'file', node.tag.attributes.get('src')) ?? ''
    if (src === '') reader.problem('A file needs src', node.tag.span)
    return [{ type: 'file', span: spanOf(node), src, caption: captionOf(node.children, reader) }]
  },
}

/** Returns the opening tag. */
export function formatFile({ src }: { readonly src: string }): string {
  return formatTag('file', { src })
}
