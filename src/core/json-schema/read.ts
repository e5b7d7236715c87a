/**
 * Parses a JSON Schema draft-07: checks it keyword by keyword, reporting the path of each error, and indexes its
 * subschemas by their ids.
 *
 * References resolve to schemas of the same document, and to the draft's metaschema. Nothing is fetched.
 */
import { decodePercent } from '../links/resolve.js'
import { type Json, type JsonObject, isObject } from './json.js'
import { type SubschemaKind, subschemaKeywords, isNames, keywordRules } from './keywords.js'
import { metaschema, metaschemaUri } from './metaschema.js'
import { type Pattern, readPattern } from './patterns.js'
import { resolveUri, splitFragment } from './uri.js'

export type Schema = boolean | JsonObject

/** Most names from the root to a schema, and most schemas. */
const [deepestSchema, mostSchemas] = [100, 5_000]
/** States of all patterns together: some tens of milliseconds. */
const mostStates = 20_000

export interface SchemaSet {
  readonly root: Schema
  /** Returns the target of a schema's reference; undefined where there is none. */
  follow(schema: JsonObject): Schema | undefined
  pattern(source: string): Pattern
}

export interface SchemaProblem {
  /** Names from the root to the keyword that is wrong. */
  readonly path: readonly string[]
  /** Follows the path, without a full stop. */
  readonly problem: string
}

/** Thrown while reading, and caught where reading began. */
class SchemaError extends Error {
  constructor(
    readonly path: readonly string[],
    readonly problem: string,
  ) {
    super(problem)
  }
}

/** Returns a schema, or its error. `others` are documents that it may refer to, by their addresses. */
export function readSchema(
  source: Json,
  others: Readonly<Record<string, Json>> = {},
): { readonly set: SchemaSet } | SchemaProblem {
  const bases = new Map<JsonObject, string>()
  const named = new Map<string, Schema>()
  const patterns = new Map<string, Pattern>()
  const followed = new Map<JsonObject, Schema>()
  const references: { readonly schema: JsonObject; readonly path: readonly string[] }[] = []

  function visit(value: Json, base: string, path: readonly string[]): void {
    if (typeof value === 'boolean') return
    if (!isObject(value)) throw new SchemaError(path, 'must be a schema: an object, true or false')
    if (path.length > deepestSchema)
      throw new SchemaError(path, `is nested deeper than ${deepestSchema} names`)
    if (bases.size >= mostSchemas) throw new SchemaError(path, `is one of more than ${mostSchemas} schemas`)
    const own = '$ref' in value ? base : enter(value, base)
    bases.set(value, own)
    if ('$ref' in value) references.push({ schema: value, path })
    for (const [keyword, keywordValue] of Object.entries(value)) {
      const location = [...path, keyword]
      const rule = keywordRules.get(keyword)
      if (rule !== undefined && !rule.fits(keywordValue))
        throw new SchemaError(location, `must be ${rule.demand}`)
      if (keyword === 'pattern') keep(keywordValue as string, location)
      if (keyword === 'patternProperties')
        for (const one of Object.keys(keywordValue as JsonObject)) keep(one, [...location, one])
      const kind = subschemaKeywords.get(keyword)
      for (const [name, inner] of kind === undefined ? [] : subschemasIn(kind, keywordValue)) {
        visit(inner, own, name === undefined ? location : [...location, name])
      }
    }
  }

  /** Registers the `$id` of a schema, and returns the base address of its references. */
  function enter(schema: JsonObject, base: string): string {
    const id = schema['$id']
    if (typeof id !== 'string') return base
    const [uri, fragment] = splitFragment(id)
    const own = uri === '' ? base : resolveUri(base, uri)
    named.set(fragment === '' ? own : `${own}#${fragment}`, schema)
    return own
  }

  let states = 0
  function keep(source: string, path: readonly string[]): void {
    if (patterns.has(source)) return
    const pattern = readPattern(source)
    if ('problem' in pattern) throw new SchemaError(path, pattern.problem)
    states += pattern.states
    if (states > mostStates) throw new SchemaError(path, 'is too much, together with the patterns before it')
    patterns.set(source, pattern)
  }

  /** Resolves each reference once, so that following it takes constant time. */
  function follow(schema: JsonObject): Schema | undefined {
    const known = followed.get(schema) ?? lookUp(schema)
    if (known !== undefined) followed.set(schema, known)
    return known
  }

  function lookUp(schema: JsonObject): Schema | undefined {
    const base = bases.get(schema) ?? ''
    const [uri, fragment] = splitFragment(schema['$ref'] as string)
    const document = uri === '' ? base : resolveUri(base, uri)
    if (fragment !== '' && !fragment.startsWith('/')) return named.get(`${document}#${fragment}`)
    const whole = named.get(document)
    return whole === undefined || fragment === '' ? whole : stepInto(whole, document, fragment)
  }

  /** Follows a pointer; schemas on the way may have their own addresses. */
  function stepInto(whole: Schema, document: string, pointer: string): Schema | undefined {
    let found: Json = whole
    let base = document
    for (const part of decodePercent(pointer).split('/').slice(1)) {
      if (typeof found !== 'object' || found === null) return undefined
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (!Object.hasOwn(found, name)) return undefined
      found = (found as JsonObject)[name]!
      if (isObject(found)) base = bases.get(found) ?? base
    }
    if (typeof found === 'boolean') return found
    if (!isObject(found)) return undefined
    // A value below an unknown keyword is a schema once a reference points to it.
    if (!bases.has(found)) visit(found, base, ['$ref', pointer])
    return found
  }

  try {
    for (const [uri, document] of Object.entries({ ...others, [metaschemaUri]: metaschema })) {
      named.set(uri, document as Schema)
      visit(document, uri, [])
    }
    named.set('', source as Schema)
    visit(source, '', [])
    // The target of a reference may have more references.
    for (let at = 0; at < references.length; at++) {
      const { schema, path } = references[at]!
      if (follow(schema) === undefined)
        throw new SchemaError(
          [...path, '$ref'],
          'must name a schema of this document: nothing else is looked up',
        )
    }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return { path: error.path, problem: error.problem }
  }
  return { set: { root: source as Schema, follow, pattern: (source) => patterns.get(source)! } }
}

/** Returns the subschemas of a keyword, by their names or indexes in it. */
function subschemasIn(
  kind: SubschemaKind,
  value: Json,
): (readonly [name: string | undefined, schema: Json])[] {
  if (kind === 'schema' || (kind === 'schemaOrSchemas' && !Array.isArray(value))) return [[undefined, value]]
  const entries = Object.entries(value as JsonObject)
  return kind === 'namedOrNames' ? entries.filter(([, one]) => !isNames(one)) : entries
}
