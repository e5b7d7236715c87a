/** `{% columns %}{% column width="50%" %} … {% endcolumn %}{% endcolumns %}` */
import type { Column } from '../document/types.js'
import { type Construct, readParts, spanOf } from './construct.js'
import { defined } from './reader.js'
import { attributeFlag, attributeOneOf, attributeValue, formatTag } from './tags.js'

export const columns: Construct = {
  read(node, reader) {
    const { parts, others, span } = readParts(node, 'column', reader)
    const read = parts.map((part): Column =>
      defined({
        span: spanOf(part),
        width: attributeValue(part.tag.attributes, 'width'),
        verticalAlignment:
          attributeOneOf(part.tag.attributes, 'valign', ['top', 'middle', 'bottom']) ??
          attributeOneOf(part.tag.attributes, 'verticalAlignment', ['top', 'middle', 'bottom']),
        blocks: reader.blocks(part.children),
      }),
    )
    if (read.length === 0) return others
    const fullWidth = attributeFlag(node.tag.attributes, 'fullWidth') || undefined
    return [...others, defined({ type: 'columns' as const, span, fullWidth, columns: read })]
  },
}

export const column: Construct = { inside: 'columns', read: (node, reader) => reader.blocks(node.children) }

/** Returns the opening tag of one column. */
export function formatColumn({
  width,
  verticalAlignment,
}: Pick<Column, 'width' | 'verticalAlignment'>): string {
  return formatTag('column', { width, verticalAlignment })
}
