/** Blocks that stand for something elsewhere: pages, reusable content, operations of a specification, integrations. */
import { documentText as text } from '../../i18n/document-text.js'
import type { Node as ProseNode } from 'prosemirror-model'
import type { JsonValue } from '../../../core/document/json-node.js'
import {
  type AttributeField,
  type BlockNode,
  type BlockNodes,
  type BlockTools,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
  textAttribute,
} from '../construct.js'
import { beside, element, settingsButton } from '../dom.js'

interface ReferenceOptions {
  readonly className: string
  readonly icon: string
  readonly label: string
  readonly fields: readonly AttributeField[]
  /** What is required, so that there is something to refer to; the first is where it leads. */
  readonly required: readonly [string, ...string[]]
  readonly titleOf: (node: ProseNode) => string
  readonly detailOf?: (node: ProseNode) => string
}

function reference(options: ReferenceOptions): BlockNode {
  const { label, fields, required } = options
  return {
    spec: {
      group: 'block',
      atom: true,
      attrs: blockAttrs,
      toDOM: () => ['div', { class: options.className }],
    },
    content: 'none',
    label,
    fields,
    isBlank: (node) => required.some((name) => isEmpty(attributesOf(node)[name])),
    view: (tools) => referenceView(tools, options),
  }
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function referenceView(tools: BlockTools, options: ReferenceOptions) {
  const { className, icon, required, titleOf, detailOf } = options
  const dom = element('div', { class: `${className} has-settings` })
  const card = beside('div', { class: 'card-line' })
  const settings = settingsButton(tools)
  dom.append(card, ...(settings ? [settings] : []))
  const update = (node: ProseNode): void => {
    const target = tools.describeLink(textAttribute(node, required[0]) ?? '', () => update(tools.node()))
    const drawn = tools.icon(target?.icon ?? icon)
    card.classList.toggle('broken-link', target?.isBroken === true)
    card.replaceChildren(
      ...(drawn ? [drawn] : []),
      element('span', { class: 'card-title' }, target?.title ?? titleOf(node)),
      element('span', { class: 'card-detail' }, target?.detail ?? detailOf?.(node) ?? ''),
    )
  }
  update(tools.node())
  return { dom, update, ...(settings && { form: settings }) }
}

const specification = (
  label: string,
  required: string,
  fields: readonly AttributeField[],
  titleOf: (node: ProseNode) => string,
): BlockNode => {
  const options: ReferenceOptions = {
    className: 'operation',
    icon: 'braces',
    label,
    required: ['spec', required],
    titleOf,
    detailOf: (node) => textAttribute(node, 'spec') ?? '',
    fields: [{ name: 'spec', label: text.fields.specification, kind: 'specification' }, ...fields],
  }
  const { spec, ...others } = reference(options)
  // A specification block may have content, which the reader sees beside it.
  return {
    ...others,
    spec: { ...spec, atom: false, content: 'block*' },
    content: 'optional blocks',
    view: specificationView(options),
  }
}

function specificationView(options: ReferenceOptions) {
  return (tools: BlockTools) => {
    const { dom, update, form } = referenceView(tools, options)
    const contentDOM = element('div', { class: 'operation-body' })
    dom.append(contentDOM)
    return { dom, contentDOM, update, ...(form && { form }) }
  }
}

export const references: BlockNodes = {
  content_ref: reference({
    className: 'reference',
    icon: 'file-text',
    label: text.blocks['page-link'],
    required: ['url'],
    titleOf: (node) => textAttribute(node, 'label') || textAttribute(node, 'url') || text.choosePage,
    detailOf: (node) => textAttribute(node, 'url') ?? '',
    fields: [
      { name: 'url', label: text.fields.page, kind: 'page', isRequired: true },
      { name: 'label', label: text.fields.text, kind: 'text' },
    ],
  }),
  reusable_content: reference({
    className: 'include',
    icon: 'copy-plus',
    label: text.blocks.include,
    required: ['src'],
    titleOf: (node) => (textAttribute(node, 'src') ? text.blocks.include : text.chooseInclude),
    detailOf: (node) => textAttribute(node, 'src') ?? '',
    fields: [
      {
        name: 'src',
        label: text.fields.include,
        kind: 'reusable-content',
        isRequired: true,
        placeholder: text.placeholders.include,
      },
    ],
  }),
  openapi_operation: specification(
    text.blocks['api-operation'],
    'path',
    [{ name: 'path', label: text.fields.operation, kind: 'operation' }],
    (node) => {
      const path = textAttribute(node, 'path') ?? ''
      return path === ''
        ? text.chooseOperation
        : `${(textAttribute(node, 'method') ?? '').toUpperCase()} ${path}`
    },
  ),
  openapi_schemas: specification(
    text.blocks['api-schemas'],
    'schemas',
    [
      { name: 'schemas', label: text.fields.schemas, kind: 'schemas' },
      { name: 'grouped', label: text.fields.grouped, kind: 'flag' },
    ],
    (node) => {
      const { schemas } = attributesOf(node)
      return Array.isArray(schemas) && schemas.length > 0 ? schemas.join(', ') : text.blocks['api-schemas']
    },
  ),
  openapi_webhook: specification(
    text.blocks['api-webhook'],
    'name',
    [
      { name: 'name', label: text.fields.webhook, kind: 'webhook' },
      { name: 'method', label: text.fields.method, kind: 'text', isOptional: true },
    ],
    (node) => textAttribute(node, 'name') || text.blocks['api-webhook'],
  ),
  integration: {
    spec: { group: 'block', atom: true, attrs: blockAttrs, toDOM: () => ['div', { class: 'integration' }] },
    content: 'none',
    view: integrationView,
  },
}

function integrationView(tools: BlockTools) {
  const dom = element('div', { class: 'integration' })
  const update = (node: ProseNode): void => {
    const { integration, block, props } = attributesOf(node)
    const entries = typeof props === 'object' && props !== null ? Object.entries(props) : []
    const rows = entries.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, String(value))),
    )
    dom.replaceChildren(
      element(
        'p',
        { class: 'box-title' },
        tools.icon('puzzle'),
        element('strong', {}, String(integration)),
        ` ${String(block)}`,
      ),
      element('dl', {}, ...rows),
    )
  }
  update(tools.node())
  return { dom, update }
}

