/* eslint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget, pageLimits } from '../budget.js'
import { isValid } from './validate.js'
import type { Json } from './json.js'
import { metaschema } from './metaschema.js'
import { type SchemaSet, readSchema } from './read.js'

function setOf(schema: Json, others?: Readonly<Record<string, Json>>): SchemaSet {
  const read = readSchema(schema, others)
  if ('problem' in read) throw new Error(`${read.path.join('/')} ${read.problem}`)
  return read.set
}

function isFit(schema: Json, value: Json, others?: Readonly<Record<string, Json>>): boolean {
  const set = setOf(schema, others)
  return isValid(set, set.root, value, createBudget())
}

describe('validation', () => {
  test.each<[schema: Json, fit: readonly Json[], unfit: readonly Json[]]>([
    [true, [1, null], []],
    [false, [], [1, null]],
    [{ type: 'integer' }, [1, 1.0, -0], [1.5, '1', true, null]],
    [{ type: ['string', 'null'] }, ['', null], [0, [], {}]],
    [{ type: 'object' }, [{}], [[], null]],
    [{ enum: [{ a: 1, b: [2] }, 'x'] }, [{ b: [2], a: 1 }, 'x'], [{ a: 1 }, 'X', ['x']]],
    [{ const: false }, [false], [0, null, '']],
    [{ const: [1, { a: null }] }, [[1, { a: null }]], [[1, { a: 0 }], [1]]],
    [{ multipleOf: 0.0001 }, [0.0075, 1], [0.00751]],
    [{ type: 'integer', multipleOf: 0.123456789 }, [0], [1e308]],
    [{ exclusiveMinimum: 1, maximum: 3 }, [2, 3, 'x'], [1, 3.01]],
    [{ minLength: 2, maxLength: 2 }, ['ab', '💩💩', 5], ['a', '💩', 'abc']],
    [{ pattern: '^a+b?$' }, ['aab', 'a', 1], ['b', 'aabb', '']],
    [{ pattern: 'b' }, ['abc'], ['ac']],
    [{ items: { type: 'number' } }, [[1, 2], [], {}], [[1, 'a']]],
    [{ items: [{ type: 'number' }], additionalItems: false }, [[1], []], [['a'], [1, 2]]],
    [{ additionalItems: false }, [[1, 2]], []],
    [{ contains: { const: 1 } }, [[0, 1], 'x'], [[], [0]]],
    [
      { uniqueItems: true },
      [[1, '1', [1], { a: 1 }]],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [1, 1.0],
      ],
    ],
    [{ required: ['__proto__', 'toString'] }, [JSON.parse('{"__proto__":1,"toString":2}') as Json], [{}]],
    [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }, 'x'], [{}, { a: 1, b: 1, c: 1 }]],
    [
      {
        properties: { a: { type: 'string' } },
        patternProperties: { '^x-': true },
        additionalProperties: false,
      },
      [{ a: '' }, { 'x-1': 1 }, []],
      [{ a: 1 }, { b: '' }],
    ],
    [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    [
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      [{ b: 1 }, { a: 1, b: 1 }],
      [{ a: 1 }, { c: 1 }],
    ],
    [{ if: { type: 'string' }, then: { minLength: 1 }, else: { minimum: 0 } }, ['a', 0], ['', -1]],
    [{ then: false, else: false }, [1], []],
    [{ oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
    [{ anyOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5, 3], [1.5]],
    [{ not: { type: 'string' } }, [1], ['']],
    [
      { $ref: '#/definitions/a%25b~1c', definitions: { 'a%b/c': { type: 'null' } }, maxLength: 0 },
      [null],
      ['', 1],
    ],
    [
      { properties: { next: { $ref: '#' } }, additionalProperties: false },
      [{ next: { next: {} } }],
      [{ next: { x: 1 } }],
    ],
    [{ $ref: 'http://json-schema.org/draft-07/schema#' }, [{ minLength: 1 }, true], [{ minLength: -1 }, 1]],
    [{ $ref: '#mark', definitions: { a: { $id: '#mark', type: 'null' } } }, [null], [1]],
    [
      {
        $id: 'https://example.com/a/root.json',
        items: { $ref: 'folder/../leaf.json' },
        definitions: { leaf: { $id: 'leaf.json', type: 'null' } },
      },
      [[null]],
      [[1]],
    ],
    [
      { enum: [{ $id: 'https://example.com/no' }], format: 'email', unheardOf: { type: 3 } },
      [{ $id: 'https://example.com/no' }],
      ['x'],
    ],
    [{ $ref: '#/unheardOf/here', unheardOf: { here: { type: 'null' } } }, [null], [1]],
  ])('%j', (schema, fit, unfit) => {
    expect(fit.map((value) => isFit(schema, value))).toEqual(fit.map(() => true))
    expect(unfit.map((value) => isFit(schema, value))).toEqual(unfit.map(() => false))
  })

  const names = fc.constantFrom('a', 'b', 'toString')
  const values = fc.jsonValue({
    maxDepth: 2,
    stringUnit: fc.constantFrom('a', 'b', '💩'),
  }) as fc.Arbitrary<Json>
  const counts = fc.nat({ max: 3 })
  const { schema: schemas } = fc.letrec<{ schema: Json }>((tie) => {
    const inner = tie('schema')
    const some = fc.array(inner, { minLength: 1, maxLength: 3 })
    const members = fc.dictionary(names, inner, { maxKeys: 3 })
    return {
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.boolean(),
        // Alone: the other validator reads sibling keywords, as in later drafts.
        fc.constant<Json>({ $ref: '#/definitions/one' }),
        fc.record(
          {
            type: fc.constantFrom('string', 'integer', 'number', 'object', 'array', 'boolean', 'null'),
            enum: fc.uniqueArray(values, {
              minLength: 1,
              maxLength: 3,
              selector: (one) => JSON.stringify(one),
            }),
            const: values,
            minimum: fc.integer({ min: -2, max: 2 }),
            exclusiveMaximum: fc.integer({ min: -2, max: 2 }),
            multipleOf: fc.constantFrom(0.5, 1, 2),
            maxLength: counts,
            minLength: counts,
            pattern: fc.constantFrom('^a', 'b$', '^(a|b)*$', '💩{2}'),
            items: fc.oneof(inner, some),
            additionalItems: inner,
            contains: inner,
            uniqueItems: fc.boolean(),
            minItems: counts,
            maxItems: counts,
            properties: members,
            patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner),
            additionalProperties: inner,
            propertyNames: inner,
            required: fc.uniqueArray(names),
            minProperties: counts,
            dependencies: fc.dictionary(names, fc.oneof(inner, fc.uniqueArray(names))),
            if: inner,
            then: inner,
            else: inner,
            allOf: some,
            anyOf: some,
            oneOf: some,
            not: inner,
          },
          { requiredKeys: [] },
        ) as fc.Arbitrary<Json>,
      ),
    }
  })

  test('agrees with another validator, for any schema', () => {
    const one = fc.record({ schema: schemas, value: values, other: values })
    fc.assert(
      fc.property(one, schemas, ({ schema, value, other }, definition) => {
        const whole = { allOf: [schema], definitions: { one: definition } }
        // A definition that refers to itself is endless.
        fc.pre(!JSON.stringify(definition).includes('#/definitions'))
        const ajv = new Ajv({ strict: false, ownProperties: true, logger: false, validateSchema: false })
        const judge = ajv.compile(whole)
        for (const one of [value, other]) expect(isFit(whole, one)).toBe(judge(one))
      }),
      { numRuns: 60 },
    )
  })
})

test.each<[schema: Json, path: string, problem: string]>([
  [3, '', 'must be a schema'],
  [{ type: 'text' }, 'type', 'must be one of "array"'],
  [{ type: [] }, 'type', 'must be one of'],
  [{ properties: { a: { minLength: -1 } } }, 'properties.a.minLength', 'whole number'],
  [{ properties: [] }, 'properties', 'an object'],
  [{ items: [{ items: 1 }] }, 'items.0.items', 'must be a schema'],
  [{ required: ['a', 'a'] }, 'required', 'different'],
  [{ allOf: [] }, 'allOf', 'not empty'],
  [{ dependencies: { a: 'b' } }, 'dependencies.a', 'must be a schema'],
  [{ $ref: 'https://example.com/other.json' }, '$ref', 'nothing else is looked up'],
  [{ not: { $ref: '#/definitions/a' } }, 'not.$ref', 'must name a schema'],
  [{ $ref: '#/enum/0', enum: [1] }, '$ref', 'must name a schema'],
  [{ pattern: '(?=a)' }, 'pattern', 'no pattern that can be used'],
  [{ pattern: '(a)\\1' }, 'pattern', 'no pattern'],
  [{ pattern: 'a\\Z' }, 'pattern', 'no pattern'],
  [{ patternProperties: { '[': true } }, 'patternProperties.[', 'no pattern'],
  [{ pattern: '(abcdefghij){1,1000}' }, 'pattern', 'repeats too much'],
  [{ pattern: `(${'a{1000}'.repeat(30)})` }, 'pattern', 'repeats too much'],
  [{ pattern: 'a'.repeat(257) }, 'pattern', 'longer than 256'],
  [Array.from({ length: 130 }).reduce<Json>((inner) => ({ not: inner }), true), 'not', 'nested deeper'],
  [{ anyOf: Array.from({ length: 5_001 }, () => ({})) }, 'anyOf.', 'more than 5000'],
])('a schema is refused, with the place of what is wrong: %j', (schema, path, problem) => {
  const read = readSchema(schema)
  expect(read).toMatchObject({ problem: expect.stringContaining(problem) })
  if ('problem' in read) expect(read.path.join('.')).toContain(path)
})

test.each<Json>([
  { minLength: 1 },
  { minLength: 1.5 },
  { type: 'x' },
  { items: 3 },
  { enum: {} },
  { $id: 1 },
  true,
  7,
])('what is a schema is one to the schema of schemas too: %j', (schema) =>
  expect('set' in readSchema(schema)).toBe(isFit(metaschema, schema)),
)

describe('terminates for any schema and value', () => {
  const spend = (schema: Json, value: Json) => {
    const set = setOf(schema)
    const budget = createBudget({ ...pageLimits, steps: 100_000 })
    isValid(set, set.root, value, budget)
    return budget.spent('steps')
  }
  const twice = (at: number) => ({
    allOf: [at + 1, at + 1].map((next) => ({ $ref: `#/definitions/s${next}` })),
  })

  const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`a${at}`, true]))
  /** Evaluates one schema a thousand times, each of which takes as many steps as it has names. */
  const manyTimes = (leaf: Json): Json => ({
    anyOf: Array.from({ length: 10 }, () => ({ $ref: '#/definitions/some' })),
    definitions: {
      some: { anyOf: Array.from({ length: 100 }, () => ({ $ref: '#/definitions/leaf' })) },
      leaf,
    },
  })

  test.each<[what: string, schema: Json, value: Json, over: RegExp]>([
    ['names itself', { $ref: '#' }, 1, /levels/],
    ['names itself by turns', { allOf: [{ $ref: '#/allOf/0' }] }, 1, /levels/],
    [
      'doubles at each of forty steps',
      {
        $ref: '#/definitions/s0',
        definitions: Object.fromEntries(
          Array.from({ length: 41 }, (_, at) => [`s${at}`, at === 40 ? {} : twice(at)]),
        ),
      },
      1,
      /steps/,
    ],
    ['looks for many names', manyTimes({ properties: wide, not: {} }), {}, /steps/],
    ['looks for many needed names', manyTimes({ dependencies: wide, not: {} }), {}, /steps/],
    ['looks for all names', manyTimes({ required: Object.keys(wide), not: {} }), wide, /steps/],
    ['counts many members', manyTimes({ maxProperties: 1 }), wide, /steps/],
    ['looks for what is long', { pattern: '^(a+)+$' }, `${'a'.repeat(1_000_000)}!`, /steps/],
    ['compares what is long', { uniqueItems: true }, Array.from({ length: 100_001 }, (_, at) => at), /steps/],
  ])('%s', (_, schema, value, over) => {
    expect(() => spend(schema, value)).toThrow(over)
  })

  const times = <Value>(size: number, make: (at: number) => Value) =>
    Array.from({ length: size }, (_, at) => make(at))
  test.each<[what: string, schema: Json, value: (size: number) => Json]>([
    ['different items', { uniqueItems: true }, (size) => times(size, (at) => [at])],
    [
      'members',
      { additionalProperties: { type: 'number' } },
      (size) => Object.fromEntries(times(size, (at) => [`m${at}`, at])),
    ],
    ['a text', { pattern: '(a|b|ab)*c' }, (size) => 'ab'.repeat(size)],
  ])('twice the value takes at most thrice the steps: %s', (_, schema, value) => {
    expect(spend(schema, value(4_000))).toBeLessThan(3 * spend(schema, value(2_000)))
  })
})

