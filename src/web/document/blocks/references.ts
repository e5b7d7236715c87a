/** Blocks that stand for something elsewhere: pages, reusable content, operations of a specification, integrations. */
import type { Node as ProseNode } from 'prosemirror-model'
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
import { attributeForm, beside, element } from '../dom.js'

interface ReferenceOptions {
  readonly className: string
  readonly icon: string
  readonly fields: readonly AttributeField[]
  /** What is required, so that there is something to refer to. */
  readonly required: string
  readonly titleOf: (node: ProseNode) => string
  readonly detailOf?: (node: ProseNode) => string
}

function reference(options: ReferenceOptions): BlockNode {
  const { fields, required } = options
  return {
    spec: {
      group: 'block',
      atom: true,
      attrs: blockAttrs,
      toDOM: () => ['div', { class: options.className }],
    },
    content: 'none',
    fields,
    isBlank: (node) => (textAttribute(node, required) ?? '') === '',
    view: (tools) => referenceView(tools, options),
  }
}

function referenceView(tools: BlockTools, options: ReferenceOptions) {
  const { className, icon, fields, required, titleOf, detailOf } = options
  const dom = element('div', { class: `${className} has-form` })
  const card = beside('div', { class: 'card-line' })
  const form = attributeForm(fields, tools)
  dom.append(card, form.dom)
  const update = (node: ProseNode): void => {
    const target = tools.describeLink(textAttribute(node, required) ?? '')
    const drawn = tools.icon(target?.icon ?? icon)
    card.classList.toggle('broken-link', target?.isBroken === true)
    card.replaceChildren(
      ...(drawn ? [drawn] : []),
      element('span', { class: 'card-title' }, target?.title ?? titleOf(node)),
      element('span', { class: 'card-detail' }, target?.detail ?? detailOf?.(node) ?? ''),
    )
    form.update(node)
  }
  update(tools.node())
  return { dom, update, form: form.dom }
}

const specification = (
  fields: readonly AttributeField[],
  titleOf: (node: ProseNode) => string,
): BlockNode => {
  const { spec, ...others } = reference({
    className: 'operation',
    icon: 'braces',
    required: 'spec',
    titleOf,
    detailOf: (node) => textAttribute(node, 'spec') ?? '',
    fields: [{ name: 'spec', label: 'Specification', kind: 'text' }, ...fields],
  })
  // A specification block may have content, which the reader sees beside it.
  return {
    ...others,
    spec: { ...spec, atom: false, content: 'block*' },
    content: 'optional blocks',
    view: specificationView(fields, titleOf),
  }
}

function specificationView(fields: readonly AttributeField[], titleOf: (node: ProseNode) => string) {
  return (tools: BlockTools) => {
    const { dom, update, form } = referenceView(tools, {
      className: 'operation',
      icon: 'braces',
      required: 'spec',
      titleOf,
      detailOf: (node) => textAttribute(node, 'spec') ?? '',
      fields: [{ name: 'spec', label: 'Specification', kind: 'text' }, ...fields],
    })
    const contentDOM = element('div', { class: 'operation-body' })
    dom.append(contentDOM)
    return { dom, contentDOM, update, form }
  }
}

export const references: BlockNodes = {
  content_ref: reference({
    className: 'reference',
    icon: 'file-text',
    required: 'url',
    titleOf: (node) => textAttribute(node, 'label') || textAttribute(node, 'url') || 'Choose a page',
    detailOf: (node) => textAttribute(node, 'url') ?? '',
    fields: [
      { name: 'url', label: 'Page', kind: 'text' },
      { name: 'label', label: 'Text', kind: 'text' },
    ],
  }),
  reusable_content: reference({
    className: 'include',
    icon: 'copy-plus',
    required: 'src',
    titleOf: () => 'Reusable content',
    detailOf: (node) => textAttribute(node, 'src') ?? '',
    fields: [{ name: 'src', label: 'File', kind: 'text', placeholder: '.gitbook/includes/name.md' }],
  }),
  openapi_operation: specification(
    [
      { name: 'path', label: 'Path', kind: 'text', placeholder: '/pets' },
      { name: 'method', label: 'Method', kind: 'text', placeholder: 'get' },
    ],
    (node) => `${(textAttribute(node, 'method') ?? '').toUpperCase()} ${textAttribute(node, 'path') ?? ''}`,
  ),
  openapi_schemas: specification(
    [
      { name: 'schemas', label: 'Schemas', kind: 'list' },
      { name: 'grouped', label: 'Grouped', kind: 'flag' },
    ],
    (node) => {
      const { schemas } = attributesOf(node)
      return Array.isArray(schemas) ? schemas.join(', ') : 'Schemas'
    },
  ),
  openapi_webhook: specification(
    [
      { name: 'name', label: 'Webhook', kind: 'text' },
      { name: 'method', label: 'Method', kind: 'text' },
    ],
    (node) => textAttribute(node, 'name') ?? 'Webhook',
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
    title: 'Page link',
    keywords: 'content reference card page',
    icon: 'file-symlink',
    group: 'Reuse',
    block: { type: 'content-ref', attributes: { url: '', label: '' } },
  },
  {
    name: 'include',
    title: 'Reusable content',
    keywords: 'include snippet shared synced',
    icon: 'copy-plus',
    group: 'Reuse',
    block: { type: 'reusable-content', attributes: { src: '' } },
  },
  {
    name: 'api-operation',
    title: 'API operation',
    keywords: 'openapi swagger endpoint rest specification',
    icon: 'braces',
    group: 'Data',
    block: { type: 'openapi-operation', attributes: { spec: '', path: '', method: 'get' }, blocks: [] },
  },
  {
    name: 'api-schemas',
    title: 'API schemas',
    keywords: 'openapi models specification',
    icon: 'braces',
    group: 'Data',
    block: { type: 'openapi-schemas', attributes: { spec: '', schemas: [] }, blocks: [] },
  },
  {
    name: 'api-webhook',
    title: 'API webhook',
    keywords: 'openapi event specification',
    icon: 'webhook',
    group: 'Data',
    block: { type: 'openapi-webhook', attributes: { spec: '', name: '' }, blocks: [] },
  },
]
