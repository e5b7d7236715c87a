/**
 * Response schemas of the published client: what its two generations accept as the response of an operation.
 *
 * Both packages carry the OpenAPI description that they were made from. Responses are validated against it
 * unchanged; only what OpenAPI 3.0 writes differently (`nullable`) is translated to JSON Schema.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Endpoint } from '../src/contract/endpoint.js'

export const clients = ['0.143', '0.202'] as const
export type Client = (typeof clients)[number]

type Json = Record<string, any>

export interface ClientSchemas {
  /** Returns what the client would find wrong with the response, one line a fault; none for operations that it does not know. */
  faultsOf(endpoint: Endpoint, status: number, reply: unknown): string[]
  knows(endpoint: Endpoint): boolean
  /**
   * Returns the members that the client requires in a response and the contract does not, from the schemas alone: a tour
   * sees only what its responses happen to contain.
   */
  missingMembersOf(endpoint: Endpoint): string[]
}

export function readClientSchemas(client: Client): ClientSchemas {
  const file = fileURLToPath(import.meta.resolve(`gitbook-api-${client}/spec/openapi.json`))
  const description = inJsonSchema(JSON.parse(readFileSync(file, 'utf8'))) as Json
  // Written so that no page could ever have neither text nor document, or both: lists of pages have neither.
  description['components'].schemas.Document = {
    properties: { markdown: { type: 'string' }, document: { $ref: '#/components/schemas/JSONDocument' } },
  }
  // Written so that no title could ever change: it is an attribute of each of the three.
  const edited = description['components'].schemas.RevisionSemanticChangePageEdited.properties
  edited.attributes = { anyOf: edited.attributes.oneOf }
  if (client === '0.143') {
    // Blocks that this generation could not yet see at the top of a page.
    const updates = { properties: { type: { enum: ['updates'] } }, required: ['type'] }
    const later = ['DocumentBlockIf', 'DocumentBlockColumns'].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    }))
    description['components'].schemas.DocumentBlocksTopLevels.oneOf.push(...later, updates)
  }
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  ajv.addSchema(description, 'client')
  const operations = new Map<string, string>()
  for (const [path, methods] of Object.entries(description['paths'] as Json)) {
    for (const method of Object.keys(methods)) operations.set(placeOf(method, path), pointer(path, method))
  }
  const validators = new Map<string, ValidateFunction>()

  /** The schema of a response in the client's description; undefined where it has none. */
  function shapeOf(endpoint: Endpoint, status: number): { at: string; shape: Json } | undefined {
    const operation = operations.get(placeOf(endpoint.method, endpoint.path))
    if (operation === undefined) return undefined
    let at = `${operation}/responses/${status}`
    // A response may be defined among the components.
    const reference = read(at)?.['$ref']
    if (typeof reference === 'string') at = reference.slice(1)
    at += '/content/application~1json/schema'
    const shape = read(at)
    return shape && { at, shape }
  }

  const read = (at: string): Json | undefined =>
    at
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>((value, step) => value?.[step], description)

  return {
    missingMembersOf(endpoint) {
      const found = shapeOf(endpoint, endpoint.success)
      const follow = (reference: string) => read(reference.slice(1))!
      return found === undefined ? [] : missingMembers(found.shape, endpoint.reply, '', follow)
    },
    knows: (endpoint) => operations.has(placeOf(endpoint.method, endpoint.path)),
    faultsOf(endpoint, status, reply) {
      const found = shapeOf(endpoint, status)
      if (found === undefined) return []
      const { at, shape } = found
      if (!validators.has(at)) validators.set(at, ajv.compile({ $ref: `client#${at}` }))
      if (validators.get(at)!(reply)) return []
      const faults = explain(shape, reply, '', (reference) => read(reference.slice(1))!)
      // What the explanation cannot name is a fault all the same.
      return faults.length > 0 ? faults : [ajv.errorsText(validators.get(at)!.errors)]
    },
  }
}

/**
 * Returns the members that one schema requires and another does not, each with its path. Alternatives are compared where
 * a constant tells them apart.
 */
function missingMembers(theirs: Json, ours: Json, at: string, follow: (reference: string) => Json): string[] {
  const wanted = alternativesOf(theirs, follow)
  return alternativesOf(ours, follow).flatMap((ownSchema) => {
    const kind = kindOf(ownSchema)
    const ofKind = wanted.filter((one) => kind !== undefined && kindOf(one) === kind)
    const [one, ...others] = ofKind.length > 0 ? ofKind : wanted
    return one === undefined || others.length > 0 ? [] : missingInObject(one, ownSchema, at, follow)
  })
}