test('a reference is resolved once, however often it is followed', () => {
  let looked = 0
  const definitions = new Proxy<{ readonly far: Json }>(
    { far: { type: 'number' } },
    {
      get(target, name) {
        looked++
        return target[name as 'far']
      },
    },
  )
  const set = setOf({ items: { $ref: '#/definitions/far' }, definitions })
  const before = looked
  expect(isValid(set, set.root, [1, 2, 3], createBudget())).toBe(true)
  expect(looked).toBe(before)
})

test.each([
  ['states', (at: number) => `^${at}(a|b|c|d){190}$`],
  ['sets of letters', (at: number) => `^${at}${'\\p{L}'.repeat(40)}$`],
])('a schema has so many %s in its patterns together', (_, pattern) => {
  const schema = (count: number) => ({
    allOf: Array.from({ length: count }, (_, at) => ({ pattern: pattern(at) })),
  })
  expect(readSchema(schema(10))).toHaveProperty('set')
  expect(readSchema(schema(40))).toHaveProperty('problem')
})

/** The published JSON-Schema-Test-Suite, of Debian's package or in the folder that the variable names: no package of npm has draft-07. */
const suite = process.env['JSON_SCHEMA_TEST_SUITE'] ?? '/usr/share/json-schema-test-suite'

/** Of its optional parts, those about what is inside a text, and about numbers that JSON does not distinguish. */
const leftOpen = ['content.json', 'ecmascript-regex.json', 'zeroTerminatedFloats.json', 'float-overflow.json']

