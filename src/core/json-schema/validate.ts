/**
 * JSON Schema validation (draft-07, every keyword) within a budget. A schema may refer to itself, and double its
 * references at each step, so the cost is bounded by neither its size nor the value's: every evaluated schema counts,
 * and past the budget OverBudget is thrown.
 */
import { type Budget, OverBudget } from '../budget.js'
import { type Json, type JsonObject, canonicalText, isObject } from './json.js'
import type { Schema, SchemaSet } from './read.js'

/** Most nested evaluations; a schema that refers to itself would recurse for ever. */
const deepest = 200

interface ValidationRun {
  readonly set: SchemaSet
  readonly budget: Budget
  depth: number
}

/** Returns whether a value is valid against the schema, one of the set. Throws OverBudget when that takes too much. */
export function isValid(set: SchemaSet, schema: Schema, value: Json, budget: Budget): boolean {
  return check(schema, value, { set, budget, depth: 0 })
}

function check(schema: Schema, value: Json, run: ValidationRun): boolean {
  run.budget.spend('steps')
  if (typeof schema === 'boolean') return schema
  if (run.depth >= deepest) throw new OverBudget('depth', deepest)
  run.depth++
  try {
    if ('$ref' in schema) return check(run.set.follow(schema)!, value, run)
    for (const keyword of Object.keys(schema)) {
      const judge = judges.get(keyword)
      if (judge === undefined) continue
      run.budget.spend('steps')
      if (!judge(schema[keyword]!, value, schema, run)) return false
    }
    return true
  } finally {
    run.depth--
  }
}

/** Returns whether a value satisfies one keyword of a schema. */
type KeywordValidator = (expected: Json, value: Json, schema: JsonObject, run: ValidationRun) => boolean

/** Names scanned that count as one step. */
const namesAStep = 10

/** Returns the names of an object and charges the budget for them: wide objects cost like deep ones. */
function namesOf(object: JsonObject, { budget }: ValidationRun): readonly string[] {
  return charged(Object.keys(object), budget)
}

function charged<Item>(items: readonly Item[], budget: Budget): readonly Item[] {
  budget.spend('steps', Math.ceil(items.length / namesAStep))
  return items
}

/** Validates values of one type; every other value is valid. */
function of<Value extends Json>(
  isOfKind: (value: Json) => value is Value,
  judge: (expected: Json, value: Value, schema: JsonObject, run: ValidationRun) => boolean,
): KeywordValidator {
  return (expected, value, schema, run) => !isOfKind(value) || judge(expected, value, schema, run)
}
const isNumber = (value: Json): value is number => typeof value === 'number'
const isText = (value: Json): value is string => typeof value === 'string'
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const numbers = (judge: (expected: number, value: number) => boolean): KeywordValidator =>
  of(isNumber, (expected, value) => judge(expected as number, value))
const texts = (judge: (expected: number, length: number) => boolean): KeywordValidator =>
  of(isText, (expected, value, _, { budget }) => {
    budget.spend('steps', Math.ceil(value.length / 100))
    return judge(expected as number, [...value].length)
  })

const judges: ReadonlyMap<string, KeywordValidator> = new Map([
  ['type', (expected, value) => [expected].flat().some((name) => isOfType(name as string, value))],
  ['enum', (expected, value, _, { budget }) => isAmong(expected as Json[], value, budget)],
  ['const', (expected, value, _, { budget }) => isAmong([expected], value, budget)],

  ['multipleOf', numbers(isMultiple)],
  ['maximum', numbers((expected, value) => value <= expected)],
  ['exclusiveMaximum', numbers((expected, value) => value < expected)],
  ['minimum', numbers((expected, value) => value >= expected)],
  ['exclusiveMinimum', numbers((expected, value) => value > expected)],

  ['maxLength', texts((expected, length) => length <= expected)],
  ['minLength', texts((expected, length) => length >= expected)],
  [
    'pattern',
    of(isText, (expected, value, _, { set, budget }) => set.pattern(expected as string).finds(value, budget)),
  ],

  ['items', of(isList, validateItems)],
  ['maxItems', of(isList, (expected, value) => value.length <= (expected as number))],
  ['minItems', of(isList, (expected, value) => value.length >= (expected as number))],
  [
    'uniqueItems',
    of(isList, (expected, value, _, { budget }) => expected !== true || areDifferent(value, budget)),
  ],
  [
    'contains',
    of(isList, (expected, value, _, run) => value.some((item) => check(expected as Schema, item, run))),
  ],

  [
    'maxProperties',
    of(isObject, (expected, value, _, run) => namesOf(value, run).length <= (expected as number)),
  ],
  [
    'minProperties',
    of(isObject, (expected, value, _, run) => namesOf(value, run).length >= (expected as number)),
  ],
  ['required', of(isObject, hasAll)],
  ['properties', of(isObject, validateProperties)],
  ['patternProperties', of(isObject, validatePatternProperties)],
  ['additionalProperties', of(isObject, validateAdditionalProperties)],
  [
    'propertyNames',
    of(isObject, (expected, value, _, run) =>
      namesOf(value, run).every((name) => check(expected as Schema, name, run)),
    ),
  ],
  ['dependencies', of(isObject, validateDependencies)],

  ['if', validateIfThenElse],
  ['allOf', (expected, value, _, run) => (expected as Schema[]).every((one) => check(one, value, run))],
  ['anyOf', (expected, value, _, run) => (expected as Schema[]).some((one) => check(one, value, run))],
  ['oneOf', validateOneOf],
  ['not', (expected, value, _, run) => !check(expected as Schema, value, run)],
])

