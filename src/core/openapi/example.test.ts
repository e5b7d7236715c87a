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

  test.each<[string, object, string?]>([
    ['a word', { pattern: '^[a-z]+$' }, 'text'],
    ['capitals', { pattern: '^[A-Z]{3}$' }, 'TEX'],
    ['digits', { pattern: '^\\d{5}$' }, '12345'],
    ['several parts', { pattern: '^(?:SKU|ART)-\\d{4}(?:-[A-Z]{2})?$' }, 'SKU-1234-TE'],
    ['a part anywhere', { pattern: '@' }, '@'],
    ['a plain text', { pattern: '^.*$' }, 'text'],
    ['a format', { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', format: 'date' }, '2025-01-01'],
    ['another text than its format', { pattern: '^/v1/', format: 'uri-reference' }, '/v1/'],
    ['a length', { pattern: '^[0-9a-f]+$', minLength: 64, maxLength: 64 }],
    ['a length after a first letter', { pattern: '^[a-z][a-z0-9_]*$', minLength: 64, maxLength: 64 }],
    ['a length at most', { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 3 }],
    ['a negated class', { pattern: '^[^a-zA-Z0-9 ]+$' }],
    ['letters of a script', { pattern: '^[\\u3041-\\u3096]{3}$' }],
    ['a property of characters', { pattern: '^\\p{Lu}\\p{Ll}+$' }],
    ['an empty alternative', { pattern: '^(?:|[a-z]{2})$' }, 'te'],
    ['a hyphen in a class', { pattern: '^[\\w.-]+@[\\w-]+$' }],
    ['a long text without a pattern', { minLength: 100 }],
  ])('of a pattern has %s', (_, words, expected) => {
    const schema = object({ code: { type: 'string', ...words } })
    const example = exampleOf(schema) as { code: string }
    expect(matches(schema, example)).toBe(true)
    if (expected !== undefined) expect(example.code).toBe(expected)
  })

  test.each([
    ['a lookahead', '^(?!a)b'],
    ['a back reference', '^(a)\\1$'],
    ['an anchor inside', 'a^b'],
    ['a broken one', '^['],
    ['one that repeats too much', '^(?:a{90}){90}$'],
    ['too long a one', 'a'.repeat(300)],
    ['a text longer than the bound', '^[a-z]{900}$'],
  ])('leaves out a text whose pattern is or has %s', (_, pattern) => {
    const schema = object({ name: { type: 'string' }, code: { type: 'string', pattern } })
    expect(exampleOf(schema)).toEqual({ name: 'text' })
  })

  test.each([
    '^(((a*)*)*)*$',
    '^(?:(?:(?:a?){9}){9}){9}b$',
    `^${'(a|b|c)*'.repeat(30)}x{9}$`,
    '^(a|a|a)*(a|a|a)*(a|a|a)*$',
    `^${'('.repeat(100)}a${')'.repeat(100)}$`,
  ])('of the pattern %s takes bounded work', (pattern) => {
    const budget = createBudget(pageLimits)
    const specification = wholeSpecification({ openapi: '3.1.0' })
    const schema = { type: 'string', pattern, minLength: 400 }
    generateExample(createSchemaReader(specification, budget), schema, 'response', budget)
    expect(budget.left('steps')).toBeGreaterThan(pageLimits.steps - 200_000)
  })

  test.each<[string, object]>([
    ['of a pattern', { type: 'string', pattern: '^[a-z]{2}$' }],
    ['of a format', { type: 'string', format: 'email' }],
    ['of bounded length', { type: 'string', maxLength: 5 }],
    ['that are multiples', { type: 'integer', multipleOf: 5, maximum: 20 }],
  ])('of unique items %s matches the schema', (_, items) => {
    const schema = { type: 'array', minItems: 3, uniqueItems: true, items }
    const example = exampleOf(schema) as unknown[]
    expect(new Set(example).size).toBeGreaterThanOrEqual(3)
    for (const item of example) expect(matches(items, item)).toBe(true)
  })

  test('names a member as its pattern says', () => {
    const schema = { type: 'object', additionalProperties: true, propertyNames: { pattern: '^x-' } }
    expect(exampleOf({ ...schema, additionalProperties: { type: 'integer' } })).toEqual({ 'x-': 1 })
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
