/** Columns side by side. */
import { documentText as text } from '../../i18n/document-text.js'
import { type BlockNodes, type InsertableBlock, flagAttribute, textAttribute } from '../construct.js'
import { setAttribute } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const columns: BlockNodes = {
  columns: container({
    className: 'columns',
    label: text.blocks.columns,
    parts: 'column',
    content: 'column+',
    bodyClass: 'columns',
    fields: [{ name: 'fullWidth', label: text.fields.fullWidth, kind: 'flag' }],
    classesOf: (node) => ['columns-frame', flagAttribute(node, 'fullWidth') ? 'full-width' : undefined],
    decorate: (dom) => (node) => {
      const shares = sharesOf(node.children.map((child) => textAttribute(child, 'width')))
      // Their elements follow in the same turn.
      queueMicrotask(() => {
        for (const [index, child] of [...(dom.lastElementChild?.children ?? [])].entries())
          setAttribute(child, 'data-share', shares[index] === undefined ? undefined : String(shares[index]))
      })
    },
  }),
  column: container({
    className: 'column',
    label: text.blocks.column,
    isPart: true,
    group: '',
    isolating: true,
    bodyClass: 'column-body',
    classesOf: (node) => [alignment(textAttribute(node, 'verticalAlignment'))],
    fields: [
      {
        name: 'width',
        label: text.fields.width,
        kind: 'text',
        isOptional: true,
        placeholder: text.placeholders.share,
      },
      {
        name: 'verticalAlignment',
        label: text.fields.position,
        kind: 'choice',
        isOptional: true,
        options: [
          ['', text.values.stretch],
          ['top', text.values.top],
          ['middle', text.values.middle],
          ['bottom', text.values.bottom],
        ],
      },
    ],
  }),
}

/** Twelfths, as the style sheet has them; columns without a width share what the others leave. */
function sharesOf(widths: readonly (string | undefined)[]): readonly (number | undefined)[] {
  const declared = widths.map((width) => {
    const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(width ?? '')?.[1])
    return percent > 0 && percent < 100
      ? Math.min(11, Math.max(1, Math.round((percent * 12) / 100)))
      : undefined
  })
  const free = declared.filter((share) => share === undefined).length
  if (free === declared.length) return declared
  const left = 12 - declared.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  return declared.map((share) => share ?? Math.max(1, Math.round(left / free)))
}

function alignment(written: string | undefined): string | undefined {
  return written === 'middle' || written === 'bottom' ? written : undefined
}

const column = { type: 'column', attributes: {}, blocks: roomToWrite } as const

export const columnsInsertions: readonly InsertableBlock[] = [
  {
    name: 'columns',
    title: text.blocks.columns,
    keywords: text.keywords.columns,
    icon: 'columns-2',
    group: 'Layout',
    block: { type: 'columns', attributes: {}, blocks: [column, column] },
  },
]
