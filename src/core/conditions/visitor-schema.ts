/**
 * Visitor schema: a JSON Schema whose root names a site's signed claims and, below `unsigned`, the claims visitors
 * send themselves. Claims are filtered by it before they are used: a claim that it does not name, or that does not
 * validate, is dropped.
 */
import { type Budget, OverBudget, createBudget, pageLimits } from '../budget.js'
import { isValid } from '../json-schema/validate.js'
import { type Json, type JsonObject, isObject } from '../json-schema/json.js'
import { metaschemaUri } from '../json-schema/metaschema.js'
import { type Schema, type SchemaProblem, type SchemaSet, readSchema } from '../json-schema/read.js'
import { splitFragment } from '../json-schema/uri.js'
import { hiddenKeys } from './evaluate.js'

export interface VisitorSchema {
  readonly set: SchemaSet
  readonly claims: JsonObject
  /** Undefined when unsigned claims are not accepted. */
  readonly unsigned: Schema | undefined
}

export type Claims = Readonly<Record<string, Json>>

/** Claims before filtering: those signed with the site's key, and unsigned ones sent by the visitor. */
export interface UnfilteredClaims {
  readonly signed: Claims
  readonly unsigned: Claims
}

/** Budget for filtering all claims of a visitor, and for one claim. */
const filterLimits = { ...pageLimits, steps: 100_000 }
const claimLimits = { steps: 20_000 }

/** Returns the parsed schema of a site, or what is wrong with it. */
export function readVisitorSchema(source: Json): VisitorSchema | SchemaProblem {
  const read = readSchema(source)
  if ('problem' in read) return read
  if (!isObject(source) || source['type'] !== 'object') return { path: ['type'], problem: 'must be "object"' }
  const { $schema: draft, properties } = source
  if (draft !== undefined && !isDraft(draft as string))
    return { path: ['$schema'], problem: `must be "${metaschemaUri}#"` }
  if (!isObject(properties))
    return { path: ['properties'], problem: 'must be an object: it names the claims' }
  const unsigned = Object.hasOwn(properties, 'unsigned') ? (properties['unsigned'] as Schema) : undefined
  if (isObject(unsigned) && unsigned['type'] !== 'object')
    return { path: ['properties', 'unsigned', 'type'], problem: 'must be "object"' }
  return { set: read.set, claims: properties, unsigned }
}

function isDraft(uri: string): boolean {
  return splitFragment(uri)[0].replace(/^https:/, 'http:') === metaschemaUri
}

/** Returns the claims that the schema accepts, in the shape that conditions read. */
export function filterClaims({ set, claims, unsigned }: VisitorSchema, input: UnfilteredClaims): Claims {
  const budget = createBudget(filterLimits)
  const { unsigned: _, ...signedSchemas } = claims
  const signed = filterEach(set, signedSchemas, input.signed, budget)
  // Unsigned claims are validated one by one as well, as far as the schema names them.
  const unsignedSchemas =
    unsigned === undefined
      ? undefined
      : undefinedOverBudget(() => propertiesOf(set, [unsigned], budget.share(claimLimits)))
  return {
    ...signed,
    unsigned: unsignedSchemas === undefined ? {} : filterEach(set, unsignedSchemas, input.unsigned, budget),
  }
}

/** Each claim is validated on its own: an invalid one does not affect the others. */
function filterEach(set: SchemaSet, schemas: JsonObject, input: Claims, budget: Budget): Claims {
  const fitting: [string, Json][] = []
  for (const [name, value] of Object.entries(input)) {
    if (hiddenKeys.has(name) || !Object.hasOwn(schemas, name)) continue
    const schema = schemas[name] as Schema
    const share = budget.share(claimLimits)
    const filtered = undefinedOverBudget(() => {
      const filteredValue = filterValue(set, [schema], value, share)
      return isValid(set, schema, filteredValue, share) ? filteredValue : undefined
    })
    if (filtered !== undefined) fitting.push([name, filtered])
  }
  return Object.fromEntries(fitting)
}

/** Returns the result, or undefined when it goes over the budget: a claim that cannot be validated is dropped. */
function undefinedOverBudget<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof OverBudget) return undefined
    throw error
  }
}

/** Returns a value without the members that no schema names, unless the schemas name none at all. */
function filterValue(set: SchemaSet, schemas: readonly Schema[], value: Json, budget: Budget): Json {
  budget.spend('steps')
  if (typeof value !== 'object' || value === null) return value
  return budget.nested(
    () =>
      isObject(value) ? filterObject(set, schemas, value, budget) : filterList(set, schemas, value, budget),
    (over) => {
      throw over
    },
  )
}

function filterList(set: SchemaSet, schemas: readonly Schema[], value: Json, budget: Budget): Json {
  const inside = partsOf(set, schemas, budget).flatMap(({ items }) =>
    items === undefined || Array.isArray(items) ? [] : [items as Schema],
  )
  return (value as readonly Json[]).map((item) => filterValue(set, inside, item, budget))
}

function filterObject(set: SchemaSet, schemas: readonly Schema[], value: JsonObject, budget: Budget): Json {
  const named = propertiesOf(set, schemas, budget)
  const members = Object.entries(value).filter(
    ([name]) => !hiddenKeys.has(name) && (named === undefined || Object.hasOwn(named, name)),
  )
  return Object.fromEntries(
    members.map(([name, item]) => [
      name,
      filterValue(set, named ? [named[name] as Schema] : [], item, budget),
    ]),
  )
}

/** Returns the schemas of the named members; undefined when none are named and any member is allowed. */
function propertiesOf(set: SchemaSet, schemas: readonly Schema[], budget: Budget): JsonObject | undefined {
  const properties = partsOf(set, schemas, budget).flatMap(({ properties }) =>
    isObject(properties) ? [properties] : [],
  )
  if (properties.length === 0) return undefined
  const named = new Map<string, Json[]>()
  for (const [name, schema] of properties.flatMap((one) => Object.entries(one))) {
    budget.spend('steps')
    const alternatives = named.get(name)
    if (alternatives === undefined) named.set(name, [schema])
    else alternatives.push(schema)
  }
  return Object.fromEntries(
    [...named].map(([name, all]) => [name, all.length === 1 ? all[0]! : { anyOf: all }]),
  )
}

/** Returns the schemas themselves and all subschemas that apply to the same value. */
function partsOf(set: SchemaSet, schemas: readonly Schema[], budget: Budget): JsonObject[] {
  const parts = new Set<JsonObject>()
  const pending = [...schemas]
  for (let schema: Schema | undefined; (schema = pending.pop()) !== undefined;) {
    if (typeof schema === 'boolean' || parts.has(schema)) continue
    budget.spend('steps')
    if ('$ref' in schema) {
      pending.push(set.follow(schema)!)
      continue
    }
    parts.add(schema)
    const { allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema
    pending.push(...[allOf, anyOf, oneOf].flatMap((some) => some as Schema[]))
    for (const one of [then, otherwise]) if (one !== undefined) pending.push(one as Schema)
  }
  return [...parts]
}
