/**
 * Keywords of JSON Schema draft-07: the valid values of each, and which of them have subschemas. Annotations
 * (titles, formats, defaults) are accepted and never validated.
 */
import { type Json, isObject } from './json.js'

/** The form of a keyword's subschemas. */
export type SubschemaKind = 'schema' | 'schemas' | 'schemaOrSchemas' | 'named' | 'namedOrNames'

export const subschemaKeywords: ReadonlyMap<string, SubschemaKind> = new Map([
  ['items', 'schemaOrSchemas'],
  ['additionalItems', 'schema'],
  ['contains', 'schema'],
  ['properties', 'named'],
  ['patternProperties', 'named'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['dependencies', 'namedOrNames'],
  ['definitions', 'named'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
])

const typeNames: ReadonlySet<Json> = new Set<Json>([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
])

interface Rule {
  readonly fits: (value: Json) => boolean
  /** Follows "must be". */
  readonly demand: string
}

export function isNames(value: Json): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
}

function isText(value: Json): boolean {
  return typeof value === 'string'
}

function isTypes(value: Json): boolean {
  return (
    isNames(value) && (value as Json[]).length > 0 && (value as Json[]).every((one) => typeNames.has(one))
  )
}

const text: Rule = { fits: isText, demand: 'a text' }
const flag: Rule = { fits: (value) => typeof value === 'boolean', demand: 'true or false' }
const number: Rule = { fits: (value) => typeof value === 'number', demand: 'a number' }
const list: Rule = { fits: (value) => Array.isArray(value), demand: 'a list' }
const count: Rule = {
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
  demand: 'a whole number that is not negative',
}
const schemas: Rule = {
  fits: (value) => Array.isArray(value) && value.length > 0,
  demand: 'a list of schemas that is not empty',
}
const object: Rule = { fits: isObject, demand: 'an object' }

/** Constraints on the value of each keyword, apart from its subschemas. */
export const keywordRules: ReadonlyMap<string, Rule> = new Map([
  ['$id', text],
  ['$schema', text],
  ['$ref', text],
  ['$comment', text],
  ['title', text],
  ['description', text],
  ['format', text],
  ['contentMediaType', text],
  ['contentEncoding', text],
  ['pattern', text],
  ['readOnly', flag],
  ['uniqueItems', flag],
  ['examples', list],
  ['enum', list],
  ['maximum', number],
  ['minimum', number],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['multipleOf', { fits: (value) => typeof value === 'number' && value > 0, demand: 'a number above 0' }],
  ['maxLength', count],
  ['minLength', count],
  ['maxItems', count],
  ['minItems', count],
  ['maxProperties', count],
  ['minProperties', count],
  ['required', { fits: isNames, demand: 'a list of different texts' }],
  ['allOf', schemas],
  ['anyOf', schemas],
  ['oneOf', schemas],
  ['properties', object],
  ['patternProperties', object],
  ['dependencies', object],
  ['definitions', object],
  [
    'type',
    {
      fits: (value) => typeNames.has(value) || isTypes(value),
      demand: `one of ${[...typeNames].map((name) => `"${String(name)}"`).join(', ')}, or a list of these`,
    },
  ],
])
