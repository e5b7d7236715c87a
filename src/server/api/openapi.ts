/** The OpenAPI 3.1 document of the API, generated from the endpoint values that the server mounts. */
import type { Addresses } from '../../contract/addresses.js'
import { NoSchema, type Endpoint } from '../../contract/endpoint.js'
import { limits } from '../../contract/limits.js'
import { pathParameters } from '../../contract/path-parameters.js'
import { tags } from '../../contract/tags.js'
import { createBudget, pageLimits } from '../../core/budget.js'
import { type Direction, generateExample } from '../../core/openapi/example.js'
import { createSchemaReader } from '../../core/openapi/schema.js'
import { wholeSpecification } from '../../core/openapi/specification.js'
import { uploadTypes } from '../../access/http/body-types.js'
import type { Route } from '../../access/route/route.js'
import { errorsOf, errorResponses } from './openapi-errors.js'

type JsonObject = Record<string, unknown>

/** Returns the document; every shape with a title becomes a component, named once. */
export function describeApi(routes: readonly Route[], addresses: Addresses): JsonObject {
  const schemas: JsonObject = {}
  const parameters: JsonObject = {}
  const paths: Record<string, JsonObject> = {}
  for (const { endpoint } of routes) {
    const path = `/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, { schemas, parameters })
  }
  const used = new Set(routes.map(({ endpoint }) => endpoint.tag))
  const document: JsonObject = {
    openapi: '3.1.0',
    info: {
      title: 'Octavo',
      version: '1.0.0',
      description:
        'Documentation as data: spaces of pages, change requests that are merged into them, and sites that publish them. Lists have `items`, and `next.page` unless they are at their end. Every error has a message in `error.message`.',
      contact: { name: 'The operator of this server', url: addresses.base },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: addresses.base }],
    tags: Object.entries(tags).flatMap(([name, description]) =>
      used.has(name as keyof typeof tags) ? [{ name, description }] : [],
    ),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token: `Authorization: Bearer oct_…`.',
        },
      },
      parameters,
      responses: errorResponses,
      schemas: { ...schemas, Error: errorSchema },
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

const errorSchema = {
  type: 'object',
  description: 'The body of every error.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The status.' },
        message: {
          type: 'string',
          description: 'What is wrong: names the member, and what is allowed or what to do.',
        },
        details: {
          type: 'array',
          description: 'The members that do not match the schema.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        revision: { type: 'string', description: 'Of a stale write: the revision that `theirs` are in.' },
        conflicts: {
          type: 'array',
          description: 'Of a stale write: what both it and later writes changed.',
          items: {
            type: 'object',
            properties: {
              page: { type: 'string' },
              path: { type: 'string' },
              file: { type: 'string' },
              member: { type: 'string' },
              ours: {
                description: 'The write: of a page its title, `markdown` and `hash`; null without it.',
              },
              theirs: { description: 'The current content, likewise.' },
            },
          },
        },
      },
    },
  },
}

/** Components that operations share. */
interface Components {
  readonly schemas: JsonObject
  readonly parameters: JsonObject
}

function describeOperation(endpoint: Endpoint, components: Components): JsonObject {
  const parameters = [
    ...endpoint.params.map((name) => pathParameter(name, components)),
    ...queryParameters(endpoint, components),
    ...preferParameter(endpoint),
    ...ifMatchParameter(endpoint),
  ]
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [endpoint.tag],
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(endpoint, components),
    ...(endpoint.anonymous && { security: [{}, { token: [] }] }),
    responses: { ...describeSuccess(endpoint, components), ...errorsOf(endpoint) },
  }
}

const successDescriptions = {
  200: 'Success.',
  201: 'Created.',
  204: 'Success, without a body.',
  205: 'Removed.',
} as const

function describeSuccess(endpoint: Endpoint, { schemas }: Components): JsonObject {
  const { success, reply, bytes, accepted, mayCreate } = endpoint
  const json = (schema: unknown) => ({ content: { 'application/json': { schema: lift(schema, schemas) } } })
  return {
    [success]: {
      description: successDescriptions[success],
      ...headersOf(endpoint),
      ...(reply !== NoSchema && json(reply)),
      ...(bytes !== undefined && { content: { [bytes]: { schema: binary } } }),
    },
    ...(mayCreate && {
      201: {
        description: 'Created, because it did not exist.',
        headers: { Location: locationHeader },
        ...json(reply),
      },
    }),
    ...(accepted !== undefined && {
      202: {
        description: 'Accepted: the work continues, and `Location` is the URL of its state.',
        headers: { ...headersOf(endpoint).headers, Location: locationHeader },
        ...json(accepted),
      },
    }),
    ...(success === 205 && { 204: { description: 'There was nothing to remove.' } }),
  }
}

const binary = { type: 'string', format: 'binary' }
const locationHeader = {
  description: 'URL of the resource.',
  schema: { type: 'string', format: 'uri' },
}

function headersOf({ success, location, reply, reads, preferences, revisionTag }: Endpoint): {
  readonly headers?: JsonObject
} {
  const headers = {
    ...(revisionTag && reads && { ETag: { description: 'Names the revision.', schema: { type: 'string' } } }),
    ...(success === 201 && (location !== undefined || hasLocation(reply)) && { Location: locationHeader }),
    ...(preferences.length > 0 && {
      'Preference-Applied': {
        description: 'What was done about `Prefer`.',
        schema: { type: 'string' },
      },
    }),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** Whether a reply has `urls.location`, which is sent as `Location` as well. */
function hasLocation(schema: unknown): boolean {
  const { properties, anyOf } = schema as { properties?: JsonObject; anyOf?: unknown[] }
  if (anyOf !== undefined) return anyOf.some(hasLocation)
  const { urls } = (properties ?? {}) as { urls?: { properties?: object } }
  return urls?.properties !== undefined && 'location' in urls.properties
}

function pathParameter(name: string, { parameters }: Components): JsonObject {
  parameters[name] ??= {
    name,
    in: 'path',
    description: pathParameters.get(name),
    required: true,
    schema: { type: 'string' },
  }
  return { $ref: `#/components/parameters/${name}` }
}

function queryParameters({ query }: Endpoint, { schemas }: Components): JsonObject[] {
  if (query === NoSchema) return []
  const { properties, required = [] } = query as {
    properties?: Record<string, JsonObject>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    // A member with a default may be left out, although handlers always receive it.
    required: required.includes(name) && schema['default'] === undefined,
    schema: lift(schema, schemas),
  }))
}

