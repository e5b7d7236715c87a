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
      Type.String({ description: 'Where it is fetched from; absent for a text that was handed in.' }),
    ),
    processingState: Words(specStates, {
      description:
        '"pending" once it is asked for, "progress" while it is fetched and read, then "complete", with "lastProcessErrorCode" when that failed.',
    }),
    visibility: Words(specVisibilities),
    lastVersion: Type.Optional(
      Type.String({ description: 'Id of the latest version; a processing that fails leaves it.' }),
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
        Type.String({ description: 'Where anybody may read it; absent for one that is private.' }),
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
        'Where it can be read as one JSON text; of a private specification for some hours, and while whoever asked may see it.',
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
      { description: 'One file, in which nothing refers to anything outside of it.' },
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
      'Either an address, which is looked at every six hours, or the text itself: JSON or YAML, Swagger 2.0 or OpenAPI 3.0 to 3.2.',
  },
)
export type OpenApiSource = Static<typeof Source>

const place = '/orgs/:organizationId/openapi'
const one = `${place}/:specSlug` as const
const versions = `${one}/versions` as const
const version = `${versions}/:versionId` as const
const tag = 'OpenAPI specifications'

export const listSpecs = endpoint('listOpenApiSpecs', 'GET', place, {
  summary: 'The OpenAPI specifications of an organization, oldest first',
  tag,
  query: ListQuery,
  reply: ListOf(OpenApiSpec),
})

export const createSpec = endpoint('createOpenApiSpec', 'POST', place, {
  summary: 'Add an OpenAPI specification; it is read after the answer',
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
  summary: 'One OpenAPI specification',
  tag,
  reply: OpenApiSpec,
})

export const putSpec = endpoint('createOrUpdateOpenApiSpecBySlug', 'PUT', one, {
  summary:
    'Give an OpenAPI specification a source, the same one to have it read again; add it where there is none',
  tag,
  body: Type.Object({ source: Source }),
  bodyBytes: limits.specificationBodyBytes,
  reply: OpenApiSpec,
  mayCreate: true,
})

export const updateSpec = endpoint('updateOpenApiSpecBySlug', 'PATCH', one, {
  summary: 'Change who may read an OpenAPI specification',
  tag,
  body: Type.Object({
    visibility: Type.Optional(
      Words(specVisibilities, { description: '"public": anybody may, by its published address.' }),
    ),
  }),
  reply: OpenApiSpec,
})

export const deleteSpec = endpoint('deleteOpenApiSpecBySlug', 'DELETE', one, {
  summary: 'Delete an OpenAPI specification with all its versions; pages that name it show nothing of it',
  tag,
  success: 205,
})

export const listSpecVersions = endpoint('listOpenApiSpecVersions', 'GET', versions, {
  summary: `The contents that an OpenAPI specification had, the latest first; ${maxSpecVersions} are kept`,
  tag,
  query: ListQuery,
  reply: ListOf(OpenApiSpecVersion),
})

export const getLatestSpecVersion = endpoint('getLatestOpenApiSpecVersion', 'GET', `${versions}/latest`, {
  summary: 'The latest version of an OpenAPI specification',
  tag,
  reply: OpenApiSpecVersion,
})

export const getLatestSpecContent = endpoint(
  'getLatestOpenApiSpecVersionContent',
  'GET',
  `${versions}/latest/content`,
  {
    summary: 'What the latest version holds, with all that it referred to in other documents',
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
    summary: 'The text of the latest version, as it was written',
    tag,
    reply: SpecRawContent,
    large: true,
  },
)

export const getSpecVersion = endpoint('getOpenApiSpecVersionById', 'GET', version, {
  summary: 'One version of an OpenAPI specification',
  tag,
  reply: OpenApiSpecVersion,
})

export const getSpecContent = endpoint('getOpenApiSpecVersionContentById', 'GET', `${version}/content`, {
  summary: 'What a version of an OpenAPI specification holds',
  tag,
  reply: SpecContent,
  large: true,
})
