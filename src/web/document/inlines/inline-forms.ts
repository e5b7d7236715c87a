/** Forms of the inlines that are no text, and how they are inserted. */
import type { Inline } from '../../../core/document/types.js'
import { documentText as text } from '../../i18n/document-text.js'
import { pictureFields } from '../blocks/media.js'
import type { AttributeField } from '../construct.js'

interface InlineForm {
  readonly title: string
  readonly fields: readonly AttributeField[]
}

export const inlineForms: ReadonlyMap<string, InlineForm> = new Map<Inline['type'], InlineForm>([
  [
    'button',
    {
      title: text.blocks.button,
      fields: [
        { name: 'label', label: text.fields.label, kind: 'text', isRequired: true },
        {
          name: 'action',
          label: text.fields.action,
          kind: 'choice',
          isOptional: true,
          options: [
            ['', text.values.openLink],
            ['ask', text.values.ask],
            ['search', text.values.search],
          ],
        },
        {
          name: 'url',
          label: text.fields.destination,
          kind: 'page',
          isOptional: true,
          isUsed: ({ action }) => action === undefined,
        },
        {
          name: 'query',
          label: text.fields.question,
          kind: 'text',
          isOptional: true,
          isUsed: ({ action }) => action !== undefined,
        },
        {
          name: 'kind',
          label: text.fields.kind,
          kind: 'choice',
          options: [
            ['primary', text.values.primary],
            ['secondary', text.values.secondary],
          ],
        },
        { name: 'icon', label: text.fields.icon, kind: 'icon', isOptional: true },
      ],
    },
  ],
  [
    'expression',
    {
      title: text.blocks.expression,
      fields: [
        {
          name: 'expression',
          label: text.fields.expression,
          kind: 'expression',
          isRequired: true,
          placeholder: text.placeholders.expression,
        },
      ],
    },
  ],
  [
    'icon',
    {
      title: text.blocks.icon,
      fields: [
        {
          name: 'icon',
          label: text.fields.icon,
          kind: 'icon',
          isRequired: true,
          placeholder: text.placeholders.icon,
        },
      ],
    },
  ],
  [
    'inline-math',
    {
      title: text.blocks.formula,
      fields: [{ name: 'formula', label: text.fields.formula, kind: 'text', isRequired: true }],
    },
  ],
  [
    'inline-image',
    {
      title: text.blocks['inline-image'],
      fields: [
        ...pictureFields,
        {
          name: 'size',
          label: text.fields.size,
          kind: 'choice',
          isOptional: true,
          options: [
            ['', text.values.default],
            ['line', text.values.line],
            ['original', text.values.original],
          ],
        },
      ],
    },
  ],
])

/** An inline of the menu that inserts blocks. */
export interface InsertableInline {
  readonly name: string
  readonly title: string
  readonly keywords: string
  readonly icon: string
  readonly group: 'Inline'
  readonly isInCells: true
  readonly inline: Inline
}

const entry = (
  name: 'button' | 'expression' | 'formula' | 'icon',
  icon: string,
  inline: Inline,
): InsertableInline => ({
  name,
  title: text.blocks[name],
  keywords: text.keywords[name],
  icon,
  group: 'Inline',
  isInCells: true,
  inline,
})

export const insertableInlines: readonly InsertableInline[] = [
  entry('button', 'rectangle-horizontal', {
    type: 'button',
    label: text.blocks.button,
    kind: 'primary',
    url: '',
  }),
  entry('expression', 'variable', { type: 'expression', expression: 'space.title' }),
  entry('formula', 'sigma', { type: 'inline-math', formula: 'x^2' }),
  entry('icon', 'smile', { type: 'icon', icon: 'star' }),
]
