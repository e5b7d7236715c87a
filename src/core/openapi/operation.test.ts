import { describe, expect, test } from 'vitest'
import { type Limits, createBudget, pageLimits } from '../budget.js'
import { findMissingPart } from './block-view.js'
import { decodeDirectory, encodeDirectory, scanDirectory } from './directory.js'
import { type OperationName, readOperation, readSchemas } from './operation.js'
import { requestOf } from './request.js'
import { writeSamples } from './samples.js'
import { type Specification, partAt, partialSpecification, wholeSpecification } from './specification.js'
import type { OperationView, SchemaView } from './view.js'

const limits: Limits = { ...pageLimits, steps: 200_000 }
const get = (path: string): OperationName => ({ kind: 'operation', path, method: 'get' })

/** The view read from the whole specification, which must equal that read from its parts. */
function read(specification: object, name: OperationName = get('/x')): OperationView | undefined {
  const view = readOperation(wholeSpecification(specification), name, createBudget(limits))
  expect(inParts(specification, (one) => readOperation(one, name, createBudget(limits)))).toEqual(view)
  return view
}

function inParts<Result>(specification: object, ask: (one: Specification) => Result): Result {
  const bytes = Buffer.from(JSON.stringify(specification))
  const scan = scanDirectory()
  for (let at = 0; at < bytes.length; at += 7) scan.take(bytes.subarray(at, at + 7))
  const root = decodeDirectory(encodeDirectory(scan.end()))
  const parts = new Map<string, unknown>()
  for (let round = 0; round < 50; round++) {
    const partial = partialSpecification(root, parts)
    const result = ask(partial)
    if (partial.wanted.size === 0) return result
    for (const pointer of partial.wanted) {
      const { start, end } = partAt(root, pointer)
      parts.set(pointer, JSON.parse(bytes.subarray(start, end).toString()))
    }
  }
  throw new Error('It comes to no end')
}

