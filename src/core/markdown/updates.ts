/** `{% updates format="full" %}{% update date="2026-01-31" tags="a,b" %} … {% endupdate %}{% endupdates %}` */
import type { Update, Updates } from '../document/types.js'
import { type Construct, readParts, spanOf } from './construct.js'
import { attributeOneOf, attributeValue, formatTag } from './tags.js'

const formats = ['full', 'short', 'numeric'] as const

export const updates: Construct = {
  read(node, reader) {
    const { parts, others, span } = readParts(node, 'update', reader)
    const read = parts.map((part): Update => {
      const date = attributeValue(part.tag.attributes, 'date') ?? ''
      if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
        reader.problem('The date of an update is written YYYY-MM-DD', part.tag.span)
      }
      return {
        span: spanOf(part),
        date,
        anchor: reader.anchors.take('', 'update', date || undefined).anchor,
        tags: splitList(attributeValue(part.tag.attributes, 'tags')),
        blocks: reader.blocks(part.children),
      }
    })
    if (read.length === 0) return others
    const format = attributeOneOf(node.tag.attributes, 'format', formats) ?? 'full'
    return [...others, { type: 'updates', span, format, updates: read }]
  },
}

export const update: Construct = { inside: 'updates', read: (node, reader) => reader.blocks(node.children) }

/** Returns the items of a comma-separated list. */
export function splitList(list: string | undefined): readonly string[] {
  return (list ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Returns the opening tag of the updates block. */
export function formatUpdates({ format }: Pick<Updates, 'format'>): string {
  return formatTag('updates', { format })
}

/** Returns the opening tag of one update. */
export function formatUpdate({ date, tags }: Pick<Update, 'date' | 'tags'>): string {
  return formatTag('update', { date, tags: tags.length > 0 ? tags.join(',') : undefined })
}