function isOfType(name: string, value: Json): boolean {
  switch (name) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return isList(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === name
  }
}

function isAmong(expected: readonly Json[], value: Json, budget: Budget): boolean {
  const identity = canonicalText(value, budget)
  return expected.some((one) => canonicalText(one, budget) === identity)
}

/** Integer multiples within floating-point precision: 0.0075 is 75 times 0.0001. */
function isMultiple(expected: number, value: number): boolean {
  const times = value / expected
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * Number.EPSILON * 4
}

function areDifferent(items: readonly Json[], budget: Budget): boolean {
  return new Set(items.map((item) => canonicalText(item, budget))).size === items.length
}

function validateItems(
  expected: Json,
  value: readonly Json[],
  schema: JsonObject,
  run: ValidationRun,
): boolean {
  if (!isList(expected)) return value.every((item) => check(expected as Schema, item, run))
  const further = (schema['additionalItems'] ?? true) as Schema
  return value.every((item, at) => check((expected[at] ?? further) as Schema, item, run))
}

function hasAll(expected: Json, value: JsonObject, _: JsonObject, { budget }: ValidationRun): boolean {
  return charged(expected as string[], budget).every((name) => Object.hasOwn(value, name))
}

function validateProperties(expected: Json, value: JsonObject, _: JsonObject, run: ValidationRun): boolean {
  const schemas = expected as JsonObject
  return namesOf(schemas, run).every(
    (name) => !Object.hasOwn(value, name) || check(schemas[name] as Schema, value[name]!, run),
  )
}

function validatePatternProperties(
  expected: Json,
  value: JsonObject,
  _: JsonObject,
  run: ValidationRun,
): boolean {
  const schemas = expected as JsonObject
  return namesOf(schemas, run).every((source) =>
    namesOf(value, run).every(
      (name) =>
        !run.set.pattern(source).finds(name, run.budget) ||
        check(schemas[source] as Schema, value[name]!, run),
    ),
  )
}

function validateAdditionalProperties(
  expected: Json,
  value: JsonObject,
  schema: JsonObject,
  run: ValidationRun,
): boolean {
  const { properties = {} } = schema
  const sources = namesOf((schema['patternProperties'] ?? {}) as JsonObject, run)
  return namesOf(value, run).every(
    (name) =>
      Object.hasOwn(properties as JsonObject, name) ||
      sources.some((source) => run.set.pattern(source).finds(name, run.budget)) ||
      check(expected as Schema, value[name]!, run),
  )
}

function validateDependencies(
  expected: Json,
  value: JsonObject,
  schema: JsonObject,
  run: ValidationRun,
): boolean {
  const dependencies = expected as JsonObject
  return namesOf(dependencies, run).every((name) => {
    if (!Object.hasOwn(value, name)) return true
    const needed = dependencies[name]!
    return Array.isArray(needed) ? hasAll(needed, value, schema, run) : check(needed as Schema, value, run)
  })
}

function validateIfThenElse(expected: Json, value: Json, schema: JsonObject, run: ValidationRun): boolean {
  const chosen = check(expected as Schema, value, run) ? schema['then'] : schema['else']
  return chosen === undefined || check(chosen as Schema, value, run)
}

function validateOneOf(expected: Json, value: Json, _: JsonObject, run: ValidationRun): boolean {
  let found = 0
  for (const one of expected as Schema[]) {
    if (check(one, value, run) && ++found > 1) return false
  }
  return found === 1
}
