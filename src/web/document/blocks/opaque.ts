/** What the editor does not understand: displayed as its source, moved and removed as a whole, never rewritten. */
import { documentText as text } from '../../i18n/document-text.js'
import type { Node as ProseNode } from 'prosemirror-model'
import { type BlockNodes, type BlockTools, blockAttrs, textAttribute } from '../construct.js'
import { element } from '../dom.js'

export const opaque: BlockNodes = {
  opaque: {
    spec: {
      group: 'block',
      atom: true,
      attrs: { ...blockAttrs, reason: { default: null } },
      toDOM: () => ['div', { class: 'opaque-block' }],
    },
    content: 'none',
    isBlank: (node) => (textAttribute(node, 'source') ?? '').trim() === '',
    view: opaqueView,
  },
}

function opaqueView(tools: BlockTools) {
  const code = element('code')
  const label = element('p', { class: 'opaque-label' })
  const dom = element('div', { class: 'opaque-block' }, label, element('pre', {}, code))
  const update = (node: ProseNode): void => {
    const reason = typeof node.attrs['reason'] === 'string' ? node.attrs['reason'] : text.editedAsSource
    label.textContent = reason
    code.textContent = textAttribute(node, 'source') ?? ''
  }
  update(tools.node())
  return { dom, update }
}
