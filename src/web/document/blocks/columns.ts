/** Columns side by side. */
import { type BlockNodes, type InsertableBlock, flagAttribute, textAttribute } from '../construct.js'
import { setAttribute } from '../dom.js'
import { container, roomToWrite } from './containers.js'

export const columns: BlockNodes = {
  columns: container({
    className: 'columns',
    content: 'column+',
    bodyClass: 'columns',
    fields: [{ name: 'fullWidth', label: 'Full width', kind: 'flag' }],
    classesOf: (node) => ['columns-frame', flagAttribute(node, 'fullWidth') ? 'full-width' : undefined],
  }),
  column: container({
    className: 'column',
    group: '',
    isolating: true,
    bodyClass: 'column-body',
    classesOf: (node) => [alignment(textAttribute(node, 'verticalAlignment'))],
    fields: [
      { name: 'width', label: 'Width', kind: 'text', isOptional: true, placeholder: '50%' },
      {
        name: 'verticalAlignment',
        label: 'Position',
        kind: 'choice',
        isOptional: true,
        options: [
          ['', 'Stretch'],
          ['top', 'Top'],
          ['middle', 'Middle'],
          ['bottom', 'Bottom'],
        ],
      },
    ],
    decorate: (dom) => (node) => {
      // Twelfths, as the style sheet has them.
      const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(textAttribute(node, 'width') ?? '')?.[1])
      const share = percent > 0 && percent < 100 ? Math.round((percent * 12) / 100) : undefined
      setAttribute(dom, 'data-share', share === undefined ? undefined : String(Math.min(11, Math.max(1, share))))
    },
  }),
}

function alignment(written: string | undefined): string | undefined {
  return written === 'middle' || written === 'bottom' ? written : undefined
}

const column = { type: 'column', attributes: {}, blocks: roomToWrite } as const

export const columnsInsertions: readonly InsertableBlock[] = [
  {
    name: 'columns',
    title: 'Columns',
    keywords: 'side by side layout grid',
    icon: 'columns-2',
    group: 'Layout',
    block: { type: 'columns', attributes: {}, blocks: [column, column] },
  },
]
