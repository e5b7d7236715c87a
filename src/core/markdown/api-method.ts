/**
 * `{% api-method method="get" host="https://…" path="/pets" %}`: the older form of `{% swagger %}`, with tags inside it for
 * the summary, the description, groups of parameters, and examples of responses.
 */
import type { Block, OpenAPIBlock } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { type Construct, spanOf, warnUnended } from './construct.js'
import type { Node, TagNode } from './nodes.js'
import type { Reader } from './reader.js'
import { type Parameter, parametersTable, responseBlock } from './swagger.js'
import { attributeValue } from './tags.js'

/** Groups of parameters, and where their values are sent. */
const places = new Map([
  ['api-method-path-parameters', 'path'],
  ['api-method-query-parameters', 'query'],
  ['api-method-headers', 'header'],
  ['api-method-body-parameters', 'body'],
  ['api-method-form-data-parameters', 'form data'],
])

/** Tags that only contain others. */
const wrappers = new Set(['api-method-spec', 'api-method-request', 'api-method-response'])

export const apiMethod: Construct = {
  read(node, reader) {
    const { attributes } = node.tag
    const server = attributeValue(attributes, 'host')
    const read: Contents = { summary: '', parameters: [], blocks: [] }
    readContents(node.children, '', read, reader)
    flush(read, reader)
    const summary = read.summary || attributeValue(attributes, 'summary')
    const block: OpenAPIBlock = {
      type: 'swagger',
      span: spanOf(node),
      path: attributeValue(attributes, 'path') ?? '',
      method: (attributeValue(attributes, 'method') ?? 'get').toLowerCase(),
      blocks: read.blocks,
    }
    return [{ ...block, ...(server && { server }), ...(summary && { summary }) }]
  },
}

const part = (inside: string): Construct => ({ inside, read: (node, reader) => reader.blocks(node.children) })

/** The tags inside, by name. */
export const apiMethodParts: Readonly<Record<string, Construct>> = {
  'api-method-summary': part('api-method'),
  'api-method-description': part('api-method'),
  'api-method-spec': part('api-method'),
  'api-method-request': part('api-method-spec'),
  'api-method-path-parameters': part('api-method-request'),
  'api-method-query-parameters': part('api-method-request'),
  'api-method-headers': part('api-method-request'),
  'api-method-body-parameters': part('api-method-request'),
  'api-method-form-data-parameters': part('api-method-request'),
  'api-method-parameter': part('api-method-request'),
  'api-method-response': part('api-method-spec'),
  'api-method-response-example': part('api-method-response'),
  'api-method-response-example-description': part('api-method-response-example'),
}

interface Contents {
  summary: string
  parameters: Parameter[]
  readonly blocks: Block[]
}

/** Adds what a tag contains; content outside of the known tags is kept in its place. */
function readContents(nodes: readonly Node[], place: string, read: Contents, reader: Reader): void {
  for (const node of nodes) {
    if (node.kind === 'text' && node.text.trim() === '') continue
    const name = node.kind === 'tag' ? node.tag.name : ''
    if (node.kind !== 'tag' || !Object.hasOwn(apiMethodParts, name)) {
      flush(read, reader)
      for (const block of reader.blocks([node])) read.blocks.push(block)
      continue
    }
    warnUnended(node, reader)
    if (wrappers.has(name) || places.has(name))
      readContents(node.children, places.get(name) ?? place, read, reader)
    else if (name === 'api-method-parameter') read.parameters.push(parameterOf(node, place))
    else {
      flush(read, reader)
      if (name === 'api-method-summary')
        read.summary = plainText({ blocks: reader.blocks(node.children) }).trim()
      else if (name === 'api-method-response-example') read.blocks.push(exampleOf(node, reader))
      else for (const block of reader.blocks(node.children)) read.blocks.push(block)
    }
  }
}

/** Adds the parameters since the last other block as a table. */
function flush(read: Contents, reader: Reader): void {
  if (read.parameters.length > 0) read.blocks.push(parametersTable(read.parameters, reader))
  read.parameters = []
}

function parameterOf(node: TagNode, place: string): Parameter {
  const { attributes } = node.tag
  return {
    node,
    name: attributeValue(attributes, 'name') ?? '',
    type: attributeValue(attributes, 'type') ?? '',
    place,
    isRequired: attributeValue(attributes, 'required') === 'true',
  }
}

/** An example is an expandable, named by its status; the description stands at its beginning. */
function exampleOf(node: TagNode, reader: Reader): Block {
  const children = node.children.flatMap((child) => {
    if (child.kind !== 'tag' || child.tag.name !== 'api-method-response-example-description') return [child]
    warnUnended(child, reader)
    return child.children
  })
  const status = attributeValue(node.tag.attributes, 'httpCode') ?? ''
  return responseBlock(node, status, children, reader)
}