function preferParameter({ preferences }: Endpoint): JsonObject[] {
  if (preferences.length === 0) return []
  const [description, example] = preferences.includes('respond-async')
    ? [
        `\`respond-async\` asks for 202 instead of waiting; with \`wait=<seconds>\` as well, for 202 after up to ${limits.waitSeconds} seconds.`,
        'respond-async, wait=5',
      ]
    : [`\`wait=<seconds>\` waits for unfinished work, up to ${limits.waitSeconds} seconds.`, 'wait=5']
  return [{ name: 'Prefer', in: 'header', description, schema: { type: 'string' }, example }]
}

function ifMatchParameter({ revisionTag, reads }: Endpoint): JsonObject[] {
  if (!revisionTag || reads) return []
  const description =
    'The `ETag` of the content that the batch is based on. What was written since is merged; 409 where that changed the same.'
  return [{ name: 'If-Match', in: 'header', description, schema: { type: 'string' } }]
}

function describeBody({ body, bodyRequired, upload }: Endpoint, { schemas }: Components): JsonObject {
  if (upload) {
    const form = { type: 'object', properties: { file: binary }, required: ['file'] }
    const content = Object.fromEntries(
      uploadTypes.map((type) => [type, { schema: type.startsWith('multipart/') ? form : binary }]),
    )
    return { requestBody: { required: true, content } }
  }
  if (body === NoSchema) return {}
  return {
    requestBody: {
      required: bodyRequired,
      content: { 'application/json': { schema: lift(body, schemas) } },
    },
  }
}

/** Returns the schema with its named shapes replaced by references to components. */
function lift(schema: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest } = schema as JsonObject
  const lifted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, liftMember(key, value, schemas)]),
  )
  if (lifted['discriminator'] !== undefined)
    lifted['discriminator'] = withMapping(rest as unknown as Discriminated)
  if (typeof title !== 'string') return lifted
  schemas[title] ??= lifted
  return { $ref: `#/components/schemas/${title}` }
}

/** A choice of named shapes, by a constant member. */
interface Discriminated {
  readonly discriminator: { readonly propertyName: string }
  readonly oneOf: readonly {
    readonly title: string
    readonly properties: Record<string, { const: string }>
  }[]
}

/** The validator needs no mapping, and refuses one. */
function withMapping({ discriminator, oneOf }: Discriminated): JsonObject {
  const { propertyName } = discriminator
  const mapping = oneOf.map(({ title, properties }) => [
    properties[propertyName]!.const,
    `#/components/schemas/${title}`,
  ])
  return { propertyName, mapping: Object.fromEntries(mapping) as JsonObject }
}

/** Values are no schemas, and members have arbitrary names: one that is called "title" does not name a schema. */
function liftMember(key: string, value: unknown, schemas: JsonObject): unknown {
  if (key === 'examples' || key === 'default' || key === 'const' || key === 'enum') return value
  if (key !== 'properties') return lift(value, schemas)
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, schema]) => [name, lift(schema, schemas)]),
  )
}