const operation = (operation: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/x': { get: operation } },
  ...more,
})
const schemas = (named: object) => ({ components: { schemas: named } })
const answering = (schema: object) => ({
  responses: { 200: { description: 'Yes', content: { 'application/json': { schema } } } },
})
/** The schema of the response. */
function schemaOf(schema: object, named: object = {}): SchemaView {
  return read(operation(answering(schema), schemas(named)))!.responses[0]!.contents[0]!.schema!
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('an operation', () => {
  test('has its members, and the parameters of its path unless it overrides them', () => {
    const view = read({
      openapi: '3.0.3',
      servers: [
        { url: 'https://{at}.example.com/', variables: { at: { default: 'eu', enum: ['eu', 'us'] } } },
      ],
      paths: {
        '/x': {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'shared' },
            { name: 'all', in: 'header', schema: { type: 'boolean' } },
          ],
          get: {
            operationId: 'getX',
            tags: ['One'],
            deprecated: true,
            'x-stability': 'beta',
            'x-deprecated-sunset': '2026-01-01',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
            responses: {},
          },
        },
      },
    })!
    expect(view).toMatchObject({
      operationId: 'getX',
      isDeprecated: true,
      stability: 'beta',
      sunset: '2026-01-01',
      canTry: true,
      isCut: false,
      servers: [{ url: 'https://{at}.example.com', usual: 'https://eu.example.com' }],
    })
    expect(view.parameters.map(({ name, place, schema }) => [name, place, schema.type])).toEqual([
      ['id', 'path', 'integer'],
      ['all', 'header', 'boolean'],
    ])
    expect(view.parameters[0]!.schema.limits).toEqual([{ kind: 'minimum', value: '1' }])
  })

  test('of Swagger 2.0 becomes the same view', () => {
    const view = read(
      {
        swagger: '2.0',
        host: 'example.com',
        basePath: '/v1/',
        schemes: ['https'],
        consumes: ['application/json'],
        securityDefinitions: { key: { type: 'apiKey', in: 'query', name: 'k' } },
        security: [{ key: [] }],
        paths: {
          '/x': {
            post: {
              parameters: [
                { name: 'q', in: 'query', type: 'array', items: { type: 'string' }, required: true },
                { name: 'body', in: 'body', schema: { $ref: '#/definitions/Pet' } },
              ],
              responses: { 200: { description: 'Yes', schema: { $ref: '#/definitions/Pet' } } },
            },
            put: {
              parameters: [
                { name: 'file', in: 'formData', type: 'file', required: true },
                { name: 'note', in: 'formData', type: 'string' },
              ],
              responses: {},
            },
          },
        },
        definitions: { Pet: { type: 'object', properties: { name: { type: 'string', example: 'Rex' } } } },
      },
      { kind: 'operation', path: '/x', method: 'post' },
    )!
    expect(view.servers[0]!.usual).toBe('https://example.com/v1')
    expect(view.security[0]![0]).toMatchObject({ kind: 'apiKey', place: 'query', field: 'k' })
    expect(view.parameters[0]!.schema.type).toBe('string[]')
    const [content] = view.body!.contents
    expect(content).toMatchObject({ mediaType: 'application/json', schema: { name: 'Pet', type: 'Pet' } })
    expect(JSON.parse(content!.examples[0]!.text)).toEqual({ name: 'Rex' })
    expect(view.responses[0]!.contents[0]!.schema!.name).toBe('Pet')
  })

  test.each([
    [{ 'x-internal': true }, undefined],
    [{ 'x-gitbook-ignore': true }, undefined],
    [{ 'x-hideTryItPanel': true }, { canTry: false }],
    [{ 'x-codeSamples': false }, { samples: false }],
    [
      { 'x-codeSamples': [{ lang: 'ruby', label: 'Ruby', source: 'puts 1' }] },
      { samples: [{ language: 'ruby', label: 'Ruby', source: 'puts 1' }] },
    ],
    [{ 'x-expandAllResponses': true }, { opensResponses: true }],
    [{ 'x-expandAllModelSections': true }, { opensSchemas: true }],
  ] as const)('obeys %j', (extension, seen) => {
    const view = read(operation({ responses: {}, ...extension }))
    if (seen === undefined) expect(view).toBeUndefined()
    else expect(view).toMatchObject(seen)
  })

  test('inherits defaults of the root, and has those of responses and schemes', () => {
    const specification = operation(
      {
        security: [{ own: [] }],
        responses: {
          200: {
            description: 'Yes',
            'x-hideSample': true,
            content: { 'application/json': { schema: { type: 'string' } } },
          },
        },
      },
      {
        'x-hideTryItPanel': true,
        components: {
          securitySchemes: {
            own: {
              type: 'apiKey',
              in: 'header',
              name: 'X-Key',
              'x-gitbook-prefix': 'Token',
              'x-gitbook-token-placeholder': 'MINE',
            },
          },
        },
      },
    )
    const view = read(specification)!
    expect(view.canTry).toBe(false)
    expect(view.responses[0]!.contents[0]!.examples).toEqual([])
    expect(requestOf(view).headers).toContainEqual({ name: 'X-Key', value: 'Token MINE' })
  })

  test('may be a webhook, have callbacks, and be referenced', () => {
    const item = {
      post: { summary: 'Called', requestBody: { content: { 'text/plain': {} } }, responses: {} },
    }
    const specification = {
      openapi: '3.1.0',
      webhooks: { changed: { $ref: '#/components/pathItems/Changed' } },
      components: { pathItems: { Changed: item } },
      paths: { '/x': { get: { responses: {}, callbacks: { done: { '{$request.body#/url}': item } } } } },
    }
    const webhook = read(specification, { kind: 'webhook', path: 'changed', method: 'post' })!
    expect(webhook).toMatchObject({ kind: 'webhook', summary: 'Called', canTry: false, servers: [] })
    expect(read(specification)!.callbacks).toMatchObject([
      { name: 'done', expression: '{$request.body#/url}', operation: { summary: 'Called' } },
    ])
    expect(read(specification, get('/y'))).toBeUndefined()
    expect(read(specification, get('constructor'))).toBeUndefined()
  })

  test('of 3.2 may have a method of its own, and values of a stream', () => {
    const specification = {
      openapi: '3.2.0',
      paths: {
        '/x': {
          query: {
            responses: { 200: { content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } } },
          },
          additionalOperations: { COPY: { summary: 'Copy it', responses: {} } },
        },
      },
    }
    const query = read(specification, { kind: 'operation', path: '/x', method: 'query' })!
    expect(query.responses[0]!.contents[0]!.schema!.type).toBe('integer')
    expect(read(specification, { kind: 'operation', path: '/x', method: 'copy' })!.summary).toBe('Copy it')
  })
})

