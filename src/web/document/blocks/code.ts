/** Code, formulas and prompts: blocks of plain text. A diagram and a formula are drawn below their source. */
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
import { attributeForm, beside, element } from '../dom.js'

const codeFields: readonly AttributeField[] = [
  { name: 'syntax', label: 'Language', kind: 'text', isOptional: true, placeholder: 'text' },
  { name: 'title', label: 'Title', kind: 'text', isOptional: true, placeholder: 'file.js' },
  { name: 'lineNumbers', label: 'Line numbers', kind: 'flag' },
  {
    name: 'overflow',
    label: 'Long lines',
    kind: 'choice',
    isOptional: true,
    options: [
      ['', 'Scroll'],
      ['wrap', 'Wrap'],
    ],
  },
  { name: 'expandable', label: 'Expandable', kind: 'flag' },
  { name: 'fullWidth', label: 'Full width', kind: 'flag' },
]

const promptFields: readonly AttributeField[] = [
  { name: 'description', label: 'Description', kind: 'text' },
  { name: 'icon', label: 'Icon', kind: 'text', isOptional: true },
  { name: 'openInAIProviders', label: 'Open in assistants', kind: 'flag' },
  {
    name: 'defaultExpanded',
    label: 'At first',
    kind: 'choice',
    isOptional: true,
    options: [
      ['', 'Default'],
      ['hidden', 'Hidden'],
      ['partial', 'Partly visible'],
      ['full', 'Visible'],
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
    fields: codeFields,
    view: codeView,
  },
  math: {
    spec: plainText(),
    content: { text: 'formula' },
    // Without a formula its delimiters would be text.
    isBlank: (node) => node.textContent.trim() === '',
    view: (tools) => sourceView(tools, 'math', 'math-block'),
  },
  prompt: { spec: plainText(), content: { text: 'text' }, fields: promptFields, view: promptView },
}

function codeView(tools: BlockTools) {
  const { dom, contentDOM, update: updateSource, form } = sourceView(tools, 'mermaid', 'code', codeFields)
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
function sourceView(
  tools: BlockTools,
  kind: 'math' | 'mermaid',
  className: string,
  fields?: readonly AttributeField[],
) {
  const dom = element('figure', { class: className })
  const form = fields && attributeForm(fields, tools)
  const contentDOM = element('code', { spellcheck: 'false' })
  const preview = beside('div', { class: 'block-preview' })
  if (form) dom.append(form.dom)
  dom.append(element('div', { class: 'code-lines' }, element('pre', {}, contentDOM)), preview)
  let drawn: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = async (source: string): Promise<void> => {
    const drawing = await tools.drawPreview(kind, source).catch(() => undefined)
    if (drawn === source) preview.replaceChildren(...(drawing ? [drawing] : []))
  }
  const update = (node: ProseNode): void => {
    form?.update(node)
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
  return { dom, contentDOM, update, ...(form && { form: form.dom }) }
}

function promptView(tools: BlockTools) {
  const dom = element('div', { class: 'prompt has-form' })
  const form = attributeForm(promptFields, tools)
  const contentDOM = element('code', { spellcheck: 'true' })
  dom.append(form.dom, element('pre', { class: 'prompt-text' }, contentDOM))
  return { dom, contentDOM, update: (node: ProseNode) => form.update(node), form: form.dom }
}

export const codeInsertions: readonly InsertableBlock[] = [
  {
    name: 'code',
    title: 'Code',
    keywords: 'fence source snippet program',
    icon: 'code',
    group: 'Text',
    isInCells: true,
    block: { type: 'code', attributes: { code: '' } },
  },
  {
    name: 'mermaid',
    title: 'Diagram',
    keywords: 'mermaid flowchart sequence graph',
    icon: 'workflow',
    group: 'Media',
    block: { type: 'code', attributes: { syntax: 'mermaid', code: 'flowchart LR\n  A --> B' } },
  },
  {
    name: 'math',
    title: 'Formula',
    keywords: 'math tex latex equation katex',
    icon: 'sigma',
    group: 'Media',
    block: { type: 'math', attributes: { formula: '' } },
  },
  {
    name: 'prompt',
    title: 'Prompt',
    keywords: 'ai assistant llm copy',
    icon: 'sparkles',
    group: 'Reuse',
    block: { type: 'prompt', attributes: { description: '', text: '' } },
  },
]
