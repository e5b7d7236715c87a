/**
 * Whether a value fits a schema: every keyword of draft-07, worked out over a budget. A schema may refer to itself, and
 * name the same thing twice as often at each step, so what it takes follows from neither its size nor the value's:
 * every schema that is asked counts, and past the budget OverBudget is thrown.
 */
import { type Budget, OverBudget } from '../budget.js'
import { type Json, type JsonObject, canonicalText, isObject } from './json.js'
import type { Schema, SchemaSet } from './read.js'

/** Schemas that are asked in one another; a schema that refers to itself asks for ever. */
const deepest = 200

interface ValidationRun {
  readonly set: SchemaSet
  readonly budget: Budget
  depth: number
}

/** Returns whether a value fits the schema, one of the set. Throws OverBudget when that takes too much. */
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

/** Returns whether a value fits what is at a keyword of a schema. */
type KeywordValidator = (held: Json, value: Json, schema: JsonObject, run: ValidationRun) => boolean

/** Names looked through that count as one step. */
const namesAStep = 10

/** Returns the names of an object, each of which is looked at: wide ones are paid for as deep ones are. */
function namesOf(object: JsonObject, { budget }: ValidationRun): readonly string[] {
  return charged(Object.keys(object), budget)
}

function charged<Item>(items: readonly Item[], budget: Budget): readonly Item[] {
  budget.spend('steps', Math.ceil(items.length / namesAStep))
  return items
}

/** Judges values of one kind; every other value fits. */
function of<Value extends Json>(
  isOfKind: (value: Json) => value is Value,
  judge: (held: Json, value: Value, schema: JsonObject, run: ValidationRun) => boolean,
): KeywordValidator {
  return (held, value, schema, run) => !isOfKind(value) || judge(held, value, schema, run)
}
const isNumber = (value: Json): value is number => typeof value === 'number'
const isText = (value: Json): value is string => typeof value === 'string'
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const numbers = (judge: (held: number, value: number) => boolean): KeywordValidator =>
  of(isNumber, (held, value) => judge(held as number, value))
const texts = (judge: (held: number, length: number) => boolean): KeywordValidator =>
  of(isText, (held, value, _, { budget }) => {
    budget.spend('steps', Math.ceil(value.length / 100))
    return judge(held as number, [...value].length)
  })

