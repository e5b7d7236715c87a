/** OpenAPI specifications of an organization, and their versions. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { ListOf, ListQuery, Timestamp, Url, Words, shape } from './shapes.js'

/** Specifications of an organization, and stored versions of each, at most. */
export const maxSpecs = 500
export const maxSpecVersions = 100

export const specVisibilities = ['private', 'public'] as const
export const specStates = ['pending', 'progress', 'complete'] as const
export const specErrorCodes = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const

/** Lowercase letters and digits, in groups with single hyphens between them. */
export const specSlugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
export const maxSpecSlugLength = 100

export const OpenApiSpec = shape(
  'OpenAPISpec',
  Type.Object({
    object: Type.Literal('openapi-spec'),
    id: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    slug: Type.String(),
    sourceURL: Type.Optional(
      Type.String({ description: 'The address that it is fetched from; absent for a text.' }),
    ),
    processingState: Words(specStates, {
      description:
        '"pending" until processing starts, "progress" during it, then "complete", with `lastProcessErrorCode` if it failed.',
    }),
    visibility: Words(specVisibilities),
    lastVersion: Type.Optional(
      Type.String({ description: 'Id of the latest version that was processed successfully.' }),
    ),
    lastProcessedAt: Type.Optional(Timestamp),
    lastProcessErrorCode: Type.Optional(Words(specErrorCodes)),
    lastProcessedErrors: Type.Optional(
      Type.Array(Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) })),
    ),
    lastProcessedErrorCount: Type.Integer(),
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String(),
      published: Type.Optional(
        Type.String({ description: 'Public address of the specification; absent if it is private.' }),
      ),
    }),
  }),
)
export type OpenApiSpec = Static<typeof OpenApiSpec>

export const OpenApiSpecVersion = shape(
  'OpenAPISpecVersion',
  Type.Object({
    object: Type.Literal('openapi-spec-version'),
    id: Type.String(),
    createdAt: Timestamp,
    url: Type.String({
      description:
        'Address of the specification as JSON. Of a private specification it is valid for some hours, while the caller may read it.',
    }),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type OpenApiSpecVersion = Static<typeof OpenApiSpecVersion>

const SpecContent = shape(
  'OpenAPISpecContent',
  Type.Object({
    filesystem: Type.Array(
      Type.Object({
        dir: Type.String(),
        isEntrypoint: Type.Boolean(),
        references: Type.Array(Type.String()),
        filename: Type.String(),
        specification: Type.Object({}),
      }),
      { description: 'One file, with all external references resolved.' },
    ),
    url: Type.String(),
    urls: Type.Object({
      source: Type.String(),
      public: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
  }),
)

const SpecRawContent = shape(
  'OpenAPISpecRawContent',
  Type.Object({ text: Type.String(), format: Words(['json', 'yaml'] as const) }),
)

const Source = Type.Union(
  [
    Type.Object({ url: Url }, { additionalProperties: false }),
    Type.Object(
      { text: Type.String({ minLength: 1, maxLength: limits.specificationBytes }) },
      { additionalProperties: false },
    ),
  ],
  {
    description:
      'Either an address, which is fetched again every six hours, or the text: JSON or YAML, Swagger 2.0 or OpenAPI 3.0 to 3.2.',
  },
)
export type OpenApiSource = Static<typeof Source>

const place = '/orgs/:organizationId/openapi'
const one = `${place}/:specSlug` as const
const versions = `${one}/versions` as const
const version = `${versions}/:versionId` as const
const tag = 'OpenAPI specifications'

export const listSpecs = endpoint('listOpenApiSpecs', 'GET', place, {
  summary: 'List OpenAPI specifications',
  description: 'Returns the OpenAPI specifications of an organization, oldest first.',
  tag,
  query: ListQuery,
  reply: ListOf(OpenApiSpec),
})

export const createSpec = endpoint('createOpenApiSpec', 'POST', place, {
  summary: 'Create an OpenAPI specification',
  description:
    'Adds a specification from an address or a text. It is processed after the response, see `processingState`.',
  tag,
  body: Type.Object({
    slug: Type.String({
      minLength: 1,
      maxLength: maxSpecSlugLength,
      pattern: specSlugPattern.source,
      description: 'Lowercase letters and digits, in groups with single hyphens between them.',
    }),
    source: Source,
  }),
  bodyBytes: limits.specificationBodyBytes,
  reply: OpenApiSpec,
  success: 201,
})

export const getSpec = endpoint('getOpenApiSpecBySlug', 'GET', one, {
  summary: 'Get an OpenAPI specification',
  description: 'Returns one specification with the state of its processing.',
  tag,
  reply: OpenApiSpec,
})

export const putSpec = endpoint('createOrUpdateOpenApiSpecBySlug', 'PUT', one, {
  summary: 'Create or update an OpenAPI specification',
  description:
    'Sets the source of a specification, or creates the specification. With the same source it is processed again.',
  tag,
  body: Type.Object({ source: Source }),
  bodyBytes: limits.specificationBodyBytes,
  reply: OpenApiSpec,
  mayCreate: true,
})

export const updateSpec = endpoint('updateOpenApiSpecBySlug', 'PATCH', one, {
  summary: 'Update an OpenAPI specification',
  description: 'Changes who may read a specification.',
  tag,
  body: Type.Object({
    visibility: Type.Optional(
      Words(specVisibilities, { description: '"public" lets anybody read it at its published address.' }),
    ),
  }),
  reply: OpenApiSpec,
})

export const deleteSpec = endpoint('deleteOpenApiSpecBySlug', 'DELETE', one, {
  summary: 'Delete an OpenAPI specification',
  description: 'Deletes a specification with all its versions. Pages that refer to it no longer show it.',
  tag,
  success: 205,
})

export const listSpecVersions = endpoint('listOpenApiSpecVersions', 'GET', versions, {
  summary: 'List the versions of an OpenAPI specification',
  description: `Returns the versions of a specification, latest first. The last ${maxSpecVersions} are stored.`,
  tag,
  query: ListQuery,
  reply: ListOf(OpenApiSpecVersion),
})

export const getLatestSpecVersion = endpoint('getLatestOpenApiSpecVersion', 'GET', `${versions}/latest`, {
  summary: 'Get the latest version of an OpenAPI specification',
  description: 'Returns the latest version of a specification.',
  tag,
  reply: OpenApiSpecVersion,
})

export const getLatestSpecContent = endpoint(
  'getLatestOpenApiSpecVersionContent',
  'GET',
  `${versions}/latest/content`,
  {
    summary: 'Get the content of the latest version',
    description: 'Returns the specification as JSON, including what it refers to in other documents.',
    tag,
    readers: true,
    reply: SpecContent,
    large: true,
  },
)

export const getLatestSpecRaw = endpoint(
  'getLatestOpenApiSpecVersionContentRaw',
  'GET',
  `${versions}/latest/content/raw`,
  {
    summary: 'Get the source text of the latest version',
    description: 'Returns the text of the specification as it was written.',
    tag,
    reply: SpecRawContent,
    large: true,
  },
)

export const getSpecVersion = endpoint('getOpenApiSpecVersionById', 'GET', version, {
  summary: 'Get a version of an OpenAPI specification',
  description: 'Returns one version of a specification.',
  tag,
  reply: OpenApiSpecVersion,
})

export const getSpecContent = endpoint('getOpenApiSpecVersionContentById', 'GET', `${version}/content`, {
  summary: 'Get the content of a version',
  description:
    'Returns a version of the specification as JSON, including what it refers to in other documents.',
  tag,
  reply: SpecContent,
  large: true,
})
