/** The OpenAPI 3.1 document of the API, generated from the endpoint values that the server mounts. */
import type { Addresses } from '../../contract/addresses.js'
import { NoSchema, type Endpoint } from '../../contract/endpoint.js'
import { createBudget, pageLimits } from '../../core/budget.js'
import { type Direction, generateExample } from '../../core/openapi/example.js'
import { createSchemaReader } from '../../core/openapi/schema.js'
import { wholeSpecification } from '../../core/openapi/specification.js'
import type { Route } from '../../access/route/route.js'

type JsonObject = Record<string, unknown>

/** Returns the document; every shape with a title becomes a component, named once. */
export function describeApi(routes: readonly Route[], addresses: Addresses): JsonObject {
  const components: JsonObject = {}
  const paths: Record<string, JsonObject> = {}
  for (const { endpoint } of routes) {
    const path = `/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, components)
  }
  const document: JsonObject = {
    openapi: '3.1.0',
    info: {
      title: 'Octavo',
      version: '1.0.0',
      description:
        'Documentation as data: spaces of pages, change requests that are merged into them, and sites that publish them. Lists answer `items`, and `next.page` unless they are at their end; every error is a sentence in `error.message`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: addresses.base }],
    tags: [...new Set(routes.map(({ endpoint }) => endpoint.tag))].map((name) => ({ name })),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'What went wrong, in a sentence that names the member.',
          content: { 'application/json': { schema: errorShape } },
        },
      },
      schemas: components,
    },
  }
  for (const operations of Object.values(paths))
    for (const operation of Object.values(operations)) addExamples(operation as JsonObject, document)
  return document
}

/** Adds an example to each request and response schema; an example that exceeds the limits is left out. */
function addExamples(operation: JsonObject, document: JsonObject): void {
  const { requestBody, responses } = operation as {
    requestBody?: Content
    responses: Record<string, Content>
  }
  const reader = createSchemaReader(wholeSpecification(document), createBudget(exampleLimits))
  const add = (content: Content | undefined, direction: Direction): void => {
    const media = content?.content?.['application/json']
    if (media === undefined) return
    const example = generateExample(reader, media.schema, direction, createBudget(exampleLimits))
    if (example !== undefined) media.example = example
  }
  add(requestBody, 'request')
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith('2')) add(response, 'response')
}

interface Content {
  readonly content?: Record<string, { schema: unknown; example?: unknown }>
}

const exampleLimits = { ...pageLimits, steps: 200_000 }

const errorShape = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
        },
      },
    },
  },
}

function describeOperation(endpoint: Endpoint, components: JsonObject): JsonObject {
  const parameters = [...endpoint.params.map(describePathParameter), ...describeQuery(endpoint, components)]
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(endpoint, components),
    ...(endpoint.anonymous && { security: [{}, { token: [] }] }),
    responses: {
      [endpoint.success]: {
        description: endpoint.summary,
        ...(endpoint.reply !== NoSchema && {
          content: { 'application/json': { schema: lift(endpoint.reply, components) } },
        }),
        ...(endpoint.bytes !== undefined && {
          content: { [endpoint.bytes]: { schema: { type: 'string', format: 'binary' } } },
        }),
      },
      ...(endpoint.mayCreate && {
        201: {
          description: 'There was none, and it was made.',
          content: { 'application/json': { schema: lift(endpoint.reply, components) } },
        },
      }),
      ...(endpoint.accepted !== undefined && {
        202: {
          description: 'Not done yet: it goes on, and `Location` says where to look.',
          content: { 'application/json': { schema: lift(endpoint.accepted, components) } },
        },
      }),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

function describePathParameter(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function describeQuery({ query }: Endpoint, components: JsonObject): JsonObject[] {
  if (query === NoSchema) return []
  const { properties, required = [] } = query as {
    properties?: Record<string, JsonObject>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    // A member with a default may be left out, although handlers always receive it.
    required: required.includes(name) && schema['default'] === undefined,
    schema: lift(schema, components),
  }))
}

function describeBody({ body, bodyRequired, upload }: Endpoint, components: JsonObject): JsonObject {
  if (upload) {
    const form = {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary' } },
      required: ['file'],
    }
    const bytes = { type: 'string', format: 'binary' }
    const content = {
      'multipart/form-data': { schema: form },
      'application/octet-stream': { schema: bytes },
      'application/zip': { schema: bytes },
    }
    return { requestBody: { required: true, content } }
  }
  if (body === NoSchema) return {}
  return {
    requestBody: {
      required: bodyRequired,
      content: { 'application/json': { schema: lift(body, components) } },
    },
  }
}

/** Returns the schema with its named shapes replaced by references to components. */
function lift(schema: unknown, components: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest } = schema as JsonObject
  const lifted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'properties' ? liftMembers(value as JsonObject, components) : lift(value, components),
    ]),
  )
  if (typeof title !== 'string') return lifted
  components[title] ??= lifted
  return { $ref: `#/components/schemas/${title}` }
}

/** Members have arbitrary names: one that is called "title" does not name a schema. */
function liftMembers(members: JsonObject, components: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, lift(schema, components)]))
}