const judges: ReadonlyMap<string, KeywordValidator> = new Map([
  ['type', (held, value) => [held].flat().some((name) => isOfType(name as string, value))],
  ['enum', (held, value, _, { budget }) => isAmong(held as Json[], value, budget)],
  ['const', (held, value, _, { budget }) => isAmong([held], value, budget)],

  ['multipleOf', numbers(isMultiple)],
  ['maximum', numbers((held, value) => value <= held)],
  ['exclusiveMaximum', numbers((held, value) => value < held)],
  ['minimum', numbers((held, value) => value >= held)],
  ['exclusiveMinimum', numbers((held, value) => value > held)],

  ['maxLength', texts((held, length) => length <= held)],
  ['minLength', texts((held, length) => length >= held)],
  [
    'pattern',
    of(isText, (held, value, _, { set, budget }) => set.pattern(held as string).finds(value, budget)),
  ],

  ['items', of(isList, validateItems)],
  ['maxItems', of(isList, (held, value) => value.length <= (held as number))],
  ['minItems', of(isList, (held, value) => value.length >= (held as number))],
  ['uniqueItems', of(isList, (held, value, _, { budget }) => held !== true || areDifferent(value, budget))],
  ['contains', of(isList, (held, value, _, run) => value.some((item) => check(held as Schema, item, run)))],

  ['maxProperties', of(isObject, (held, value, _, run) => namesOf(value, run).length <= (held as number))],
  ['minProperties', of(isObject, (held, value, _, run) => namesOf(value, run).length >= (held as number))],
  ['required', of(isObject, hasAll)],
  ['properties', of(isObject, validateProperties)],
  ['patternProperties', of(isObject, validatePatternProperties)],
  ['additionalProperties', of(isObject, validateAdditionalProperties)],
  [
    'propertyNames',
    of(isObject, (held, value, _, run) =>
      namesOf(value, run).every((name) => check(held as Schema, name, run)),
    ),
  ],
  ['dependencies', of(isObject, validateDependencies)],

  ['if', validateIfThenElse],
  ['allOf', (held, value, _, run) => (held as Schema[]).every((one) => check(one, value, run))],
  ['anyOf', (held, value, _, run) => (held as Schema[]).some((one) => check(one, value, run))],
  ['oneOf', validateOneOf],
  ['not', (held, value, _, run) => !check(held as Schema, value, run)],
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

function isAmong(held: readonly Json[], value: Json, budget: Budget): boolean {
  const identity = canonicalText(value, budget)
  return held.some((one) => canonicalText(one, budget) === identity)
}

/** Whole multiples, as far as binary fractions tell: 0.0075 is 75 times 0.0001. */
function isMultiple(held: number, value: number): boolean {
  const times = value / held
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * Number.EPSILON * 4
}

function areDifferent(items: readonly Json[], budget: Budget): boolean {
  return new Set(items.map((item) => canonicalText(item, budget))).size === items.length
}

function validateItems(held: Json, value: readonly Json[], schema: JsonObject, run: ValidationRun): boolean {
  if (!isList(held)) return value.every((item) => check(held as Schema, item, run))
  const further = (schema['additionalItems'] ?? true) as Schema
  return value.every((item, at) => check((held[at] ?? further) as Schema, item, run))
}

function hasAll(held: Json, value: JsonObject, _: JsonObject, { budget }: ValidationRun): boolean {
  return charged(held as string[], budget).every((name) => Object.hasOwn(value, name))
}

function validateProperties(held: Json, value: JsonObject, _: JsonObject, run: ValidationRun): boolean {
  const schemas = held as JsonObject
  return namesOf(schemas, run).every(
    (name) => !Object.hasOwn(value, name) || check(schemas[name] as Schema, value[name]!, run),
  )
}

function validatePatternProperties(held: Json, value: JsonObject, _: JsonObject, run: ValidationRun): boolean {
  const schemas = held as JsonObject
  return namesOf(schemas, run).every((source) =>
    namesOf(value, run).every(
      (name) =>
        !run.set.pattern(source).finds(name, run.budget) ||
        check(schemas[source] as Schema, value[name]!, run),
    ),
  )
}

function validateAdditionalProperties(held: Json, value: JsonObject, schema: JsonObject, run: ValidationRun): boolean {
  const { properties = {} } = schema
  const sources = namesOf((schema['patternProperties'] ?? {}) as JsonObject, run)
  return namesOf(value, run).every(
    (name) =>
      Object.hasOwn(properties as JsonObject, name) ||
      sources.some((source) => run.set.pattern(source).finds(name, run.budget)) ||
      check(held as Schema, value[name]!, run),
  )
}

function validateDependencies(held: Json, value: JsonObject, schema: JsonObject, run: ValidationRun): boolean {
  const dependencies = held as JsonObject
  return namesOf(dependencies, run).every((name) => {
    if (!Object.hasOwn(value, name)) return true
    const needed = dependencies[name]!
    return Array.isArray(needed) ? hasAll(needed, value, schema, run) : check(needed as Schema, value, run)
  })
}

function validateIfThenElse(held: Json, value: Json, schema: JsonObject, run: ValidationRun): boolean {
  const chosen = check(held as Schema, value, run) ? schema['then'] : schema['else']
  return chosen === undefined || check(chosen as Schema, value, run)
}

function validateOneOf(held: Json, value: Json, _: JsonObject, run: ValidationRun): boolean {
  let found = 0
  for (const one of held as Schema[]) {
    if (check(one, value, run) && ++found > 1) return false
  }
  return found === 1
}