test('an operation that is too large to be read is not missing', () => {
  const bytes = Buffer.from(JSON.stringify(operation({ responses: {} }, schemas({ Pet: {} }))))
  const scan = scanDirectory()
  scan.take(bytes)
  // As where parts exceed the limit: they are known to exist, and have no value.
  const unread = partialSpecification(scan.end(), {
    has: () => true,
    get: () => undefined,
  } as unknown as ReadonlyMap<string, unknown>)
  const missing = (method: string) =>
    findMissingPart(unread, { type: 'openapi-operation', spec: 'pets', path: '/x', method })
  expect([missing('get'), missing('put')?.names]).toEqual([undefined, ['PUT /x']])
  const named = { type: 'openapi-schemas', spec: 'pets', schemas: ['Pet', 'Nope'] } as const
  expect(findMissingPart(unread, named)).toEqual({ kind: 'schema', names: ['Nope'] })
})

describe('a schema', () => {
  test('has its `allOf` merged, its own members last', () => {
    const schema = schemaOf(ref('Dog'), {
      Pet: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' }, age: { type: 'integer' } },
        discriminator: { propertyName: 'kind' },
        oneOf: [ref('Dog')],
      },
      Dog: {
        allOf: [ref('Pet'), { properties: { age: { type: 'number', maximum: 20 } }, required: ['age'] }],
      },
    })
    expect(schema.alternatives).toBeUndefined()
    expect(
      schema.properties!.map(({ name, isRequired, schema: one }) => [name, isRequired, one.type]),
    ).toEqual([
      ['kind', true, 'string'],
      ['age', true, 'number'],
    ])
  })

  test('that is recursive is named where it recurs, also in its own `allOf`', () => {
    const tree = schemaOf(ref('Tree'), {
      Tree: { type: 'object', properties: { below: { type: 'array', items: ref('Tree') }, up: ref('Tree') } },
    })
    expect(tree.properties!.map(({ schema }) => [schema.type, schema.isCircular, schema.properties])).toEqual(
      [
        ['Tree[]', true, undefined],
        ['Tree', true, undefined],
      ],
    )
    const knot = {
      A: { allOf: [ref('B')], properties: { a: {} } },
      B: { allOf: [ref('A')], properties: { b: {} } },
    }
    expect(schemaOf(ref('A'), knot).properties!.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(schemaOf(ref('Loop'), { Loop: ref('Loop') }).type).toBe('any')
  })

  describe('that inherits what encloses it', () => {
    const subtype = (base: object, own: object) => ({ allOf: [base, { type: 'object', properties: own }] })
    const named = {
      Shape: {
        type: 'object',
        properties: { kind: { type: 'string' }, next: ref('Shape'), inner: ref('Circle') },
        oneOf: [ref('Circle'), ref('Square')],
        discriminator: { propertyName: 'kind' },
      },
      Circle: subtype(ref('Shape'), { radius: { type: 'number' }, part: ref('Circle') }),
      Square: subtype(ref('Circle'), { side: { type: 'number' } }),
    }
    const membersOf = ({ properties = [] }: SchemaView) => properties.map(({ name }) => name)

    test('has the members that it adds, and names its base', () => {
      const shape = schemaOf(ref('Shape'), named)
      expect(membersOf(shape)).toEqual(['kind', 'next', 'inner'])
      const [circle, square] = shape.alternatives!.schemas
      expect([membersOf(circle!), circle!.enclosingBases]).toEqual([['radius', 'part'], ['Shape']])
      expect(circle!.properties![1]!.schema.isCircular).toBe(true)
      expect([membersOf(square!), square!.enclosingBases]).toEqual([['radius', 'part', 'side'], ['Shape']])
      const [, next, inner] = shape.properties!.map(({ schema }) => schema)
      expect([next!.isCircular, inner!.isCircular]).toEqual([true, undefined])
      expect(membersOf(inner!)).toEqual(['radius', 'part'])
    })

    test('has all members where it is read by itself', () => {
      const circle = schemaOf(ref('Circle'), named)
      expect(membersOf(circle)).toEqual(['kind', 'next', 'inner', 'radius', 'part'])
      expect([circle.enclosingBases, circle.alternatives]).toEqual([undefined, undefined])
      expect(circle.properties![2]!.schema.isCircular).toBe(true)
    })

    test('without a discriminator does not list its base again', () => {
      const open = {
        Shape: { oneOf: [ref('Circle'), ref('Square')] },
        Circle: subtype(ref('Shape'), { radius: { type: 'number' } }),
        Square: subtype(ref('Shape'), { side: { type: 'number' } }),
      }
      const shape = schemaOf(ref('Shape'), open)
      expect(shape.type).toBe('Circle | Square')
      expect(shape.alternatives!.schemas.map(membersOf)).toEqual([['radius'], ['side']])
      expect(shape.alternatives!.schemas.map(({ enclosingBases }) => enclosingBases)).toEqual([
        undefined,
        undefined,
      ])
      expect(schemaOf(ref('Circle'), open).alternatives).toBeUndefined()
    })

    test('without a name ends', () => {
      const again = { allOf: [ref('Base'), { description: 'again' }] }
      const base = { type: 'object', properties: { own: {}, again, alias: { allOf: [ref('Base')] } } }
      const read = schemaOf({ allOf: [ref('Base'), { properties: { more: {} } }] }, { Base: base })
      expect(membersOf(read)).toEqual(['own', 'again', 'alias', 'more'])
      const [, inherited, alias] = read.properties!.map(({ schema }) => schema)
      expect([inherited!.description, inherited!.enclosingBases]).toEqual(['again', ['Base']])
      expect(membersOf(alias!)).toEqual(['own', 'again', 'alias'])
      expect(alias!.properties![2]!.schema.isCircular).toBe(true)
    })

    test('has an example with all members', () => {
      const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
      const exampleOf = (schema: object, of: object = named) => {
        const view = read(operation({ ...body(schema), responses: {} }, schemas(of)))!
        const [example] = view.body!.contents[0]!.examples
        return example && JSON.parse(example.text)
      }
      expect(exampleOf(ref('Shape'))).toEqual({
        kind: 'text',
        radius: 1,
        inner: { kind: 'text', radius: 1 },
      })
      const unnamed = {
        Shape: { oneOf: [{ allOf: [ref('Shape')] }, subtype(ref('Shape'), { radius: { type: 'number' } })] },
      }
      expect(exampleOf(ref('Shape'), unnamed)).toEqual({ radius: 1 })
    })
  })

  test.each([
    [{ type: ['string', 'null'] }, { type: 'string', isNullable: true }],
    [
      { anyOf: [{ type: 'string', format: 'date', maxLength: 9 }, { type: 'null' }], description: 'own' },
      { type: 'string', format: 'date', isNullable: true, description: 'own', limits: [{ value: '9' }] },
    ],
    [
      { oneOf: [{ type: 'null' }, ref('Pet')] },
      { type: 'Pet', name: 'Pet', isNullable: true, properties: [{ name: 'name' }] },
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      { type: 'string | integer', isNullable: true, alternatives: { kind: 'anyOf' } },
    ],
    [{ anyOf: [{ type: 'string' }, { type: ['integer', 'null'] }] }, { isNullable: true }],
    [{ oneOf: [{ const: null }, { enum: ['a'] }] }, { isNullable: true, choices: [{ value: 'a' }] }],
    [
      { anyOf: [{ type: 'array', items: ref('Pet') }, { type: 'null' }] },
      { type: 'Pet[]', isNullable: true },
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { isNullable: false }],
    [
      { anyOf: [ref('Union'), { type: 'null' }] },
      { name: 'Union', isNullable: true, alternatives: { schemas: [{ name: 'Pet' }, { type: 'string' }] } },
    ],
    [
      { allOf: [ref('Union')], description: 'own' },
      { name: 'Union', description: 'own', alternatives: { schemas: [{ name: 'Pet' }, { type: 'string' }] } },
    ],
    [
      { type: 'string', nullable: true },
      { type: 'string', isNullable: true },
    ],
    [{ const: 'a' }, { type: 'string', constant: 'a' }],
    [{ type: 'number', exclusiveMinimum: 0 }, { limits: [{ kind: 'above', value: '0' }] }],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, { limits: [{ kind: 'above', value: '0' }] }],
    [
      { enum: [1, 2], default: 2 },
      { type: 'number', choices: [{ value: '1' }, { value: '2' }], usual: '2' },
    ],
    [
      { enum: ['a'], 'x-enumDescriptions': { a: 'First', constructor: 'x' } },
      { choices: [{ value: 'a', description: 'First' }] },
    ],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { others: { type: 'integer' } }],
    [
      { type: 'object', patternProperties: { '^x': { type: 'boolean' } } },
      { properties: [{ name: '^x', isPattern: true }] },
    ],
    [{ not: { type: 'string' } }, { excluded: { type: 'string' } }],
    [
      { readOnly: true, deprecated: true },
      { isReadOnly: true, isDeprecated: true },
    ],
    [
      { oneOf: [{ type: 'string' }, { type: 'null' }, ref('Pet')] },
      {
        type: 'string | Pet',
        alternatives: { kind: 'oneOf', schemas: [{ type: 'string' }, { name: 'Pet' }] },
      },
    ],
    [
      { $ref: '#/components/schemas/Pet', description: 'beside' },
      { name: 'Pet', description: 'beside' },
    ],
    [{ $ref: '#/components/schemas/Nowhere' }, { type: 'any' }],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, { properties: [{ name: '[0]' }] }],
  ])('says what %j says', (schema, seen) => {
    const named = {
      Pet: { type: 'object', properties: { name: {} } },
      Union: { oneOf: [ref('Pet'), { type: 'string' }], discriminator: { propertyName: 'name' } },
    }
    expect(schemaOf(schema, named)).toMatchObject(seen)
  })

  test('may have any name', () => {
    const named = JSON.parse('{"__proto__":{"type":"object","properties":{"constructor":{"type":"string"}}}}')
    const schema = schemaOf(ref('__proto__'), named)
    expect(schema).toMatchObject({ name: '__proto__', properties: [{ name: 'constructor' }] })
    const found = readSchemas(
      wholeSpecification(schemas({ Pet: { type: 'object' } })),
      ['Pet', 'toString'],
      createBudget(limits),
    )
    expect(found.map(({ name }) => name)).toEqual(['Pet'])
  })

  test('is truncated at the limits, and marked so', () => {
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`p${at}`, { type: 'string' }]))
    const values = { enum: Array.from({ length: 10_000 }, (_, at) => at) }
    const view = read(operation(answering({ type: 'object', properties: wide })))!
    expect(view.isCut).toBe(true)
    expect(view.responses[0]!.contents[0]!.schema!.properties!.length).toBeLessThan(400)
    expect(schemaOf(values)).toMatchObject({ moreChoices: 0 })
    expect(schemaOf(values).choices).toHaveLength(10_000)
    // Each schema has a hundred, and all of them together share those beyond.
    const twice = read(operation(answering({ properties: { one: values, two: values } })))!
    const properties = twice.responses[0]!.contents[0]!.schema!.properties!
    expect(properties.map(({ schema: { choices, moreChoices } }) => [choices.length, moreChoices])).toEqual([
      [10_000, 0],
      [200, 9_800],
    ])
    expect(twice.isCut).toBe(true)
  })
})

