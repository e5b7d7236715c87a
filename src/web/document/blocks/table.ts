/**
 * Tables: a row of titles, whose cells have the attributes of their columns, above rows of cells. Cards are the same table
 * in another view; values of typed columns follow from what is in their cells.
 */
import { documentText as text } from '../../i18n/document-text.js'
import type { NodeSpec, Node as ProseNode } from 'prosemirror-model'
import type { JsonValue } from '../../../core/document/json-node.js'
import { plainText } from '../../../core/document/plain-text.js'
import { type Inline, type SelectOption, columnTypes } from '../../../core/document/types.js'
import {
  type EditedBlock,
  type SourceAttributes,
  blocksOfSource,
} from '../../../core/editing/source-blocks.js'
import {
  type AttributeField,
  type BlockContent,
  type BlockNodes,
  type BlockReader,
  type BlockTools,
  type BlockWriter,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
  flagAttribute,
  textAttribute,
} from '../construct.js'
import { columnOf, valueControl } from './cell-values.js'
import { beside, element, replaceClasses, setAttribute, settingsButton } from '../dom.js'

const tableFields: readonly AttributeField[] = [
  {
    name: 'view',
    label: text.fields.view,
    kind: 'choice',
    options: [
      ['grid', text.values.grid],
      ['cards', text.values.cards],
    ],
  },
  {
    name: 'cardSize',
    label: text.fields.cardSize,
    kind: 'choice',
    isUsed: ({ view }) => view === 'cards',
    isOptional: true,
    options: [
      ['', text.values.medium],
      ['large', text.values.large],
    ],
  },
  { name: 'hideHeader', label: text.fields.hideTitles, kind: 'flag' },
  { name: 'fullWidth', label: text.fields.fullWidth, kind: 'flag' },
]

const columnFields: readonly AttributeField[] = [
  {
    name: 'type',
    label: text.fields.type,
    kind: 'choice',
    options: columnTypes.map((type) => [type, text.values.columnTypes[type]]),
  },
  { name: 'max', label: text.fields.largest, kind: 'number', isOptional: true, isUsed: isOfType('rating') },
  { name: 'options', label: text.fields.options, kind: 'options', isUsed: isOfType('select') },
  { name: 'width', label: text.fields.width, kind: 'text', isOptional: true, placeholder: '120' },
  { name: 'hidden', label: text.fields.hidden, kind: 'flag' },
  { name: 'cardTarget', label: text.fields.cardTarget, kind: 'flag', isUsed: isOfType('content-ref') },
  { name: 'cardCover', label: text.fields.cardCover, kind: 'flag', isUsed: isOfType('files', 'image') },
  {
    name: 'cardCoverDark',
    label: text.fields.cardCoverDark,
    kind: 'flag',
    isUsed: isOfType('files', 'image'),
  },
]

function isOfType(...types: readonly string[]) {
  return ({ type }: SourceAttributes): boolean => types.includes(String(type))
}

/** Attributes that commands on tables expect; cells over several columns are split when the page is read. */
const cellAttrs = {
  ...blockAttrs,
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null },
}

function cell(tag: 'td' | 'th', role: 'cell' | 'header_cell', content: string): NodeSpec {
  return {
    content,
    attrs: { ...cellAttrs, align: { default: null } },
    tableRole: role,
    isolating: true,
    parseDOM: [{ tag }],
    toDOM: ({ attrs: { align } }) => [
      tag,
      { dir: 'auto', ...(typeof align === 'string' && { class: `align-${align}` }) },
      0,
    ],
  }
}

