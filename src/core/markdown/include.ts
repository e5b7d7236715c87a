/** `{% include "../.gitbook/includes/name.md" %}`: an include of reusable content; it never has an end tag. */
import type { Construct } from './construct.js'
import { encodeAttribute } from './entities.js'
import { referAttribute } from './reader.js'

export const include: Construct = {
  ending: 'alone',
  read(node, reader) {
    const path = node.tag.values[0] ?? node.tag.attributes.get('src')
    const src = referAttribute(reader, 'reusable-content', path) ?? ''
    if (src === '') reader.problem('An include needs the path of a file in quotes', node.tag.span)
    const span = { start: node.start, end: node.tag.span.end }
    return [{ type: 'reusable-content', span, src }, ...reader.blocks(node.children)]
  },
}

/** Returns the tag. */
export function formatInclude({ src }: { readonly src: string }): string {
  return `{% include "${encodeAttribute(src)}" %}`
}