/** Grows in one direction each; double as large, it takes at most thrice the steps. */
describe.each<[string, (size: number) => object]>([
  ['a circle of parts', (size) => ring(size, (next) => ({ allOf: [next, next], properties: { a: {} } }))],
  ['a circle of alternatives', (size) => ring(size, (next) => ({ oneOf: [next, next, { type: 'string' }] }))],
  [
    'a circle of members',
    (size) => ring(size, (next) => ({ properties: { a: next, b: next, c: { items: next } } })),
  ],
  [
    'many parts',
    (size) => ({ A0: { allOf: many(size, (at) => ({ properties: { [`p${at}`]: {} }, [`x-${at}`]: 1 })) } }),
  ],
  [
    'many members',
    (size) => ({
      A0: {
        properties: Object.fromEntries(
          many(size, (at) => [`p${at}`, { type: 'object', properties: { a: {} } }]),
        ),
      },
    }),
  ],
  ['many values', (size) => ({ A0: { enum: many(size, (at) => `v${at}`) } })],
  [
    'deep nesting',
    (size) => ({
      A0: many(Math.min(size, 2_000), () => 0).reduce<object>(
        (inner) => ({ properties: { a: inner }, items: inner, type: 'array' }),
        {},
      ),
    }),
  ],
])('the cost of %s', (_name, make) => {
  test('grows with its size, and ends', () => {
    const stepsOf = (size: number) => {
      const budget = createBudget(limits)
      const specification = operation(answering(ref('A0')), schemas(make(size)))
      const view = readOperation(wholeSpecification(specification), get('/x'), budget)!
      expect(JSON.stringify(view).length).toBeLessThan(2_000_000)
      return budget.spent('steps')
    }
    const [one, two] = [stepsOf(1_000), stepsOf(2_000)]
    expect(two).toBeLessThanOrEqual(one * 3)
    expect(two).toBeLessThanOrEqual(limits.steps)
  })
})