export const table: BlockNodes = {
  table: {
    spec: {
      group: 'block',
      content: 'table_row+',
      tableRole: 'table',
      isolating: true,
      attrs: blockAttrs,
      parseDOM: [{ tag: 'table' }],
      toDOM: () => ['table', ['tbody', 0]],
    },
    content: { read: readTable, write: writeTable },
    label: text.blocks.table,
    fields: tableFields,
    parts: 'table_header',
    view: tableView,
  },
  table_row: {
    spec: {
      content: '(table_cell | table_header)*',
      tableRole: 'row',
      attrs: blockAttrs,
      parseDOM: [{ tag: 'tr' }],
      toDOM: () => ['tr', 0],
    },
    content: 'blocks',
  },
  table_header: {
    spec: cell('th', 'header_cell', 'inline*'),
    content: 'inlines',
    label: text.blocks.column,
    fields: columnFields,
    view: titleView,
  },
  table_cell: { spec: cell('td', 'cell', 'block+'), content: 'blocks', view: cellView },
}

/** The title of a column: one without words has a name for screen readers. */
function titleView(tools: BlockTools) {
  const dom = element('th', { dir: 'auto' })
  let align: string | undefined
  const update = (node: ProseNode): void => {
    const side: unknown = attributesOf(node)['align'] ?? node.attrs['align']
    const next = typeof side === 'string' ? `align-${side}` : undefined
    replaceClasses(dom, align ? [align] : [], next ? [next] : [])
    align = next
    setAttribute(dom, 'aria-label', node.childCount === 0 ? text.blocks.column : undefined)
  }
  update(tools.node())
  return { dom, contentDOM: dom, update }
}

/** A cell with a control has no text to write in. */
function cellView(tools: BlockTools) {
  const dom = element('td', { dir: 'auto' })
  const contentDOM = element('div', { class: 'cell-body' })
  const control = beside('div', { class: 'cell-control' })
  dom.append(contentDOM, control)
  let align: string | undefined
  const titleOfColumn = (): ProseNode | undefined => {
    const position = tools.position()
    return position === undefined ? undefined : columnOf(tools.view.state.doc, position)
  }
  const update = (node: ProseNode): void => {
    const title = titleOfColumn()
    const column = title ? attributesOf(title) : {}
    const side = column['align'] ?? node.attrs['align']
    const next = typeof side === 'string' ? `align-${side}` : undefined
    replaceClasses(dom, align ? [align] : [], next ? [next] : [])
    align = next
    dom.classList.toggle('in-hidden-column', column['hidden'] === true)
    const name = title?.textContent || text.blocks.column
    const own = controlTypes.has(String(column['type']))
      ? controlOf(node, column, { tools, label: name })
      : valueControl(node, column, { tools, label: name, redraw: () => update(tools.node()) })
    const isControl = own !== undefined
    dom.classList.toggle('has-control', isControl)
    setAttribute(contentDOM, 'contenteditable', isControl ? 'false' : undefined)
    contentDOM.toggleAttribute('hidden', isControl)
    control.replaceChildren(...(own ? [own] : []))
  }
  update(tools.node())
  return { dom, contentDOM, update, form: control }
}

function controlOf(
  node: ProseNode,
  column: SourceAttributes,
  { tools, label }: { readonly tools: BlockTools; readonly label: string },
): HTMLElement {
  const { values } = attributesOf(node)
  const chosen = Array.isArray(values) ? values.map(String) : []
  if (column['type'] === 'checkbox') {
    const box = element('input', { type: 'checkbox', 'aria-label': label })
    box.checked = chosen[0] === 'true'
    box.disabled = !tools.isEditable()
    box.addEventListener('change', () => tools.setAttributes({ values: [String(box.checked)] }))
    return box
  }
  const options = optionsOf(column['options']).map(({ value, label }) => {
    const option = element('option', { value }, label)
    option.selected = chosen.includes(value)
    return option
  })
  const list = element(
    'select',
    { multiple: chosen.length > 1, 'aria-label': label },
    element('option', { value: '' }, '–'),
    ...options,
  )
  list.disabled = !tools.isEditable()
  list.addEventListener('change', () => {
    const selected = [...list.selectedOptions].map(({ value }) => value)
    tools.setAttributes({ values: selected.filter((value) => value !== '') })
  })
  return list
}

interface Column {
  readonly title: readonly Inline[]
  readonly align?: string
}

