/** Examples of media types: declared ones, or values generated from the schema. Bounded and deterministic. */
import { type Budget, OverBudget } from '../budget.js'
import { isMapping } from '../mapping.js'
import type { SpecificationObject } from './parse.js'
import { longestSample, sampleOfPattern } from './pattern-sample.js'
import {
  type AncestorSchemas,
  type FlatSchema,
  type SchemaReader,
  alternativesOf,
  isAbove,
  typesOf,
} from './schema.js'
import type { Specification } from './specification.js'
import { listOf, objectOf, resolveObject, textOf } from './values.js'
import type { ExampleView } from './view.js'

/** Direction of a value: read-only members are not sent to the server. */
export type Direction = 'request' | 'response'

/** Most values of a generated example, and levels, as far as they may be left out. */
const [mostValues, deepest] = [300, 7]
/** The same for members that are required. */
const [mostRequiredValues, deepestRequired] = [1_000, 30]
const [mostItems, mostTriedAlternatives] = [10, 10]
const mostExamples = 10
const longestExample = 20_000

const two = (number: number) => String(number + 1).padStart(2, '0')
const ordinal = (variant: number) => (variant === 0 ? '' : String(variant + 1))

/** Samples of formats; those of different numbers differ where a list may need several. */
const byFormat = new Map<string, (variant: number) => string>([
  ['date-time', (variant) => `2025-01-${two(variant)}T12:00:00Z`],
  ['date', (variant) => `2025-01-${two(variant)}`],
  ['time', (variant) => `12:${two(variant - 1)}:00Z`],
  ['duration', (variant) => `P${variant + 1}D`],
  ['email', (variant) => `name${ordinal(variant)}@example.com`],
  ['hostname', (variant) => `${variant === 0 ? '' : `host${variant + 1}.`}example.com`],
  ['ipv4', (variant) => `192.0.2.${variant + 1}`],
  ['ipv6', (variant) => `2001:db8::${variant + 1}`],
  ['uri', (variant) => `https://example.com${variant === 0 ? '' : `/${variant + 1}`}`],
  ['url', (variant) => `https://example.com${variant === 0 ? '' : `/${variant + 1}`}`],
  ['uri-reference', (variant) => `/path${ordinal(variant)}`],
  ['uuid', (variant) => `123e4567-e89b-12d3-a456-42661417400${variant % 10}`],
  ['byte', () => 'dGV4dA=='],
  ['binary', () => 'binary'],
  ['password', (variant) => `password${ordinal(variant)}`],
])

/**
 * Returns an example of the schema; undefined for a schema that no value matches. Where a required member has no end, the
 * optional one around it is left out; where there is none, the required member itself.
 */
export function generateExample(
  reader: SchemaReader,
  schema: unknown,
  direction: Direction,
  budget: Budget,
): unknown {
  try {
    return (
      generateValue(reader, schema, direction, budget, 'complete') ??
      generateValue(reader, schema, direction, budget, 'partial')
    )
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return undefined
  }
}

/** Returns a complete value, or undefined without one; or a value in which required members may be missing. */
function generateValue(
  reader: SchemaReader,
  schema: unknown,
  direction: Direction,
  budget: Budget,
  mode: 'complete' | 'partial',
): unknown {
  const isComplete = mode === 'complete'
  let count = 0

  function make(
    declared: unknown,
    depth: number,
    isRequired: boolean,
    above: AncestorSchemas | undefined,
  ): unknown {
    count += 1
    budget.spend('steps')
    const whole = reader.flatten(declared)
    const { words, pointers, merged } = whole
    if (whole.isNever) return undefined
    const declaredValues = words['example'] ?? listOf(words['examples'])[0] ?? words['x-example']
    if (declaredValues !== undefined) return declaredValues
    if (words['const'] !== undefined) return words['const']
    if (words['default'] !== undefined && words['default'] !== null) return words['default']
    const [choice] = listOf(words['enum'])
    if (choice !== undefined) return choice
    if (isPastLimits(depth, isRequired)) return undefined
    if (isAbove(pointers, above)) return undefined
    // The name of a schema ends its recursion; one without a name leaves out what encloses it.
    const flat = pointers.length > 0 ? whole : reader.flattenInside(declared, above)
    if (flat !== whole && flat.properties.size === 0) return undefined
    return generateByType(flat, depth, isRequired, { pointers, merged, outer: above })
  }

  function isPastLimits(depth: number, isRequired: boolean): boolean {
    return isRequired && isComplete
      ? depth >= deepestRequired || count > mostRequiredValues
      : depth >= deepest || count > mostValues
  }

  function generateByType(
    flat: FlatSchema,
    depth: number,
    isRequired: boolean,
    above: AncestorSchemas,
  ): unknown {
    const { words, properties } = flat
    const [type] = typesOf(flat)
    const alternatives = alternativesOf(words)
    const makeAlternative = () => {
      for (const alternative of alternatives?.schemas.slice(0, mostTriedAlternatives) ?? []) {
        const value = make(alternative, depth, isRequired, above)
        if (value !== undefined) return value
      }
      return undefined
    }
    if (alternatives !== undefined && (type === undefined || (type === 'object' && properties.size === 0)))
      return makeAlternative()
    switch (type) {
      case 'object': {
        const first = makeAlternative()
        const own = generateObject(flat, depth, isRequired, above)
        return own && { ...(isMapping(first) && first), ...own }
      }
      case 'array':
        return generateItems(words, depth, isRequired, above)
      case 'integer':
      case 'number':
        return numberOf(words, type)
      case 'boolean':
        return true
      case 'null':
        return null
      case undefined:
        return properties.size > 0
          ? generateObject(flat, depth, isRequired, above)
          : depth === 0
            ? undefined
            : textFor(words, budget)
      default:
        return textFor(words, budget)
    }
  }

  function generateItems(
    words: SpecificationObject,
    depth: number,
    isRequired: boolean,
    above: AncestorSchemas,
  ): readonly unknown[] | undefined {
    const first = listOf(words['prefixItems'])
    const least = typeof words['minItems'] === 'number' ? Math.min(words['minItems'], mostItems) : 0
    const most = typeof words['maxItems'] === 'number' ? words['maxItems'] : mostItems
    const length = Math.min(most, Math.max(1, least, Math.min(first.length, mostItems)))
    const items: unknown[] = []
    for (let at = 0; at < length; at++) {
      const item = make(first[at] ?? words['items'] ?? true, depth + 1, isRequired && at < least, above)
      if (item === undefined) break
      items.push(item)
    }
    const distinct =
      words['uniqueItems'] === true ? distinguish(items, reader.flatten(words['items']).words, budget) : items
    return isComplete && distinct.length < least ? undefined : distinct
  }

  function generateObject(
    { words, properties, required }: FlatSchema,
    depth: number,
    isRequired: boolean,
    above: AncestorSchemas,
  ): SpecificationObject | undefined {
    const members: [string, unknown][] = []
    for (const [name, member] of properties) {
      const isMemberRequired = isRequired && isComplete && required.has(name)
      const mustExist = isComplete && required.has(name)
      if (!isMemberRequired && count >= mostValues) {
        if (mustExist) return undefined
        continue
      }
      const { words: inner } = reader.flatten(member)
      if (direction === 'request' ? inner['readOnly'] === true : inner['writeOnly'] === true) continue
      const value = make(member, depth + 1, isMemberRequired, above)
      if (value !== undefined) members.push([name, value])
      else if (mustExist) return undefined
    }
    const others = words['additionalProperties']
    if (members.length === 0 && isMapping(others)) {
      const value = make(others, depth + 1, false, above)
      const { pattern } = reader.flatten(words['propertyNames']).words
      const name = pattern === undefined ? 'key' : textFor({ pattern }, budget)
      if (value !== undefined && name !== undefined) members.push([name, value])
    }
    return Object.fromEntries(members)
  }

  return make(schema, 0, true, undefined)
}

