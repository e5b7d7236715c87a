/** Expandable content: a title, and blocks that are displayed when it is open. */
import { documentText as text } from '../../i18n/document-text.js'
import type { JsonValue } from '../../../core/document/json-node.js'
import type { Inline } from '../../../core/document/types.js'
import {
  type BlockNodes,
  type BlockTools,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
} from '../construct.js'
import { beside, element, settingsButton } from '../dom.js'
import { roomToWrite } from './containers.js'

export const expandable: BlockNodes = {
  expandable: {
    spec: {
      group: 'block',
      content: 'summary block+',
      defining: true,
      isolating: true,
      attrs: blockAttrs,
      toDOM: () => ['div', { class: 'expandable' }, 0],
    },
    content: {
      read({ attributes: { title }, blocks = [] }, reader) {
        const summary = reader.create('summary', {}, reader.inlines((title ?? []) as unknown as Inline[]))
        return [summary, ...reader.blocks(blocks)]
      },
      write(node, writer) {
        const title = writer.inlines(node.firstChild!) as unknown as JsonValue
        return { attributes: { ...attributesOf(node), title }, blocks: writer.blocks(node) }
      },
    },
    label: text.blocks.expandable,
    fields: [
      { name: 'open', label: text.fields.open, kind: 'flag' },
      {
        name: 'id',
        label: text.fields.anchor,
        kind: 'text',
        isOptional: true,
        placeholder: text.placeholders.fromText,
      },
    ],
    view: expandableView,
  },
  summary: {
    spec: {
      content: 'inline*',
      defining: true,
      attrs: blockAttrs,
      toDOM: () => ['div', { class: 'expandable-title', dir: 'auto' }, 0],
    },
    content: 'inlines',
  },
}

function expandableView(tools: BlockTools) {
  const dom = element('div', { class: 'expandable is-open has-settings' })
  const toggle = beside('button', {
    type: 'button',
    class: 'expandable-toggle',
    'aria-label': text.fold,
    'aria-expanded': 'true',
  })
  const chevron = tools.icon('chevron-right')
  if (chevron) toggle.append(chevron)
  const settings = settingsButton(tools)
  const contentDOM = element('div', { class: 'expandable-content' })
  const bar = beside('div', { class: 'expandable-bar' }, toggle, settings)
  dom.append(bar, contentDOM)
  toggle.addEventListener('click', () => {
    const isOpen = dom.classList.toggle('is-open')
    toggle.setAttribute('aria-expanded', String(isOpen))
  })
  return { dom, contentDOM, form: bar }
}

export const expandableInsertions: readonly InsertableBlock[] = [
  {
    name: 'expandable',
    title: text.blocks.expandable,
    keywords: text.keywords.expandable,
    icon: 'list-collapse',
    group: 'Layout',
    block: { type: 'expandable', attributes: { title: [], open: false }, blocks: roomToWrite },
  },
]
