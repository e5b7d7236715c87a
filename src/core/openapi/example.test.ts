import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { createBudget, pageLimits } from '../budget.js'
import { generateExample } from './example.js'
import { createSchemaReader } from './schema.js'
import { wholeSpecification } from './specification.js'

/** Returns the example of a schema of a specification with these components. */
function exampleOf(schema: unknown, schemas: object = {}, direction: 'request' | 'response' = 'response') {
  const specification = wholeSpecification({ openapi: '3.1.0', components: { schemas } })
  const reader = createSchemaReader(specification, createBudget(pageLimits))
  return generateExample(reader, schema, direction, createBudget(pageLimits))
}

function matches(schema: object, value: unknown, schemas: object = {}): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: { schemas } })
  return ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')), value)
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

/** Objects of required objects, so deep. */
const nested = (depth: number): object =>
  depth === 0 ? { type: 'string' } : object({ inner: nested(depth - 1) })

const schemas = {
  Node: object({ name: { type: 'string' }, children: { type: 'array', items: ref('Node') } }),
  Pair: object({ left: { type: 'array', minItems: 1, items: ref('Pair') } }),
  Link: object({ next: ref('Link') }, ['next']),
  Owner: object({ pets: { type: 'array', items: ref('Pet') } }),
  Pet: object({ owner: ref('Owner') }),
}

describe('an example', () => {
  test.each<[string, object]>([
    ['a constant', { const: 'fixed' }],
    ['a list of at least three', { type: 'array', minItems: 3, items: { type: 'string' } }],
    ['a list of none', { type: 'array', maxItems: 0, items: { type: 'string' } }],
    ['unique words', { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['a', 'b'] } }],
    ['unique texts', { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } }],
    ['unique numbers', { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'integer' } }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2, items: false },
    ],
    ['a number above a bound', { type: 'integer', exclusiveMinimum: 5 }],
    ['a number below a bound', { type: 'number', exclusiveMaximum: 0 }],
    ['a number between whole ones', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ['a multiple above a bound', { type: 'integer', multipleOf: 4, minimum: 9 }],
    ['a member that nothing matches', { type: 'object', properties: { a: { type: 'string' }, b: false } }],
    ['required members far inside', nested(20)],
    [
      'many required members',
      object(Object.fromEntries([...Array(400)].map((_, at) => [`m${at}`, { type: 'string' }]))),
    ],
    ['a tree', ref('Node')],
    ['schemas that require each other in lists', ref('Pet')],
    ['an alternative with an end', { anyOf: [ref('Link'), { type: 'string' }] }],
    ['an optional member without an end', object({ name: { type: 'string' }, link: ref('Link') }, ['name'])],
  ])('of %s matches the schema', (_, schema) => {
    const example = exampleOf(schema, schemas)
    expect(example).toBeDefined()
    expect(matches(schema, example, schemas)).toBe(true)
  })

  test('leaves out what has no end, and is partial where all of it has none', () => {
    expect(exampleOf(ref('Node'), schemas)).toEqual({ name: 'text', children: [] })
    expect(exampleOf(object({ link: ref('Link') }, []), schemas)).toEqual({})
    expect(exampleOf(ref('Link'), schemas)).toEqual({})
    expect(exampleOf(ref('Pair'), schemas)).toEqual({ left: [] })
    expect(exampleOf(false)).toBeUndefined()
  })

  test('of a request leaves out what the server sets, also where it is required', () => {
    const schema = object({ id: { type: 'string', readOnly: true }, title: { type: 'string' } })
    expect(exampleOf(schema, {}, 'request')).toEqual({ title: 'text' })
  })
})