export const referenceInsertions: readonly InsertableBlock[] = [
  {
    name: 'page-link',
    title: text.blocks['page-link'],
    keywords: text.keywords['page-link'],
    icon: 'file-symlink',
    group: 'Reuse',
    isChosen: true,
    block: { type: 'content-ref', attributes: { url: '', label: '' } },
  },
  {
    name: 'include',
    title: text.blocks.include,
    keywords: text.keywords.include,
    icon: 'copy-plus',
    group: 'Reuse',
    isChosen: true,
    block: { type: 'reusable-content', attributes: { src: '' } },
  },
  {
    name: 'api-operation',
    title: text.blocks['api-operation'],
    keywords: text.keywords['api-operation'],
    icon: 'braces',
    group: 'Data',
    isChosen: true,
    block: { type: 'openapi-operation', attributes: { spec: '', path: '', method: 'get' }, blocks: [] },
  },
  {
    name: 'api-schemas',
    title: text.blocks['api-schemas'],
    keywords: text.keywords['api-schemas'],
    icon: 'braces',
    group: 'Data',
    isChosen: true,
    block: { type: 'openapi-schemas', attributes: { spec: '', schemas: [] }, blocks: [] },
  },
  {
    name: 'api-webhook',
    title: text.blocks['api-webhook'],
    keywords: text.keywords['api-webhook'],
    icon: 'webhook',
    group: 'Data',
    isChosen: true,
    block: { type: 'openapi-webhook', attributes: { spec: '', name: '' }, blocks: [] },
  },
]
