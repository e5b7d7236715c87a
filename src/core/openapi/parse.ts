/**
 * Parses a specification: JSON or YAML, Swagger 2.0 or OpenAPI 3.0 to 3.2, within bounds. The text is untrusted: it may
 * have endless brackets, cyclic aliases, or one value aliased a million times.
 *
 * Reads YAML with js-yaml, which bounds depth and aliases and takes 0.6 s for 5 MB; the library for Markdown (`yaml`,
 * needed for ranges of nodes and for edits in place) takes 5 s, 3 times the memory, and quadratic time for aliases.
 */
import { isMapping } from '../mapping.js'
import { CORE_SCHEMA, YAMLException, load, mergeTag } from 'js-yaml'
import { scanJson } from '../json-scan.js'

/** Far above the largest that are known: Microsoft Graph's has two million values, and none is nested deeper than 60. */
export const specificationLimits = {
  /** Values, each counted as often as it is named. */
  values: 6_000_000,
  /** Containers in one another. */
  depth: 200,
  /** Characters of keys and texts. */
  characters: 150_000_000,
} as const

/** Thrown with a sentence, without its full stop, for the author of the text. */
export class UnreadableSpecification extends Error {}

export type SpecificationFormat = 'json' | 'yaml'

export interface ParsedText {
  readonly value: unknown
  readonly format: SpecificationFormat
}

const yamlSchema = CORE_SCHEMA.withTags(mergeTag)

/** Returns the value of a text; it is a JSON value within the limits. */
export function parseDocument(text: string): ParsedText {
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : parseYaml(text)
  requireBounded(parsed.value)
  return parsed
}

function parseJson(text: string): ParsedText {
  // The engine's parser cannot be interrupted: the bounds are checked before it runs.
  let [depth, containers, commas] = [0, 0, 0]
  scanJson(text, {
    open() {
      requireDepth(++depth)
      requireValues(++containers)
    },
    close: () => depth--,
    count: () => requireValues(++commas),
  })
  try {
    return { value: JSON.parse(text) as unknown, format: 'json' }
  } catch (error) {
    throw new UnreadableSpecification(`It is no JSON: ${shortened(error)}`)
  }
}

function parseYaml(text: string): ParsedText {
  try {
    const { depth: maxDepth } = specificationLimits
    const value = load(text, {
      schema: yamlSchema,
      maxDepth,
      maxAliases: 100_000,
      maxTotalMergeKeys: 1_000_000,
    })
    return { value, format: 'yaml' }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    throw new UnreadableSpecification(`It is neither JSON nor YAML: ${shortened(error)}`)
  }
}

function shortened(error: unknown): string {
  const [first = ''] = (error as Error).message.split('\n')
  return first.slice(0, 200)
}

function requireDepth(depth: number): void {
  if (depth <= specificationLimits.depth) return
  throw new UnreadableSpecification(`It is nested deeper than ${specificationLimits.depth} levels`)
}

function requireValues(count: number): void {
  if (count <= specificationLimits.values) return
  throw new UnreadableSpecification('It holds more values than any specification needs')
}

/** Throws for a value that is larger or deeper than the limits; an aliased value counts each time. */
export function requireBounded(value: unknown): void {
  let values = 0
  let characters = 0
  function measure(one: unknown, depth: number): void {
    values += 1
    if (typeof one === 'string') characters += one.length
    requireValues(values)
    if (characters > specificationLimits.characters)
      throw new UnreadableSpecification('It holds longer texts than any specification needs')
    if (typeof one !== 'object' || one === null) return
    requireDepth(depth)
    if (Array.isArray(one)) return one.forEach((item) => measure(item, depth + 1))
    for (const [key, member] of Object.entries(one)) {
      characters += key.length
      measure(member, depth + 1)
    }
  }
  measure(value, 1)
}

export type SpecificationObject = Readonly<Record<string, unknown>>

/** Returns the value if it is a specification of a supported version; throws otherwise. */
export function requireSpecification(value: unknown): SpecificationObject {
  if (!isMapping(value)) throw new UnreadableSpecification('It is no OpenAPI specification: it is no object')
  const { swagger, openapi } = value
  if (swagger === undefined && openapi === undefined)
    throw new UnreadableSpecification(
      'It is no OpenAPI specification: it has neither "openapi" nor "swagger"',
    )
  const isKnown =
    openapi === undefined ? /^2(?:\.0)?$/.test(String(swagger)) : /^3\.[0-2](?:\.|$)/.test(String(openapi))
  if (!isKnown)
    throw new UnreadableSpecification(
      `It is of a version that is not known (${String(openapi ?? swagger).slice(0, 20)}): Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are`,
    )
  for (const member of ['info', 'paths', 'components', 'webhooks', 'definitions']) {
    if (value[member] === undefined || value[member] === null || isMapping(value[member])) continue
    throw new UnreadableSpecification(`Its member "${member}" is no object`)
  }
  return value
}
