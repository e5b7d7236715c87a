/** Tabs: one of them is displayed at a time; their titles are edited in the row of tabs. */
import { documentText as text } from '../../i18n/document-text.js'
import { NodeSelection, TextSelection } from 'prosemirror-state'
import type { Node as ProseNode } from 'prosemirror-model'
import {
  type BlockNodes,
  type BlockTools,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
  changedAttributes,
  flagAttribute,
  textAttribute,
} from '../construct.js'
import { beside, element, setAttribute, settingsButton } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const tabs: BlockNodes = {
  tabs: {
    spec: {
      group: 'block',
      content: 'tab+',
      defining: true,
      attrs: blockAttrs,
      toDOM: () => ['div', { class: 'tabs' }, 0],
    },
    content: 'blocks',
    label: text.blocks.tabs,
    fields: [{ name: 'fullWidth', label: text.fields.fullWidth, kind: 'flag' }],
    parts: 'tab',
    view: tabsView,
  },
  tab: container({
    className: 'tab',
    tag: 'section',
    group: '',
    isolating: true,
    label: text.blocks.tab,
    isPart: true,
    fields: [
      { name: 'title', label: text.fields.title, kind: 'text' },
      { name: 'icon', label: text.fields.icon, kind: 'icon', isOptional: true },
    ],
  }),
}

function tabsView(tools: BlockTools) {
  const dom = element('div', { class: 'tabs has-settings' })
  const row = element('div', { class: 'tab-list' })
  const bar = beside('div', { class: 'tab-bar' }, row, settingsButton(tools))
  const content = element('div', { class: 'tab-panels' })
  dom.append(bar, content)
  let selected = 0

  const select = (index: number): void => {
    selected = index
    const position = tools.position()
    if (position === undefined) return
    let at = position + 1
    for (let before = 0; before < index; before++) at += tools.node().child(before).nodeSize
    const { state } = tools.view
    tools.view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(at + 1))))
    display(tools.node())
  }
  const rename = (index: number, changed: { readonly title?: string; readonly icon?: string }): void => {
    const position = tools.position()
    if (position === undefined) return
    let at = position + 1
    for (let before = 0; before < index; before++) at += tools.node().child(before).nodeSize
    const attributes = changedAttributes(attributesOf(tools.node().child(index)), changed)
    tools.view.dispatch(tools.view.state.tr.setNodeAttribute(at, 'attributes', attributes))
  }
  const add = (): void => {
    const position = tools.position()
    const node = tools.node()
    if (position === undefined) return
    const { schema } = node.type
    const tab = schema.nodes['tab']!.createAndFill({
      attributes: { title: text.partName(text.blocks.tab, node.childCount + 1) },
    })
    if (tab === null) return
    tools.view.dispatch(tools.view.state.tr.insert(position + node.nodeSize - 1, tab))
    select(tools.node().childCount - 1)
    tools.view.focus()
  }
  const remove = (index: number): void => {
    const position = tools.position()
    const node = tools.node()
    if (position === undefined) return
    const { tr, doc } = tools.view.state
    if (node.childCount === 1) {
      tools.view.dispatch(tr.setSelection(NodeSelection.create(doc, position)).deleteSelection())
      return
    }
    let at = position + 1
    for (let before = 0; before < index; before++) at += node.child(before).nodeSize
    tools.view.dispatch(tr.delete(at, at + node.child(index).nodeSize))
  }

  const buttonOf = (tab: ProseNode, index: number): HTMLElement => {
    const title = textAttribute(tab, 'title') ?? ''
    const icon = tools.icon(textAttribute(tab, 'icon') ?? '')
    const isSelected = index === selected
    if (!isSelected || !tools.isEditable()) {
      const button = element(
        'button',
        { type: 'button' },
        icon,
        title === '' ? text.partName(text.blocks.tab, index + 1) : title,
      )
      setAttribute(button, 'aria-pressed', String(isSelected))
      button.addEventListener('click', () => select(index))
      return button
    }
    const input = element('input', { class: 'tab-name', type: 'text', 'aria-label': text.tabTitle })
    input.value = title
    input.size = Math.max(4, title.length)
    input.addEventListener('change', () => rename(index, { title: input.value }))
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return
      event.preventDefault()
      rename(index, { title: input.value })
      tools.view.focus()
    })
    const close = element(
      'button',
      { type: 'button', class: 'tab-remove', 'aria-label': text.removeTab },
      '×',
    )
    close.addEventListener('click', () => remove(index))
    return element('span', { class: 'tab-selected' }, icon, input, close)
  }

  let drawn = ''
  function display(node: ProseNode): void {
    selected = Math.min(selected, node.childCount - 1)
    setAttribute(dom, 'data-selected', String(selected + 1))
    dom.classList.toggle('full-width', flagAttribute(node, 'fullWidth'))
    const titles = node.children.map((tab) => [textAttribute(tab, 'title'), textAttribute(tab, 'icon')])
    const version = JSON.stringify([titles, selected, tools.isEditable()])
    if (version === drawn) return
    drawn = version
    const buttons = node.children.map(buttonOf)
    if (tools.isEditable()) {
      const more = element('button', { type: 'button', class: 'tab-add', 'aria-label': text.addTab }, '+')
      more.addEventListener('click', add)
      buttons.push(more)
    }
    row.replaceChildren(...buttons)
    selectPanel()
  }
  function selectPanel(): void {
    for (const [index, panel] of [...content.children].entries())
      panel.toggleAttribute('hidden', index !== selected)
  }
  display(tools.node())
  queueMicrotask(selectPanel)
  return {
    dom,
    contentDOM: content,
    update(node: ProseNode) {
      display(node)
      queueMicrotask(selectPanel)
    },
    form: bar,
  }
}

const tab = (title: string) => ({ type: 'tab', attributes: { title }, blocks: roomToWrite }) as const

export const tabsInsertions: readonly InsertableBlock[] = [
  {
    name: 'tabs',
    title: text.blocks.tabs,
    keywords: text.keywords.tabs,
    icon: 'panel-top',
    group: 'Layout',
    block: {
      type: 'tabs',
      attributes: {},
      blocks: [1, 2].map((number) => tab(text.partName(text.blocks.tab, number))),
    },
  },
]