function missingInObject(
  theirs: Json,
  ours: Json,
  at: string,
  follow: (reference: string) => Json,
): string[] {
  if (theirs['items'] !== undefined && ours['items'] !== undefined)
    return missingMembers(theirs['items'], ours['items'], `${at}[]`, follow)
  // Where the contract describes no members, only responses tell.
  const members: Json | undefined = ours['properties']
  if (members === undefined) return []
  const required: string[] = ours['required'] ?? []
  const missing = (theirs['required'] ?? []).filter((name: string) => !required.includes(name))
  return [
    ...missing.map((name: string) => `${at}.${name} is missing`),
    ...Object.entries<Json>(theirs['properties'] ?? {}).flatMap(([name, one]) =>
      members[name] === undefined ? [] : missingMembers(one, members[name], `${at}.${name}`, follow),
    ),
  ]
}

/** The alternatives of a schema besides null, each with its parts merged. */
function alternativesOf(schema: Json, follow: (reference: string) => Json): Json[] {
  if (typeof schema['$ref'] === 'string') return alternativesOf(follow(schema['$ref']), follow)
  const { allOf = [], oneOf, anyOf, ...own } = schema
  let merged: Json[] = [own]
  for (const part of [
    ...allOf,
    ...(oneOf === undefined && anyOf === undefined ? [] : [{ oneOf: oneOf ?? anyOf }]),
  ]) {
    const choices: Json[] = part.oneOf === undefined ? [part] : part.oneOf
    const parts = choices.filter(({ type }) => type !== 'null').flatMap((one) => alternativesOf(one, follow))
    merged = merged.flatMap((whole) =>
      parts.map((one) => ({
        ...whole,
        ...one,
        properties: (whole['properties'] || one['properties']) && {
          ...whole['properties'],
          ...one['properties'],
        },
        required: [...(whole['required'] ?? []), ...(one['required'] ?? [])],
      })),
    )
  }
  return merged
}

/** The constant that tells the alternatives of a schema apart. */
function kindOf({ properties = {} }: Json): string | undefined {
  const { object, kind, type } = properties
  const { const: constant, enum: words } = object ?? kind ?? type ?? {}
  return constant ?? (words?.length === 1 ? words[0] : undefined)
}

/**
 * Returns why a value is invalid: of `oneOf` and `anyOf`, only the nearest alternative is reported, where the validator
 * reports all. Knows the keywords that the two descriptions use; does not decide whether the value is valid.
 */
function explain(shape: Json, value: unknown, at: string, follow: (reference: string) => Json): string[] {
  const inner = (one: Json, what = value, where = at) => explain(one, what, where, follow)
  if (typeof shape['$ref'] === 'string') return inner(follow(shape['$ref']))
  const faults: string[] = []
  for (const one of shape['allOf'] ?? []) faults.push(...inner(one))
  const choices: Json[] | undefined = shape['oneOf'] ?? shape['anyOf']
  if (choices !== undefined) {
    const tried = choices.map((one) => inner(one)).toSorted((a, b) => weigh(a) - weigh(b))
    faults.push(...(tried[0] ?? []))
    if (shape['oneOf'] !== undefined && tried.filter((one) => one.length === 0).length > 1)
      faults.push(`${at} fits several alternatives at once`)
  }
  const types: string[] | undefined = shape['type'] && [shape['type']].flat()
  if (types !== undefined && !types.some((type) => isOf(type, value)))
    return [...faults, `${at} ${apart} is no ${types.join(' or ')}`]
  if (shape['enum'] !== undefined && !shape['enum'].includes(value))
    faults.push(`${at} ${apart} is ${JSON.stringify(value)}, not ${shape['enum'].join(' or ')}`)
  if (Array.isArray(value)) {
    if (shape['items'] !== undefined)
      for (const item of value) faults.push(...inner(shape['items'], item, `${at}[]`))
    return faults
  }
  if (typeof value !== 'object' || value === null) return faults
  const members: Json = shape['properties'] ?? {}
  for (const name of shape['required'] ?? []) if (!(name in value)) faults.push(`${at}.${name} is missing`)
  for (const [name, one] of Object.entries(value)) {
    if (members[name] !== undefined) faults.push(...inner(members[name], one, `${at}.${name}`))
    else if (shape['additionalProperties'] === false) faults.push(`${at}.${name} is not known`)
    else if (typeof shape['additionalProperties'] === 'object')
      faults.push(...inner(shape['additionalProperties'], one, `${at}.*`))
  }
  return faults
}

/** Marks faults in discriminating members: one of those weighs more than many that are merely missing. */
const apart = '(kind)'
const weigh = (faults: readonly string[]) =>
  faults.reduce((sum, fault) => sum + (fault.includes(apart) ? 100 / fault.split(/[.[]/).length ** 2 : 1), 0)

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const placeOf = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}|:\w+/g, ':')}`

const pointer = (path: string, method: string) =>
  `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`

function inJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inJsonSchema)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inJsonSchema(inner)]),
  )
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}
