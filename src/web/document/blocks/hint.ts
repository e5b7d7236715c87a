/** Hints (callouts) in four styles. */
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
const titles = new Map([
  ['info', 'Info'],
  ['success', 'Success'],
  ['warning', 'Warning'],
  ['danger', 'Danger'],
])

export const hint: BlockNodes = {
  hint: container({
    className: 'hint',
    bodyClass: 'hint-body',
    classesOf: (node) => [`hint-${styleOf(textAttribute(node, 'style'))}`],
    fields: [
      {
        name: 'style',
        label: 'Style',
        kind: 'choice',
        options: hintStyles.map((style) => [style, titles.get(style)!]),
      },
      { name: 'icon', label: 'Icon', kind: 'text', isOptional: true },
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
  title: style === 'info' ? 'Hint' : `${titles.get(style)!} hint`,
  keywords: 'callout note admonition tip alert',
  icon: icons.get(style)!,
  group: 'Text',
  block: { type: 'hint', attributes: { style }, blocks: roomToWrite },
}))
