/** Footnotes: their texts are below the page. */
import type { Node as ProseNode } from 'prosemirror-model'
import { type BlockNodes, type BlockTools, blockAttrs, textAttribute } from '../construct.js'
import { beside, element } from '../dom.js'

export const footnote: BlockNodes = {
  footnote: {
    spec: {
      content: 'block+',
      defining: true,
      isolating: true,
      attrs: blockAttrs,
      toDOM: () => ['div', { class: 'note' }, 0],
    },
    content: 'blocks',
    view: footnoteView,
  },
}

function footnoteView(tools: BlockTools) {
  const label = beside('span', { class: 'note-label' })
  const contentDOM = element('div')
  const dom = element('div', { class: 'note' }, label, contentDOM)
  const update = (node: ProseNode): void => {
    label.textContent = textAttribute(node, 'identifier') ?? ''
  }
  update(tools.node())
  return { dom, contentDOM, update }
}
