/** Paragraphs; an empty one is room to write in, and is not written. */
import { documentText as text } from '../../i18n/document-text.js'
import {
  type AttributeField,
  type BlockNodes,
  attributesOf,
  blockAttrs,
  textAttribute,
} from '../construct.js'
import type { Node as ProseNode } from 'prosemirror-model'

/** The class of an alignment; what is at the start has none. */
export function alignClass(node: ProseNode): string | undefined {
  const align = textAttribute(node, 'align')
  return align === undefined || align === 'start' ? undefined : `align-${align}`
}

export const alignField: AttributeField = {
  name: 'align',
  label: text.fields.align,
  kind: 'choice',
  isOptional: true,
  options: [
    ['', text.values.default],
    ['center', text.values.center],
    ['end', text.values.end],
  ],
}

export const paragraph: BlockNodes = {
  paragraph: {
    spec: {
      group: 'block',
      content: 'inline*',
      attrs: blockAttrs,
      parseDOM: [{ tag: 'p' }],
      toDOM: (node) => {
        const align = alignClass(node)
        return ['p', { dir: 'auto', ...(align !== undefined && { class: align }) }, 0]
      },
    },
    content: 'inlines',
    label: text.blocks.paragraph,
    fields: [alignField],
    // One that only holds link targets came from the text.
    isBlank: (node) => node.childCount === 0 && attributesOf(node)['isTarget'] !== true,
  },
}
