/** Updates: a changelog of dated entries. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, attributesOf, textAttribute } from '../construct.js'
import { beside, element } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const updates: BlockNodes = {
  updates: container({
    className: 'updates',
    label: text.blocks.updates,
    parts: 'update',
    content: 'update+',
    bodyClass: 'updates',
    fields: [
      {
        name: 'format',
        label: text.fields.dates,
        kind: 'choice',
        options: [
          ['full', text.values.dates.full],
          ['short', text.values.dates.short],
          ['numeric', text.values.dates.numeric],
        ],
      },
    ],
  }),
  update: container({
    className: 'update',
    label: text.blocks.update,
    isPart: true,
    tag: 'article',
    group: '',
    isolating: true,
    bodyClass: 'update-body',
    fields: [
      { name: 'date', label: text.fields.date, kind: 'date', isRequired: true },
      { name: 'tags', label: text.fields.tags, kind: 'list', placeholder: text.placeholders.tags },
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
      title: text.blocks.updates,
      keywords: text.keywords.updates,
      icon: 'history',
      group: 'Layout',
      block: { type: 'updates', attributes: { format: 'full' }, blocks: [update] },
    },
  ]
}
