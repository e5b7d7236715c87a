/**
 * What a specification refers to in other documents, put into it.
 *
 * The first time that something elsewhere is named, it comes to stand where it is named; every other time, and in
 * circles, a reference to that place. So nothing is reported twice, and nothing has no end. Where words stand beside the
 * reference, it stands under `x-references` instead, for those words are not for everybody who names it. Reads nothing
 * itself: what it lacks, it names.
 */
import { isMapping } from '../mapping.js'
import { type JsonObject, UnreadableSpecification, specificationLimits } from './parse.js'

export interface Documents {
  readonly root: JsonObject
  /** Where the root stands; undefined for a text, which can only refer to whole addresses. */
  readonly address: string | undefined
  /** By their addresses, without fragments. */
  readonly others: ReadonlyMap<string, unknown>
  /** The whole address of a file as it is named at an address, without its fragment; undefined for what is none. */
  readonly addressOf: (file: string, from: string | undefined) => string | undefined
}

export type InlineResult =
  | { readonly specification: JsonObject }
  /** Addresses of documents that are needed and were not given. */
  | { readonly missing: readonly string[] }

/** Members that hold things by names that people chose; other members of an object mean what the format says. */
const namesBelow = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'securityDefinitions',
  'links',
  'callbacks',
  'pathItems',
  'dependentSchemas',
  'examples',
  'content',
  'encoding',
  'paths',
  'webhooks',
])
/** Members that hold values of people's own, in which nothing refers to anything. */
const literal = new Set(['example', 'default', 'const', 'enum', 'value', 'dataValue', 'mapping'])

/** Under this member stands what is named with words beside it. */
const beside = 'x-references'

interface Target {
  /** Undefined for a root without an address. */
  readonly document: string | undefined
  readonly pointer: string
}

export function inlineReferences({ root, address, others, addressOf }: Documents): InlineResult {
  const missing = new Set<string>()
  /** Where what is in a document came to stand, by its address and pointer. */
  const placed = new Map<string, string>([[keyOf({ document: address, pointer: '' }), '']])
  const apart: Record<string, unknown> = {}
  let values = 0

  function copy(
    value: unknown,
    from: string | undefined,
    at: string,
    depth: number,
    areNames: boolean,
  ): unknown {
    if (++values > specificationLimits.values || depth > specificationLimits.depth)
      throw new UnreadableSpecification('It becomes larger or deeper than any specification needs')
    if (Array.isArray(value))
      return value.map((item, index) => copy(item, from, `${at}/${index}`, depth + 1, false))
    if (!isMapping(value)) return value
    const ref = areNames ? undefined : value['$ref']
    if (typeof ref === 'string') return follow(ref, value, from, at, depth)
    return copyMembers(value, from, at, depth, areNames)
  }

  function copyMembers(
    value: JsonObject,
    from: string | undefined,
    at: string,
    depth: number,
    areNames: boolean,
  ): JsonObject {
    const copied: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      const isLiteral = !areNames && (literal.has(key) || (key === 'examples' && Array.isArray(member)))
      const isBelow = !areNames && namesBelow.has(key)
      const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      copied.push([key, isLiteral ? member : copy(member, from, place, depth + 1, isBelow)])
    }
    return Object.fromEntries(copied)
  }

  function follow(
    ref: string,
    value: JsonObject,
    from: string | undefined,
    at: string,
    depth: number,
  ): unknown {
    const words = Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$ref'))
    const said = () => copyMembers(words, from, at, depth, false)
    if (from === address && ref.startsWith('#')) return { $ref: ref, ...said() }
    const target = resolve(ref, from)
    const known = findInlined(target)
    if (known !== undefined) return { $ref: `#${encodePointer(known)}`, ...said() }
    const document = others.get(target.document!)
    if (document === undefined) {
      missing.add(target.document!)
      return { $ref: ref, ...words }
    }
    const found = walk(document, target, ref)
    if (Object.keys(words).length === 0) {
      placed.set(keyOf(target), at)
      return copy(found, target.document, at, depth + 1, false)
    }
    const name = String(Object.keys(apart).length + 1)
    const place = `/${beside}/${name}`
    placed.set(keyOf(target), place)
    apart[name] = undefined
    apart[name] = copy(found, target.document, place, depth + 1, false)
    return { $ref: `#${place}`, ...said() }
  }

  function resolve(ref: string, from: string | undefined): Target {
    const hash = ref.indexOf('#')
    const [file, fragment] = hash < 0 ? [ref, ''] : [ref.slice(0, hash), ref.slice(hash + 1)]
    const pointer = decodePointer(fragment)
    if (pointer !== '' && !pointer.startsWith('/'))
      throw new UnreadableSpecification(`The reference "${quoted(ref)}" names nothing`)
    if (file === '') return { document: from, pointer }
    const document = addressOf(file, from)
    if (document !== undefined) return { document, pointer }
    throw new UnreadableSpecification(
      from === undefined
        ? `The reference "${quoted(ref)}" leads to another file, and a text has no address: bundle it into one file, or give its address`
        : `The reference "${quoted(ref)}" is no address`,
    )
  }

  /** Where the target came to stand, by itself or in something that holds it. */
  function findInlined({ document, pointer }: Target): string | undefined {
    for (let whole = pointer; ; whole = whole.slice(0, whole.lastIndexOf('/'))) {
      const place = placed.get(keyOf({ document, pointer: whole }))
      if (place !== undefined) return place + pointer.slice(whole.length)
      if (whole === '') return undefined
    }
  }

  if (!refersElsewhere(root)) return { specification: root }
  const specification = copyMembers(root, address, '', 1, false)
  if (missing.size > 0) return { missing: [...missing] }
  if (Object.keys(apart).length === 0) return { specification }
  return { specification: { ...specification, [beside]: apart } }
}

const keyOf = ({ document, pointer }: Target): string => `${document ?? ''}#${pointer}`

/** True where any reference leads out of the document; more is looked at than refers, which costs a copy at most. */
function refersElsewhere(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { $ref: ref } = value as { readonly $ref?: unknown }
  if (typeof ref === 'string' && !ref.startsWith('#')) return true
  return Object.values(value).some(refersElsewhere)
}

/** Addresses are escaped in a fragment; a pointer without escapes is what keys are compared with. */
function decodePointer(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

const encodePointer = (pointer: string): string =>
  pointer.replace(/[%"<>\\^`{|}\s]/g, (character) => encodeURIComponent(character))

function walk(document: unknown, { pointer }: Target, ref: string): unknown {
  let found = document
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, key)
    if (!isThere) throw new UnreadableSpecification(`The reference "${quoted(ref)}" names nothing`)
    found = (found as JsonObject)[key]
  }
  return found
}

const quoted = (ref: string): string => ref.slice(0, 200)
