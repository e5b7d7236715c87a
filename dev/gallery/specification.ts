/** Gallery specification: an OpenAPI specification with everything that operation blocks render. */
import { createBudget } from '../../src/core/budget.js'
import { readOperation } from '../../src/core/openapi/operation.js'
import { wholeSpecification } from '../../src/core/openapi/specification.js'
import type { SpecificationView } from '../../src/core/openapi/view.js'

const specification = {
  openapi: '3.1.0',
  info: { title: 'Spaces', version: '1' },
  servers: [
    {
      url: 'https://{region}.example.com/v1',
      variables: { region: { default: 'eu', enum: ['eu', 'us'], description: 'Where the data *lies*' } },
    },
    { url: 'https://sandbox.example.com/v1', description: 'For trying' },
  ],
  security: [{ token: [] }, { key: [] }],
  paths: {
    '/v1/spaces/{spaceId}/content': {
      parameters: [
        {
          name: 'spaceId',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'Of the space',
          example: 'abc',
        },
      ],
      get: {
        operationId: 'getContent',
        summary: 'Get the content of a space',
        description:
          'Answers *all pages*, with `{{ braces }}` as they are. See [the guide](https://example.com/guide).',
        'x-stability': 'beta',
        parameters: [
          {
            name: 'format',
            in: 'query',
            description: 'How each page is written',
            schema: {
              type: 'string',
              enum: ['markdown', 'document'],
              default: 'markdown',
              'x-enumDescriptions': { markdown: 'As text', document: 'As a tree' },
            },
          },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } },
        },
        responses: {
          200: {
            description: 'The content',
            headers: { 'X-Total': { schema: { type: 'integer' }, description: 'How many there are' } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id'],
                  properties: {
                    id: { type: 'string', format: 'uuid' },
                    pages: { type: 'array', items: { $ref: '#/components/schemas/Page' } },
                    owner: {
                      oneOf: [{ $ref: '#/components/schemas/Team' }, { $ref: '#/components/schemas/Person' }],
                      discriminator: { propertyName: 'kind', mapping: { team: '#/components/schemas/Team' } },
                    },
                  },
                },
              },
            },
          },
          404: { description: 'There is no such space' },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A token of the app' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    schemas: {
      Page: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 100, description: 'What it is called' },
          old: { type: 'string', deprecated: true, readOnly: true },
          note: { type: ['string', 'null'] },
          pages: { type: 'array', items: { $ref: '#/components/schemas/Page' }, description: 'Below it' },
        },
      },
      Team: { type: 'object', properties: { kind: { const: 'team' }, members: { type: 'integer' } } },
      Person: {
        type: 'object',
        properties: { kind: { const: 'person' }, email: { type: 'string', format: 'email' } },
      },
    },
  },
}

const operation = readOperation(
  wholeSpecification(specification),
  { kind: 'operation', path: '/v1/spaces/{spaceId}/content', method: 'get' },
  createBudget(),
)!

export const gallerySpecification: SpecificationView = {
  operation,
  samples: [
    { language: 'bash', label: 'curl', source: 'curl https://eu.example.com/v1/spaces/abc/content' },
    {
      language: 'python',
      label: 'Python',
      source: 'import requests\n\nrequests.get("https://eu.example.com")',
    },
  ],
}