/** Makes items that must be unique differ: further values of an enum, a text or a number; returns those that do. */
function distinguish(items: readonly unknown[], words: SpecificationObject, budget: Budget): unknown[] {
  const { enum: choices, multipleOf, const: constant } = words
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1
  const declared = words['example'] ?? listOf(words['examples'])[0] ?? words['x-example'] ?? constant
  const different = items.map((item, at) => {
    if (at === 0) return item
    if (Array.isArray(choices)) return choices[at] ?? item
    if (typeof item === 'string' && declared === undefined) return textFor(words, budget, at) ?? item
    if (typeof item === 'number' && declared === undefined)
      return isInBounds(words, item + at * step) ? item + at * step : item
    return item
  })
  const seen = new Set<string>()
  return different.filter((item) => {
    const written = JSON.stringify(item)
    return !seen.has(written) && seen.add(written)
  })
}

function numberOf(words: SpecificationObject, type: 'integer' | 'number'): number {
  const { multipleOf } = words
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1
  const { low, high } = boundsOf(words)
  const isIn = (value: number) => isInBounds(words, value)
  if (isIn(step)) return step
  const candidates = [
    Math.ceil(low.value / step) * step,
    Math.floor(low.value / step) * step + step,
    Math.floor(high.value / step) * step,
    Math.ceil(high.value / step) * step - step,
    // Between bounds that enclose no whole number.
    ...(type === 'number' && multipleOf === undefined ? [(low.value + high.value) / 2] : []),
  ]
  return candidates.find((value) => Number.isFinite(value) && isIn(value)) ?? step
}

function boundsOf(words: SpecificationObject) {
  return {
    low: boundOf(words['minimum'], words['exclusiveMinimum'], Math.max, -Infinity),
    high: boundOf(words['maximum'], words['exclusiveMaximum'], Math.min, Infinity),
  }
}

function isInBounds(words: SpecificationObject, value: number): boolean {
  const { low, high } = boundsOf(words)
  return (
    (low.isOpen ? value > low.value : value >= low.value) &&
    (high.isOpen ? value < high.value : value <= high.value)
  )
}

/** Returns the stricter bound; `exclusive` is a bound, or in older specifications says how the other is meant. */
function boundOf(
  inclusive: unknown,
  exclusive: unknown,
  stricter: (...values: number[]) => number,
  none: number,
): { readonly value: number; readonly isOpen: boolean } {
  const closed = typeof inclusive === 'number' ? inclusive : none
  if (typeof exclusive !== 'number') return { value: closed, isOpen: exclusive === true }
  return { value: stricter(closed, exclusive), isOpen: stricter(closed, exclusive) === exclusive }
}

/** Returns a text of the schema; undefined where none is known that its pattern or its length allows. */
function textFor(words: SpecificationObject, budget: Budget, variant = 0): string | undefined {
  const { format, minLength, maxLength, pattern } = words
  const known = typeof format === 'string' ? byFormat.get(format)?.(variant) : undefined
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? Math.max(0, maxLength) : Infinity
  const plain = `text${ordinal(variant)}`
  if (typeof pattern === 'string') {
    const preferred = [...(known === undefined ? [] : [known]), plain]
    return sampleOfPattern(pattern, { least, most, variant }, budget, preferred)
  }
  if (known !== undefined) return known
  return least > longestSample ? undefined : plain.padEnd(least, 'x').slice(0, most)
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