describe.runIf(existsSync(`${suite}/tests/draft7`))('the published suite', () => {
  const read = (path: string) => JSON.parse(readFileSync(`${suite}/${path}`, 'utf8')) as Json
  const list = (folder: string) => {
    const path = `${suite}/${folder}`
    const names = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
    return names.filter((name) => name.endsWith('.json'))
  }
  const remotes = Object.fromEntries(
    list('remotes').map((name) => [`http://localhost:1234/${name}`, read(`remotes/${name}`)]),
  )
  const files = list('tests/draft7').filter(
    (name) => !name.includes('format/') && !leftOpen.some((open) => name.endsWith(`optional/${open}`)),
  )
  test.each(files)('%s', (name) => {
    const cases = read(`tests/draft7/${name}`) as unknown as readonly {
      readonly description: string
      readonly schema: Json
      readonly tests: readonly {
        readonly description: string
        readonly data: Json
        readonly valid: boolean
      }[]
    }[]
    const judged = cases.flatMap(({ description, schema, tests }) =>
      tests.map((one) => ({
        what: `${description}: ${one.description}`,
        isValid: isFit(schema, one.data, remotes),
        expected: one.valid,
      })),
    )
    expect(judged.length).toBeGreaterThan(0)
    expect(judged.filter(({ isValid, expected }) => isValid !== expected)).toEqual([])
  })
})