function readTable(
  { attributes, blocks = [] }: EditedBlock,
  reader: BlockReader,
): readonly ProseNode[] | undefined {
  const columns = attributes['columns'] as unknown as readonly Column[]
  const isRegular = blocks.every((row) => row.blocks!.length === columns.length)
  if (columns.length === 0 || !isRegular) return undefined
  const titles = columns.map(({ title, ...column }) =>
    withAlign(reader.create('table_header', column as SourceAttributes, reader.inlines(title)), column.align),
  )
  const rows = blocks.length === 0 ? [] : reader.blocks(blocks)
  return [reader.create('table_row', {}, titles), ...rows]
}

function withAlign(cell: ProseNode, align: string | undefined): ProseNode {
  return align === undefined ? cell : cell.type.create({ ...cell.attrs, align }, cell.content, cell.marks)
}

function writeTable(node: ProseNode, writer: BlockWriter): BlockContent {
  const [head, ...rows] = node.children
  const columns = head!.children.map((title) => ({
    type: 'text',
    ...attributesOf(title),
    title: titleOf(title, writer) as unknown as JsonValue,
  }))
  return {
    attributes: { view: 'grid', ...attributesOf(node), columns: columns as unknown as JsonValue },
    blocks: rows.map((row) => writeRow(row, columns, writer)),
  }
}

/** The first row is that of titles, whatever commands made of it. */
function titleOf(cell: ProseNode, writer: BlockWriter): readonly Inline[] {
  if (cell.inlineContent) return writer.inlines(cell)
  return writer.blocks(cell).flatMap(({ inlines = [] }) => inlines)
}

function writeRow(row: ProseNode, columns: readonly SourceAttributes[], writer: BlockWriter): EditedBlock {
  const written = writer.block(row)
  const blocks = written.blocks!.map((cell, index) => withValues(cell, columns[index]))
  return blocks.every((cell, index) => cell === written.blocks![index]) ? written : { ...written, blocks }
}

/** Returns a cell with the values that its column reads from its content; those of ticks and options are its content. */
function withValues(cell: EditedBlock, column: SourceAttributes | undefined): EditedBlock {
  if (column && controlTypes.has(String(column['type']))) return controlCell(cell, column)
  const values = valuesOf(cell, column)
  if (JSON.stringify(values) === JSON.stringify(cell.attributes['values'])) return cell
  const { values: _, ...attributes } = cell.attributes
  return { ...cell, attributes: values === undefined ? attributes : { ...attributes, values } }
}

/** Types of columns whose cells are controls. */
const controlTypes = new Set(['checkbox', 'select'])

function controlCell(cell: EditedBlock, { type, options }: SourceAttributes): EditedBlock {
  const { values: own, ...attributes } = cell.attributes
  const values = Array.isArray(own) ? own.map(String) : type === 'checkbox' ? ['false'] : []
  const content = type === 'select' ? labelsOf(values, options) : ''
  const next = { ...cell, attributes: { ...attributes, values } }
  // What was read says it already, and has its places in the text.
  if (cell.blocks !== undefined && wordsOf(cell.blocks) === content) return next
  const start = cell.span?.start
  const paragraph: EditedBlock = {
    type: 'paragraph',
    // A block of the text has a place in it, also where its words follow from the value of the cell.
    ...(start !== undefined && { span: { start, end: start } }),
    attributes: {},
    inlines: [{ type: 'text', text: content }],
  }
  const blocks = content === '' ? [] : [paragraph]
  return { ...next, blocks }
}

const wordsOf = (blocks: readonly EditedBlock[]): string =>
  plainText({ blocks: blocksOfSource(blocks) }).trim()

function labelsOf(values: readonly string[], options: JsonValue | undefined): string {
  const known = optionsOf(options)
  return values.map((value) => known.find((option) => option.value === value)?.label ?? value).join(', ')
}

