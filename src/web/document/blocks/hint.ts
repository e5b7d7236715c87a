/** Hints (callouts) in four styles. */
import { documentText as text } from '../../i18n/document-text.js'
import { hintStyles } from '../../../core/document/types.js'
import { type BlockNodes, type InsertableBlock, textAttribute } from '../construct.js'
import { beside } from '../dom.js'
import { container, roomToWrite } from './containers.js'

const icons = new Map([
  ['info', 'info'],
  ['success', 'circle-check'],
  ['warning', 'triangle-alert'],
  ['danger', 'octagon-alert'],
])

export const hint: BlockNodes = {
  hint: container({
    className: 'hint',
    label: text.blocks.hint,
    bodyClass: 'hint-body',
    classesOf: (node) => [`hint-${styleOf(textAttribute(node, 'style'))}`],
    fields: [
      {
        name: 'style',
        label: text.fields.style,
        kind: 'choice',
        options: hintStyles.map((style) => [style, text.values.styles[style]]),
      },
      { name: 'icon', label: text.fields.icon, kind: 'icon', isOptional: true },
    ],
    decorate(dom, tools) {
      const sign = beside('span', { class: 'hint-sign' })
      dom.append(sign)
      return (node) => {
        const own = tools.icon(textAttribute(node, 'icon') ?? '')
        const drawn = own ?? tools.icon(icons.get(styleOf(textAttribute(node, 'style')))!)
        sign.replaceChildren(...(drawn ? [drawn] : []))
      }
    },
  }),
}

function styleOf(style: string | undefined): string {
  return hintStyles.find((one) => one === style) ?? 'info'
}

export const hintInsertions: readonly InsertableBlock[] = hintStyles.map((style) => ({
  name: `hint-${style}`,
  title: text.blocks[`hint-${style}`],
  keywords: text.keywords.hint,
  icon: icons.get(style)!,
  group: 'Text',
  block: { type: 'hint', attributes: { style }, blocks: roomToWrite },
}))
