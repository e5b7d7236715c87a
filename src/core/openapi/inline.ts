/**
 * Bundles a specification: replaces external `$ref`s by the referenced documents.
 *
 * The first reference to an external value is replaced by the value; every other one, and those in cycles, by an
 * internal reference to it. So no value is copied twice, and the copy is finite. Where a reference has sibling members,
 * the value is put under `x-references` instead, because the siblings are not part of it. Loads nothing itself: it
 * returns the addresses of the documents it lacks.
 */
import { isMapping } from '../mapping.js'
import { type SpecificationObject, UnreadableSpecification, specificationLimits } from './parse.js'

export interface Documents {
  readonly root: SpecificationObject
  /** Address of the root; undefined for a text, which can only refer to absolute addresses. */
  readonly address: string | undefined
  /** Loaded documents by their addresses, without fragments. */
  readonly others: ReadonlyMap<string, unknown>
  /** Resolves a reference to an absolute address, without its fragment; undefined for an invalid one. */
  readonly addressOf: (file: string, from: string | undefined) => string | undefined
}

export type InlineResult =
  | { readonly specification: SpecificationObject }
  /** Addresses of missing documents. */
  | { readonly missing: readonly string[] }

/** Members that are maps with author-chosen names; other members of an object are keywords. */
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
/** Members with arbitrary values, in which `$ref` is no reference. */
const literal = new Set(['example', 'default', 'const', 'enum', 'value', 'dataValue', 'mapping'])

/** The member for values of references that have sibling members. */
const beside = 'x-references'

interface Target {
  /** Undefined for a root without an address. */
  readonly document: string | undefined
  readonly pointer: string
}

export function inlineReferences({ root, address, others, addressOf }: Documents): InlineResult {
  const missing = new Set<string>()
  /** Position of each inlined value, by its address and pointer. */
  const inlinedAt = new Map<string, string>([[keyOf({ document: address, pointer: '' }), '']])
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
    value: SpecificationObject,
    from: string | undefined,
    at: string,
    depth: number,
    areNames: boolean,
  ): SpecificationObject {
    const copied: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      const isLiteral = !areNames && (literal.has(key) || (key === 'examples' && Array.isArray(member)))
      const isBelow = !areNames && namesBelow.has(key)
      const position = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      copied.push([key, isLiteral ? member : copy(member, from, position, depth + 1, isBelow)])
    }
    return Object.fromEntries(copied)
  }

  function follow(
    ref: string,
    value: SpecificationObject,
    from: string | undefined,
    at: string,
    depth: number,
  ): unknown {
    const words = Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$ref'))
    const declared = () => copyMembers(words, from, at, depth, false)
    if (from === address && ref.startsWith('#')) return { $ref: ref, ...declared() }
    const target = resolve(ref, from)
    const known = findInlined(target)
    if (known !== undefined) return { $ref: `#${encodePointer(known)}`, ...declared() }
    const document = others.get(target.document!)
    if (document === undefined) {
      missing.add(target.document!)
      return { $ref: ref, ...words }
    }
    const found = walk(document, target, ref)
    if (Object.keys(words).length === 0) {
      inlinedAt.set(keyOf(target), at)
      return copy(found, target.document, at, depth + 1, false)
    }
    const name = String(Object.keys(apart).length + 1)
    const position = `/${beside}/${name}`
    inlinedAt.set(keyOf(target), position)
    apart[name] = undefined
    apart[name] = copy(found, target.document, position, depth + 1, false)
    return { $ref: `#${position}`, ...declared() }
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

  /** Position of the target, inlined by itself or within an ancestor. */
  function findInlined({ document, pointer }: Target): string | undefined {
    for (let whole = pointer; ; whole = whole.slice(0, whole.lastIndexOf('/'))) {
      const position = inlinedAt.get(keyOf({ document, pointer: whole }))
      if (position !== undefined) return position + pointer.slice(whole.length)
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

/** Whether any reference is external; it may report false positives, which cost a copy at most. */
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
    const exists = typeof found === 'object' && found !== null && Object.hasOwn(found, key)
    if (!exists) throw new UnreadableSpecification(`The reference "${quoted(ref)}" names nothing`)
    found = (found as SpecificationObject)[key]
  }
  return found
}

const quoted = (ref: string): string => ref.slice(0, 200)