function optionsOf(options: JsonValue | undefined): readonly SelectOption[] {
  return Array.isArray(options) ? (options as unknown as readonly SelectOption[]) : []
}

function valuesOf({ blocks = [] }: EditedBlock, column: SourceAttributes | undefined): JsonValue | undefined {
  const words = () => wordsOf(blocks)
  switch (column?.['type']) {
    case 'number':
    case 'rating':
      return words() === '' ? [] : [words()]
    case 'files':
    case 'users':
      return blocks.flatMap(({ inlines = [] }) => destinations(inlines))
    default:
      return undefined
  }
}

function destinations(inlines: readonly Inline[]): readonly string[] {
  return inlines.flatMap((inline): readonly string[] => {
    if (inline.type === 'link') return [inline.url, ...destinations(inline.children)]
    if (inline.type === 'inline-image') return [inline.src]
    if (inline.type === 'annotation') return destinations(inline.children)
    return inline.type === 'button' && inline.url ? [inline.url] : []
  })
}

/** The button above the table that the cursor is in. */
function tableMenuButton({ openTableMenu, icon }: BlockTools): HTMLElement | undefined {
  if (openTableMenu === undefined) return undefined
  const button = beside('button', { type: 'button', class: 'table-menu' }, icon('table'), text.tableMenu)
  // The selection stays in its cell.
  button.addEventListener('pointerdown', (event) => event.preventDefault())
  button.addEventListener('click', () => openTableMenu(button))
  return button
}

function tableView(tools: BlockTools) {
  const dom = element('div', { class: 'table-frame has-settings' })
  const frame = element('div', { class: 'table' })
  const body = element('tbody')
  const settings = settingsButton(tools)
  const label = beside('span', { class: 'table-label' })
  const menu = tableMenuButton(tools)
  const bar = beside('div', { class: 'table-bar' }, label, menu, settings)
  frame.append(element('table', {}, body))
  dom.append(bar, frame)
  const update = (node: ProseNode): void => {
    const isCards = textAttribute(node, 'view') === 'cards'
    dom.classList.toggle('full-width', flagAttribute(node, 'fullWidth'))
    frame.classList.toggle('as-cards', isCards)
    frame.classList.toggle('large-cards', isCards && textAttribute(node, 'cardSize') === 'large')
    frame.classList.toggle('without-titles', flagAttribute(node, 'hideHeader'))
    const isWithoutWords = node.firstChild?.textContent.trim() === ''
    frame.classList.toggle('hides-titles', isWithoutWords && (isCards || flagAttribute(node, 'hideHeader')))
    label.textContent = isCards ? text.values.cards : ''
  }
  update(tools.node())
  return { dom, contentDOM: body, update, form: bar }
}

const emptyCell: EditedBlock = { type: 'table-cell', attributes: {}, blocks: [] }
const row = (count: number): EditedBlock => ({
  type: 'table-row',
  attributes: {},
  blocks: Array.from({ length: count }, () => emptyCell),
})
const column = (title: string, others: SourceAttributes = {}) =>
  ({ type: 'text', ...others, title: title === '' ? [] : [{ type: 'text', text: title }] }) as JsonValue

export const tableInsertions: readonly InsertableBlock[] = [
  {
    name: 'table',
    title: text.blocks.table,
    keywords: text.keywords.table,
    icon: 'table',
    group: 'Data',
    block: {
      type: 'table',
      attributes: { view: 'grid', columns: [column(''), column(''), column('')] },
      blocks: [row(3), row(3)],
    },
  },
  {
    name: 'cards',
    title: text.blocks.cards,
    keywords: text.keywords.cards,
    icon: 'layout-grid',
    group: 'Data',
    block: {
      type: 'table',
      attributes: {
        view: 'cards',
        cardSize: 'medium',
        columns: [
          column(text.fields.title),
          column(text.fields.text),
          column(text.fields.cardTarget, { type: 'content-ref', hidden: true, cardTarget: true }),
        ],
      },
      blocks: [row(3), row(3)],
    },
  },
]
