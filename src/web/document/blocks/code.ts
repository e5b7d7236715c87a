/** Code, formulas and prompts: blocks of plain text. A diagram and a formula are drawn below their source. */
import { documentText as text } from '../../i18n/document-text.js'
import type { Node as ProseNode, NodeSpec } from 'prosemirror-model'
import {
  type AttributeField,
  type BlockNodes,
  type BlockTools,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
  flagAttribute,
  textAttribute,
} from '../construct.js'
import { beside, element, settingsButton } from '../dom.js'

const codeFields: readonly AttributeField[] = [
  { name: 'syntax', label: text.fields.language, kind: 'language', isOptional: true },
  { name: 'title', label: text.fields.title, kind: 'text', isOptional: true },
  { name: 'lineNumbers', label: text.fields.lineNumbers, kind: 'flag' },
  {
    name: 'overflow',
    label: text.fields.longLines,
    kind: 'choice',
    isOptional: true,
    options: [
      ['', text.values.scroll],
      ['wrap', text.values.wrap],
    ],
  },
  {
    name: 'highlighted',
    label: text.fields.highlighted,
    kind: 'lines',
    placeholder: text.placeholders.lines,
  },
  { name: 'expandable', label: text.fields.expandable, kind: 'flag' },
  { name: 'fullWidth', label: text.fields.fullWidth, kind: 'flag' },
]

const promptFields: readonly AttributeField[] = [
  { name: 'description', label: text.fields.description, kind: 'text' },
  { name: 'icon', label: text.fields.icon, kind: 'icon', isOptional: true },
  { name: 'openInAIProviders', label: text.fields.openInAssistants, kind: 'flag' },
  {
    name: 'defaultExpanded',
    label: text.fields.atFirst,
    kind: 'choice',
    isOptional: true,
    options: [
      ['', text.values.default],
      ['hidden', text.values.hidden],
      ['partial', text.values.partial],
      ['full', text.values.full],
    ],
  },
]

function plainText(parse: NodeSpec['parseDOM'] = []): NodeSpec {
  return {
    group: 'block',
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    isolating: false,
    attrs: blockAttrs,
    parseDOM: parse,
    toDOM: () => ['pre', ['code', 0]],
  }
}

export const code: BlockNodes = {
  code: {
    spec: plainText([{ tag: 'pre', preserveWhitespace: 'full' }]),
    content: { text: 'code' },
    label: text.blocks.code,
    fields: codeFields,
    view: codeView,
  },
  math: {
    spec: plainText(),
    content: { text: 'formula' },
    label: text.blocks.math,
    // Without a formula its delimiters would be text.
    isBlank: (node) => node.textContent.trim() === '',
    view: (tools) => sourceView(tools, 'math', 'math-block'),
  },
  prompt: {
    spec: plainText(),
    content: { text: 'text' },
    label: text.blocks.prompt,
    fields: promptFields,
    view: promptView,
  },
}

function codeView(tools: BlockTools) {
  const { dom, contentDOM, update: updateSource, form } = sourceView(tools, 'mermaid', 'code', true)
  const numbers = beside('div', { class: 'code-numbers', 'aria-hidden': 'true' })
  contentDOM.parentElement!.before(numbers)
  let count = 0
  const update = (node: ProseNode): void => {
    updateSource(node)
    const { lineNumbers, highlighted } = attributesOf(node)
    dom.classList.toggle('wrap', textAttribute(node, 'overflow') === 'wrap')
    dom.classList.toggle('full-width', flagAttribute(node, 'fullWidth'))
    dom.classList.toggle('numbered', lineNumbers === true)
    dom.classList.toggle('highlighted', Array.isArray(highlighted) && highlighted.length > 0)
    const lines = lineNumbers === true ? node.textContent.split('\n').length : 0
    if (lines === count) return
    count = lines
    numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join('\n')
  }
  update(tools.node())
  return { dom, contentDOM, update, ...(form && { form }) }
}

/** A text with its drawing below, which follows after a pause. */
function sourceView(tools: BlockTools, kind: 'math' | 'mermaid', className: string, hasForm = false) {
  const dom = element('figure', { class: className })
  const settings = hasForm ? settingsButton(tools) : undefined
  const contentDOM = element('code', { spellcheck: 'false' })
  const preview = beside('div', { class: 'block-preview' })
  if (settings) {
    dom.classList.add('has-settings')
    dom.append(settings)
  }
  dom.append(element('div', { class: 'code-lines' }, element('pre', { dir: 'ltr' }, contentDOM)), preview)
  let drawn: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = async (source: string): Promise<void> => {
    const drawing = await tools.drawPreview(kind, source).catch(() => undefined)
    if (drawn === source) preview.replaceChildren(...(drawing ? [drawing] : []))
  }
  const update = (node: ProseNode): void => {
    const isDrawn = kind === 'math' || textAttribute(node, 'syntax') === kind
    const source = isDrawn ? node.textContent : ''
    if (source === drawn) return
    const isFirst = drawn === undefined
    drawn = source
    clearTimeout(timer)
    if (source === '') preview.replaceChildren()
    else timer = setTimeout(() => void draw(source), isFirst ? 0 : 300)
  }
  update(tools.node())
  return { dom, contentDOM, update, ...(settings && { form: settings }) }
}

function promptView(tools: BlockTools) {
  const dom = element('div', { class: 'prompt has-settings' })
  const settings = settingsButton(tools)
  const contentDOM = element('code', { spellcheck: 'true' })
  const title = beside('p', { class: 'prompt-title' })
  dom.append(...(settings ? [settings] : []), title, element('pre', { class: 'prompt-text' }, contentDOM))
  const update = (node: ProseNode): void => {
    title.textContent = textAttribute(node, 'description') ?? ''
  }
  update(tools.node())
  return { dom, contentDOM, update, ...(settings && { form: settings }) }
}

export const codeInsertions: readonly InsertableBlock[] = [
  {
    name: 'code',
    title: text.blocks.code,
    keywords: text.keywords.code,
    icon: 'code',
    group: 'Text',
    isInCells: true,
    block: { type: 'code', attributes: { code: '' } },
  },
  {
    name: 'mermaid',
    title: text.blocks.mermaid,
    keywords: text.keywords.mermaid,
    icon: 'workflow',
    group: 'Media',
    block: { type: 'code', attributes: { syntax: 'mermaid', code: 'flowchart LR\n  A --> B' } },
  },
  {
    name: 'math',
    title: text.blocks.math,
    keywords: text.keywords.math,
    icon: 'sigma',
    group: 'Media',
    block: { type: 'math', attributes: { formula: '' } },
  },
  {
    name: 'prompt',
    title: text.blocks.prompt,
    keywords: text.keywords.prompt,
    icon: 'sparkles',
    group: 'Reuse',
    block: { type: 'prompt', attributes: { description: '', text: '' } },
  },
]