function many<Value>(size: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: size }, (_, at) => make(at))
}

function ring(size: number, make: (next: object) => object): object {
  return Object.fromEntries(many(size, (at) => [`A${at}`, make(ref(`A${(at + 1) % size}`))]))
}

describe('samples', () => {
  test('have the required parts of the request', async () => {
    const view = read(
      {
        openapi: '3.0.0',
        servers: [{ url: 'https://api.example.com/v1' }],
        security: [{ token: [] }],
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
        paths: {
          '/pets/{id}': {
            post: {
              parameters: [
                { name: 'id', in: 'path', required: true, schema: { type: 'string', example: 'a b' } },
                { name: 'q', in: 'query', required: true, schema: { type: 'string', default: "it's" } },
                { name: 'page', in: 'query', schema: { type: 'integer' } },
              ],
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      properties: {
                        name: { type: 'string', example: "O'Hara" },
                        id: { type: 'integer', readOnly: true },
                      },
                    },
                  },
                },
              },
              responses: {},
            },
          },
        },
      },
      { kind: 'operation', path: '/pets/{id}', method: 'post' },
    )!
    const samples = await writeSamples(requestOf(view))
    expect(samples.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python', 'Go'])
    const [curl, script] = samples.map(({ source }) => source)
    expect(curl).toContain('https://api.example.com/v1/pets/a%20b?q=')
    expect(curl).toContain('Authorization: Bearer YOUR_SECRET_TOKEN')
    expect(curl).toContain(`O'\\''Hara`)
    expect(curl).not.toContain('page')
    expect(script).not.toContain('readOnly')
  })

  test.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/*+json', 'application/json'],
    ['text/*', 'text/plain'],
    ['image/*', 'application/octet-stream'],
    ['multipart/*', 'multipart/form-data'],
    ['application/merge-patch+json', 'application/merge-patch+json'],
  ])('say what is sent where %s is taken', async (taken, sent) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const view = read(operation({ requestBody: { content: { [taken]: { schema } } }, responses: {} }))!
    const request = requestOf(view)
    expect(request.body?.mediaType).toBe(sent)
    expect(request.headers).toContainEqual({ name: 'Content-Type', value: sent })
    const [curl] = await writeSamples(request)
    expect(curl!.source).toMatch(/^ +--(?:data|form|header)/m)
    expect(curl!.source).not.toContain('*')
  })

  test('are empty for an invalid address', async () => {
    const view = read(operation({ responses: {} }, { servers: [{ url: 'javascript:alert(1)' }] }))!
    expect(requestOf(view).url).toBe('https://api.example.com/x')
    expect(await writeSamples({ ...requestOf(view), url: 'http://[' })).toEqual([])
  })
})
