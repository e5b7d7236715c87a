/** Headings of three levels: the title of the page is above them. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, attributesOf, blockAttrs } from '../construct.js'
import { alignClass, alignField } from './paragraph.js'

export const headingLevels = [1, 2, 3] as const

export const heading: BlockNodes = {
  heading: {
    spec: {
      group: 'block',
      content: 'inline*',
      defining: true,
      attrs: blockAttrs,
      parseDOM: [
        ['h1', 1],
        ['h2', 1],
        ['h3', 2],
        ['h4', 3],
        ['h5', 3],
        ['h6', 3],
      ].map(([tag, level]) => ({ tag: String(tag), attrs: { attributes: { level } } })),
      toDOM: (node) => {
        const align = alignClass(node)
        const level = Number(attributesOf(node)['level'])
        const tag = `h${level >= 1 && level <= 3 ? level + 1 : 2}`
        return [tag, { dir: 'auto', ...(align !== undefined && { class: align }) }, 0]
      },
    },
    content: 'inlines',
    // Without words it is none for the parser.
    isBlank: (node) => node.childCount === 0,
    label: text.blocks.heading,
    fields: [
      alignField,
      {
        name: 'id',
        label: text.fields.anchor,
        kind: 'text',
        isOptional: true,
        placeholder: text.placeholders.fromText,
      },
    ],
  },
}

export const headingInsertions: readonly InsertableBlock[] = headingLevels.map((level) => ({
  name: `heading-${level}`,
  title: text.blocks[`heading-${level}`],
  keywords: text.keywords[`heading-${level}`],
  icon: `heading-${level}`,
  group: 'Text',
  block: { type: 'heading', attributes: { level }, inlines: [] },
}))
