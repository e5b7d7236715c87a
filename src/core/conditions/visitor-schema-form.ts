/**
 * Dialect of visitor schemas: the few forms of JSON Schema that the API accepts for the claims of visitors. Stored
 * schemas may be older and use more of JSON Schema, which `visitor-schema.ts` reads.
 */
import { type Json, type JsonObject, isObject } from '../json-schema/json.js'
import { metaschemaUri } from '../json-schema/metaschema.js'
import type { SchemaProblem } from '../json-schema/read.js'

const unsignedDescription = 'Unsigned claims of the site visitor.'
const scalars: readonly string[] = ['boolean', 'string', 'number']
const objectMembers = ['type', 'description', 'properties', 'additionalProperties']
const arrayMembers = ['type', 'description', 'items']

/** Returns the first member in which a schema differs from the dialect, and what is allowed there. */
export function findFormProblem(source: JsonObject): SchemaProblem | undefined {
  const { $schema: draft } = source
  if (draft !== undefined && draft !== `${metaschemaUri}#`)
    return { path: ['$schema'], problem: `must be "${metaschemaUri}#"` }
  return objectProblem(source, [], ['$schema', 'type', 'properties', 'additionalProperties'], (one, path) =>
    path[1] === 'unsigned' ? unsignedProblem(one, path) : claimProblem(one, path),
  )
}

type FindProblem = (claim: Json, path: readonly string[]) => SchemaProblem | undefined

/** Members of an object: of these names only, with claims that are named and no others. */
function objectProblem(
  schema: JsonObject,
  path: readonly string[],
  members: readonly string[],
  claimIn: FindProblem,
): SchemaProblem | undefined {
  const { type, properties, additionalProperties } = schema
  const unknown = unknownMember(schema, path, members)
  if (unknown !== undefined) return unknown
  if (type !== 'object') return { path: [...path, 'type'], problem: 'must be "object"' }
  if (!isObject(properties))
    return { path: [...path, 'properties'], problem: 'must be an object: it names the claims' }
  if (additionalProperties !== false)
    return {
      path: [...path, 'additionalProperties'],
      problem: 'must be false: claims that are not named are ignored',
    }
  for (const [name, claim] of Object.entries(properties)) {
    const problem = claimIn(claim, [...path, 'properties', name])
    if (problem !== undefined) return problem
  }
  return undefined
}

function unsignedProblem(claim: Json, path: readonly string[]): SchemaProblem | undefined {
  if (!isObject(claim)) return { path, problem: 'must be an object' }
  const problem = objectProblem(claim, path, objectMembers, claimProblem)
  if (problem !== undefined || claim['description'] === unsignedDescription) return problem
  return { path: [...path, 'description'], problem: `must be "${unsignedDescription}"` }
}

function claimProblem(claim: Json, path: readonly string[]): SchemaProblem | undefined {
  if (isObject(claim) && claim['type'] === 'object')
    return descriptionProblem(claim, path) ?? objectProblem(claim, path, objectMembers, claimProblem)
  if (isObject(claim) && claim['type'] === 'array') {
    const problem = unknownMember(claim, path, arrayMembers) ?? descriptionProblem(claim, path)
    return problem ?? scalarProblem(claim['items'], [...path, 'items'], scalars)
  }
  return scalarProblem(claim, path, [...scalars, 'array', 'object'])
}

/** `types` are those that the message names; arrays and objects were recognized before. */
function scalarProblem(
  claim: Json | undefined,
  path: readonly string[],
  types: readonly string[],
): SchemaProblem | undefined {
  if (!isObject(claim)) return { path, problem: 'must be an object with "type" and "description"' }
  const { type, enum: values } = claim
  if (typeof type !== 'string' || !scalars.includes(type)) {
    const allowed = types.map((one) => JSON.stringify(one)).join(', ')
    return { path: [...path, 'type'], problem: `must be one of ${allowed}` }
  }
  const members = ['type', 'description', ...(type === 'string' ? ['enum'] : [])]
  const problem = unknownMember(claim, path, members) ?? descriptionProblem(claim, path)
  if (problem !== undefined || values === undefined) return problem
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
    ? undefined
    : { path: [...path, 'enum'], problem: 'must be a list of texts' }
}

function descriptionProblem({ description }: JsonObject, path: readonly string[]): SchemaProblem | undefined {
  return typeof description === 'string'
    ? undefined
    : { path: [...path, 'description'], problem: 'must be a text: it says what the claim is' }
}

function unknownMember(
  schema: JsonObject,
  path: readonly string[],
  members: readonly string[],
): SchemaProblem | undefined {
  const unknown = Object.keys(schema).find((name) => !members.includes(name))
  if (unknown === undefined) return undefined
  return {
    path: [...path, unknown],
    problem: `is not used in visitor schemas: allowed are ${members.join(', ')}`,
  }
}
