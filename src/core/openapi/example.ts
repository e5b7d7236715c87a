/** Examples of media types: declared ones, or values generated from the schema. Bounded and deterministic. */
import { type Budget, OverBudget } from '../budget.js'
import { isMapping } from '../mapping.js'
import type { SpecificationObject } from './parse.js'
import { type FlatSchema, type SchemaReader, alternativesOf, typesOf } from './schema.js'
import type { Specification } from './specification.js'
import { listOf, objectOf, resolveObject, textOf } from './values.js'
import type { ExampleView } from './view.js'

/** Direction of a value: read-only members are not sent to the server. */
export type Direction = 'request' | 'response'

/** Most values of a generated example, and levels. */
const [mostValues, deepest] = [300, 7]
const mostExamples = 10
const longestExample = 20_000

const byFormat: ReadonlyMap<string, string> = new Map([
  ['date-time', '2025-01-01T12:00:00Z'],
  ['date', '2025-01-01'],
  ['time', '12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'name@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uri-reference', '/path'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ['byte', 'dGV4dA=='],
  ['binary', 'binary'],
  ['password', 'password'],
])

/** Returns a value that matches the schema as far as possible; undefined for a schema that no value matches. */
export function generateExample(
  reader: SchemaReader,
  schema: unknown,
  direction: Direction,
  budget: Budget,
): unknown {
  let left = mostValues
  const around: string[] = []

  function make(declared: unknown, depth: number): unknown {
    left -= 1
    budget.spend('steps')
    const flat = reader.flatten(declared)
    const { words, pointers } = flat
    const declaredValues = words['example'] ?? listOf(words['examples'])[0] ?? words['x-example']
    if (declaredValues !== undefined) return declaredValues
    if (words['const'] !== undefined) return words['const']
    if (words['default'] !== undefined && words['default'] !== null) return words['default']
    const [choice] = listOf(words['enum'])
    if (choice !== undefined) return choice
    if (depth >= deepest || left <= 0) return undefined
    if (pointers.some((pointer) => around.includes(pointer))) return undefined
    around.push(...pointers)
    try {
      return generateByType(flat, depth)
    } finally {
      around.length -= pointers.length
    }
  }

  function generateByType(flat: FlatSchema, depth: number): unknown {
    const { words, properties } = flat
    const [type] = typesOf(flat)
    const alternatives = alternativesOf(words)
    if (alternatives !== undefined && (type === undefined || (type === 'object' && properties.size === 0)))
      return make(alternatives.schemas[0], depth)
    switch (type) {
      case 'object': {
        const first = alternatives && make(alternatives.schemas[0], depth)
        return { ...(isMapping(first) && first), ...generateObject(flat, depth) }
      }
      case 'array': {
        const [head] = listOf(words['prefixItems'])
        const item = make(words['items'] ?? head ?? true, depth + 1)
        return item === undefined ? [] : [item]
      }
      case 'integer':
      case 'number':
        return numberOf(words)
      case 'boolean':
        return true
      case 'null':
        return null
      case undefined:
        return properties.size > 0 ? generateObject(flat, depth) : depth === 0 ? undefined : 'text'
      default:
        return textFor(words)
    }
  }

  function generateObject({ words, properties }: FlatSchema, depth: number): SpecificationObject {
    const members: [string, unknown][] = []
    for (const [name, member] of properties) {
      if (left <= 0) break
      const words = reader.flatten(member).words
      if (direction === 'request' ? words['readOnly'] === true : words['writeOnly'] === true) continue
      const value = make(member, depth + 1)
      if (value !== undefined) members.push([name, value])
    }
    const others = words['additionalProperties']
    if (members.length === 0 && isMapping(others)) {
      const value = make(others, depth + 1)
      if (value !== undefined) members.push(['key', value])
    }
    return Object.fromEntries(members)
  }

  try {
    return make(schema, 0)
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return undefined
  }
}

function numberOf(words: SpecificationObject): number {
  const { minimum, maximum, multipleOf } = words
  const least = typeof minimum === 'number' ? minimum : words['exclusiveMinimum']
  if (typeof least === 'number' && least > 1) return typeof multipleOf === 'number' ? multipleOf : least
  if (typeof maximum === 'number' && maximum < 1) return maximum
  return typeof multipleOf === 'number' ? multipleOf : 1
}

function textFor({ format, minLength, maxLength }: SpecificationObject): string {
  const known = typeof format === 'string' ? byFormat.get(format) : undefined
  if (known !== undefined) return known
  const least = typeof minLength === 'number' ? Math.min(minLength, 40) : 0
  const most = typeof maxLength === 'number' ? Math.max(0, maxLength) : 40
  return 'text'.padEnd(least, 'x').slice(0, most)
}

interface Exemplary {
  readonly specification: Specification
  readonly reader: SchemaReader
  readonly budget: Budget
  readonly direction: Direction
}

/** Returns the examples of a media type: declared ones, else a generated one. */
export function examplesOf(
  { specification, reader, budget, direction }: Exemplary,
  mediaType: string,
  media: SpecificationObject,
): readonly ExampleView[] {
  const declared: ExampleView[] = []
  const { examples } = media
  const named = Array.isArray(examples)
    ? examples.map((value, index) => [String(index + 1), { value }] as const)
    : Object.entries(objectOf(examples))
  for (const [name, one] of named.slice(0, mostExamples)) {
    const found = resolveObject(specification, one)
    const value = found['serializedValue'] ?? found['dataValue'] ?? found['value'] ?? found['externalValue']
    if (value === undefined) continue
    const summary = textOf(found['summary'] ?? found['description'], 200)
    declared.push({
      name,
      ...(summary !== undefined && { summary }),
      ...formatValue(value, mediaType),
      isMade: false,
    })
  }
  if (declared.length > 0) return declared
  if (media['example'] !== undefined) return [{ ...formatValue(media['example'], mediaType), isMade: false }]
  const { schema = media['itemSchema'] } = media
  if (schema === undefined) return []
  const made = generateExample(reader, schema, direction, budget)
  if (made === undefined) return []
  if (/[/+]xml\b/.test(mediaType)) {
    const { words, name } = reader.flatten(schema)
    const root = textOf(objectOf(words['xml'])['name'], 100) ?? name ?? 'root'
    return [{ text: cut(xmlOf(root, made, '')), syntax: 'xml', isMade: true }]
  }
  return [{ ...formatValue(made, mediaType), isMade: true }]
}

/** A value as it is in a body of the media type. */
function formatValue(value: unknown, mediaType: string): Pick<ExampleView, 'text' | 'syntax'> {
  const isXml = /[/+]xml\b/.test(mediaType)
  const isYaml = /yaml\b/.test(mediaType)
  if (typeof value === 'string') {
    const isJson = /json\b/i.test(mediaType) && /^\s*[[{]/.test(value)
    return {
      text: cut(value),
      ...(isXml && { syntax: 'xml' }),
      ...(isYaml && { syntax: 'yaml' }),
      ...(isJson && { syntax: 'json' }),
    }
  }
  if (isForm(mediaType) && isMapping(value)) return { text: cut(formOf(value)) }
  return { text: cut(JSON.stringify(value, null, 2) ?? ''), syntax: 'json' }
}

export function isForm(mediaType: string): boolean {
  return mediaType.startsWith('application/x-www-form-urlencoded')
}

/** Members of members in brackets, as most servers read them. */
function formOf(value: SpecificationObject): string {
  const pairs: string[] = []
  const add = (name: string, member: unknown): void => {
    if (Array.isArray(member)) for (const item of member) add(`${name}[]`, item)
    else if (isMapping(member)) for (const [key, one] of Object.entries(member)) add(`${name}[${key}]`, one)
    else
      pairs.push(
        `${encodeURIComponent(toWellFormed(name))}=${encodeURIComponent(toWellFormed(String(member)))}`,
      )
  }
  for (const [key, member] of Object.entries(value)) add(key, member)
  return pairs.join('&')
}

/** Replaces unpaired surrogates, which an address cannot have. */
export function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd')
}

function xmlOf(name: string, value: unknown, indent: string): string {
  const tag = name.replace(/[^\w.-]/g, '_')
  if (Array.isArray(value)) return value.map((item) => xmlOf(name, item, indent)).join('\n')
  if (!isMapping(value)) return `${indent}<${tag}>${escapeXml(String(value))}</${tag}>`
  const members = Object.entries(value).map(([key, member]) => xmlOf(key, member, `${indent}  `))
  return `${indent}<${tag}>\n${members.join('\n')}\n${indent}</${tag}>`
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (one) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[one]!)
}

function cut(text: string): string {
  return text.length > longestExample ? `${text.slice(0, longestExample)}\n…` : text
}
