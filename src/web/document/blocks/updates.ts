/** Updates: a changelog of dated entries. */
import { type BlockNodes, type InsertableBlock, attributesOf, textAttribute } from '../construct.js'
import { beside, element } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const updates: BlockNodes = {
  updates: container({
    className: 'updates',
    content: 'update+',
    bodyClass: 'updates',
    fields: [
      {
        name: 'format',
        label: 'Dates',
        kind: 'choice',
        options: [
          ['full', 'January 31, 2026'],
          ['short', 'Jan 31, 2026'],
          ['numeric', '01/31/2026'],
        ],
      },
    ],
  }),
  update: container({
    className: 'update',
    tag: 'article',
    group: '',
    isolating: true,
    bodyClass: 'update-body',
    fields: [
      { name: 'date', label: 'Date', kind: 'text', placeholder: '2026-01-31' },
      { name: 'tags', label: 'Tags', kind: 'list', placeholder: 'new, fixed' },
    ],
    decorate(dom) {
      const date = element('time')
      const tags = element('ul', { class: 'tags', role: 'list' })
      dom.append(beside('header', {}, date, tags))
      return (node) => {
        date.textContent = textAttribute(node, 'date') ?? ''
        const { tags: names } = attributesOf(node)
        const items = Array.isArray(names) ? names : []
        tags.replaceChildren(...items.map((name) => element('li', {}, String(name))))
      }
    },
  }),
}

/** Returns the entry of the menu; the new update has the day of its insertion. */
export function updatesInsertions(today: string): readonly InsertableBlock[] {
  const update = { type: 'update', attributes: { date: today, tags: [] }, blocks: roomToWrite } as const
  return [
    {
      name: 'updates',
      title: 'Updates',
      keywords: 'changelog release notes news',
      icon: 'history',
      group: 'Layout',
      block: { type: 'updates', attributes: { format: 'full' }, blocks: [update] },
    },
  ]
}
