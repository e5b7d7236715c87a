/** `{% tabs %}{% tab title="One" icon="bolt" %} … {% endtab %}{% endtabs %}` */
import type { Block, Tab, Tabs } from '../document/types.js'
import { type Construct, readParts, spanOf } from './construct.js'
import type { TagNode } from './nodes.js'
import { defined, type Reader } from './reader.js'
import { attributeFlag, attributeValue, formatTag } from './tags.js'

export const tabs: Construct = { read: (node, reader) => readTabs(node, 'tab', reader) }

/** Returns the blocks of a group of tabs, whose parts are tags called `name`. */
export function readTabs(node: TagNode, name: string, reader: Reader): readonly Block[] {
  const { parts, others, span } = readParts(node, name, reader)
  const read = parts.map((part): Tab => {
    const title = attributeValue(part.tag.attributes, 'title') ?? ''
    return defined({
      span: spanOf(part),
      title,
      icon: attributeValue(part.tag.attributes, 'icon'),
      ...reader.anchors.take(title, 'tab'),
      blocks: reader.blocks(part.children),
    })
  })
  if (read.length === 0) return others
  const fullWidth = attributeFlag(node.tag.attributes, 'fullWidth') || undefined
  return [...others, defined({ type: 'tabs' as const, span, fullWidth, tabs: read })]
}

export const tab: Construct = { inside: 'tabs', read: (node, reader) => reader.blocks(node.children) }

/** Returns the opening tag of the tab group. */
export function formatTabs({ fullWidth }: Pick<Tabs, 'fullWidth'>): string {
  return formatTag('tabs', { fullWidth })
}

/** Returns the opening tag of one tab. */
export function formatTab({ title, icon }: Pick<Tab, 'title' | 'icon'>): string {
  return formatTag('tab', { title, icon })
}
