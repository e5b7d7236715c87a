/**
 * `{% code-tabs %}{% code-tabs-item title="a.js" %} … {% endcode-tabs-item %}{% endcode-tabs %}`: legacy form of tabs of
 * code. A single item is a code block with a title.
 */
import type { Construct } from './construct.js'
import { readTabs } from './tabs.js'

export const codeTabs: Construct = {
  read(node, reader) {
    return readTabs(node, 'code-tabs-item', reader).flatMap((block) => {
      const tab = block.type === 'tabs' && block.tabs.length === 1 ? block.tabs[0]! : undefined
      const code = tab?.blocks.length === 1 ? tab.blocks[0]! : undefined
      if (block.type !== 'tabs' || tab === undefined || code?.type !== 'code') return [block]
      return [{ ...code, ...(tab.title !== '' && { title: tab.title }), span: block.span }]
    })
  },
}

export const codeTabsItem: Construct = {
  inside: 'code-tabs',
  read: (node, reader) => reader.blocks(node.children),
}
