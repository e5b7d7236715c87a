/**
 * What a site may know of its visitors: a JSON Schema whose root names the claims, and below `unsigned` those that
 * visitors say of themselves. Claims are cut by it before anything asks for them: what it does not name, or what does
 * not fit, is not there.
 */
import { type Budget, OverBudget, createBudget, pageLimits } from '../budget.js'
import { fits } from '../json-schema/fits.js'
import { type Json, type JsonObject, isObject } from '../json-schema/json.js'
import { metaschemaUri } from '../json-schema/metaschema.js'
import { type Schema, type SchemaProblem, type SchemaSet, readSchema } from '../json-schema/read.js'
import { splitFragment } from '../json-schema/uri.js'
import { hiddenKeys } from './evaluate.js'

export interface VisitorSchema {
  readonly set: SchemaSet
  readonly claims: JsonObject
  /** Undefined where visitors cannot say anything of themselves. */
  readonly unsigned: Schema | undefined
}

export type Claims = Readonly<Record<string, Json>>

/** What visitors are known by: claims that were signed with the key of the site, and those that they say themselves. */
export interface GivenClaims {
  readonly signed: Claims
  readonly unsigned: Claims
}

/** What cutting all claims of a visitor may take, and one of them. */
const cuttingLimits = { ...pageLimits, steps: 100_000 }
const ofOneClaim = { steps: 20_000 }

/** Returns the schema that a site is given, or what is wrong with it. */
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

/** Returns what of somebody's claims a site knows, as conditions see it. */
export function cutClaims({ set, claims, unsigned }: VisitorSchema, given: GivenClaims): Claims {
  const budget = createBudget(cuttingLimits)
  const { unsigned: _, ...ofKey } = claims
  const signed = cutEach(set, ofKey, given.signed, budget)
  // What somebody says is judged claim by claim as well, as far as the schema names them.
  const named =
    unsigned === undefined
      ? undefined
      : affordable(() => propertiesOf(set, [unsigned], budget.share(ofOneClaim)))
  return { ...signed, unsigned: named === undefined ? {} : cutEach(set, named, given.unsigned, budget) }
}

/** Each claim is judged on its own: one that does not fit takes no other along. */
function cutEach(set: SchemaSet, schemas: JsonObject, given: Claims, budget: Budget): Claims {
  const kept: [string, Json][] = []
  for (const [name, value] of Object.entries(given)) {
    if (hiddenKeys.has(name) || !Object.hasOwn(schemas, name)) continue
    const schema = schemas[name] as Schema
    const share = budget.share(ofOneClaim)
    const cut = affordable(() => {
      const cut = cutValue(set, [schema], value, share)
      return fits(set, schema, cut, share) ? cut : undefined
    })
    if (cut !== undefined) kept.push([name, cut])
  }
  return Object.fromEntries(kept)
}

/** Returns what was worked out; undefined for what takes too much: what cannot be judged does not fit. */
function affordable<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof OverBudget) return undefined
    throw error
  }
}

/** Returns a value without the members that no schema names, where the schemas name any. */
function cutValue(set: SchemaSet, schemas: readonly Schema[], value: Json, budget: Budget): Json {
  budget.spend('steps')
  if (typeof value !== 'object' || value === null) return value
  return budget.nested(
    () => (isObject(value) ? cutObject(set, schemas, value, budget) : cutList(set, schemas, value, budget)),
    (over) => {
      throw over
    },
  )
}

function cutList(set: SchemaSet, schemas: readonly Schema[], value: Json, budget: Budget): Json {
  const inside = partsOf(set, schemas, budget).flatMap(({ items }) =>
    items === undefined || Array.isArray(items) ? [] : [items as Schema],
  )
  return (value as readonly Json[]).map((item) => cutValue(set, inside, item, budget))
}

function cutObject(set: SchemaSet, schemas: readonly Schema[], value: JsonObject, budget: Budget): Json {
  const named = propertiesOf(set, schemas, budget)
  const kept = Object.entries(value).filter(
    ([name]) => !hiddenKeys.has(name) && (named === undefined || Object.hasOwn(named, name)),
  )
  return Object.fromEntries(
    kept.map(([name, item]) => [name, cutValue(set, named ? [named[name] as Schema] : [], item, budget)]),
  )
}

/** Returns the schemas of the members that are named; undefined where none are, and any member will do. */
function propertiesOf(set: SchemaSet, schemas: readonly Schema[], budget: Budget): JsonObject | undefined {
  const found = partsOf(set, schemas, budget).flatMap(({ properties }) =>
    isObject(properties) ? [properties] : [],
  )
  if (found.length === 0) return undefined
  const named = new Map<string, Json[]>()
  for (const [name, schema] of found.flatMap((one) => Object.entries(one))) {
    budget.spend('steps')
    const known = named.get(name)
    if (known === undefined) named.set(name, [schema])
    else known.push(schema)
  }
  return Object.fromEntries(
    [...named].map(([name, all]) => [name, all.length === 1 ? all[0]! : { anyOf: all }]),
  )
}

/** Returns the schemas themselves and those that speak of the same value. */
function partsOf(set: SchemaSet, schemas: readonly Schema[], budget: Budget): JsonObject[] {
  const parts = new Set<JsonObject>()
  const waiting = [...schemas]
  for (let schema: Schema | undefined; (schema = waiting.pop()) !== undefined;) {
    if (typeof schema === 'boolean' || parts.has(schema)) continue
    budget.spend('steps')
    if ('$ref' in schema) {
      waiting.push(set.follow(schema)!)
      continue
    }
    parts.add(schema)
    const { allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema
    waiting.push(...[allOf, anyOf, oneOf].flatMap((some) => some as Schema[]))
    for (const one of [then, otherwise]) if (one !== undefined) waiting.push(one as Schema)
  }
  return [...parts]
}
