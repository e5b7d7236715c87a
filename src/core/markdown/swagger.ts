/**
 * `{% swagger method="get" path="/pets" baseUrl="https://…" summary="…" %}`: legacy inline description of an
 * operation, by `{% swagger-description %}`, `{% swagger-parameter %}` and `{% swagger-response %}` inside it. Its parameters
 * become tables and its responses expandables among its blocks; with `src` it is `{% openapi %}`.
 */
import type { Block, Expandable, Inline, OpenAPIBlock, Table, TableCell } from '../document/types.js'
import { type Construct, spanOf, warnUnended } from './construct.js'
import type { Node, TagNode } from './nodes.js'
import { openapi } from './openapi.js'
import type { Reader } from './reader.js'
import { attributeFlag, attributeValue, formatTag } from './tags.js'

export const swagger: Construct = {
  ending: 'alone',
  read(node, reader) {
    const { attributes } = node.tag
    if (attributes.has('src')) return openapi.read(node, reader)
    if (!attributes.has('path')) reader.problem('{% swagger %} needs path or src', node.tag.span)
    const block: OpenAPIBlock = {
      type: 'swagger',
      span: spanOf(node),
      path: attributeValue(attributes, 'path') ?? '',
      method: (attributeValue(attributes, 'method') ?? 'get').toLowerCase(),
      blocks: readInside(node, reader),
    }
    const server = attributeValue(attributes, 'baseUrl')
    const summary = attributeValue(attributes, 'summary')
    return [{ ...block, ...(server && { server }), ...(summary && { summary }) }]
  },
}

const part: Construct = { inside: 'swagger', read: (node, reader) => reader.blocks(node.children) }
export const swaggerDescription = part
export const swaggerParameter = part
export const swaggerResponse = part

function readInside(node: TagNode, reader: Reader): readonly Block[] {
  const blocks: Block[] = []
  let parameters: TagNode[] = []
  let others: Node[] = []
  const flush = (): void => {
    if (parameters.length > 0) blocks.push(parametersTable(parameters.map(parameterOf), reader))
    for (const block of reader.blocks(others)) blocks.push(block)
    parameters = []
    others = []
  }
  for (const child of node.children) {
    const name = child.kind === 'tag' ? child.tag.name : ''
    if (child.kind !== 'tag' || !/^swagger-(?:description|parameter|response)$/.test(name)) {
      if (child.kind === 'text' && child.text.trim() === '') continue
      if (parameters.length > 0) flush()
      others.push(child)
      continue
    }
    warnUnended(child, reader)
    if (others.length > 0 || name !== 'swagger-parameter') flush()
    if (name === 'swagger-parameter') parameters.push(child)
    else if (name === 'swagger-response') blocks.push(responseOf(child, reader))
    else for (const block of reader.blocks(child.children)) blocks.push(block)
  }
  flush()
  return blocks
}

const words = (text: string): Inline => ({ type: 'text', text })
const code = (text: string): Inline => ({ type: 'text', text, marks: [{ type: 'code' }] })

/** A parameter of an operation: its description is the content of the tag. */
export interface Parameter {
  readonly node: TagNode
  readonly name: string
  readonly type: string
  /** Where its value is sent, such as `query`. */
  readonly place: string
  readonly isRequired: boolean
}

function parameterOf(node: TagNode): Parameter {
  const { attributes } = node.tag
  return {
    node,
    name: attributeValue(attributes, 'name') ?? '',
    type: attributeValue(attributes, 'type') ?? '',
    place: attributeValue(attributes, 'in') ?? '',
    isRequired: attributeFlag(attributes, 'required'),
  }
}

/** Returns the table of parameters, of which there is at least one. */
export function parametersTable(parameters: readonly Parameter[], reader: Reader): Table {
  const cell = (node: TagNode, ...children: readonly Inline[]): TableCell => ({
    blocks: [{ type: 'paragraph', span: node.tag.span, children }],
  })
  return {
    type: 'table',
    span: { start: parameters[0]!.node.start, end: parameters.at(-1)!.node.end },
    view: 'grid',
    columns: ['Name', 'Type', 'Description'].map((title) => ({ type: 'text', title: [words(title)] })),
    rows: parameters.map(({ node, name, type, place, isRequired }) => [
      cell(node, code(name), ...(isRequired ? [words(' required')] : [])),
      cell(node, words([type, place].filter(Boolean).join(' · '))),
      { blocks: reader.blocks(node.children) },
    ]),
  }
}

function responseOf(node: TagNode, reader: Reader): Expandable {
  const status = attributeValue(node.tag.attributes, 'status') ?? ''
  const description = attributeValue(node.tag.attributes, 'description') ?? ''
  return responseBlock(node, [status, description].filter(Boolean).join(': '), node.children, reader)
}

/** Returns the expandable of a response. */
export function responseBlock(
  node: TagNode,
  title: string,
  children: readonly Node[],
  reader: Reader,
): Expandable {
  return {
    type: 'expandable',
    span: spanOf(node),
    title: [words(title)],
    ...reader.anchors.take(title, 'response'),
    open: false,
    blocks: reader.blocks(children),
  }
}

/** Returns the opening tag. */
export function formatSwagger(block: Pick<OpenAPIBlock, 'method' | 'path' | 'server' | 'summary'>): string {
  const { method, path, server: baseUrl, summary } = block
  return formatTag('swagger', { method, path, baseUrl, summary })
}
