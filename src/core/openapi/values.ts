/** Tolerant access to members of untrusted objects: a value of the wrong type counts as absent. */
import { isMapping } from '../mapping.js'
import type { SpecificationObject } from './parse.js'
import { type Specification, pointerOfReference } from './specification.js'

/** Most characters of an author's text; a longer one ends with an ellipsis. */
const longestText = 20_000
/** Longest chain of references. */
const mostSteps = 30

export function textOf(value: unknown, most = longestText): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value.length > most ? `${value.slice(0, most)}…` : value
}

export function objectOf(value: unknown): SpecificationObject {
  return isMapping(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string')
}

/** Returns a value as JSON on one line; texts without quotes. */
export function written(value: unknown, most = 300): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > most ? `${text.slice(0, most)}…` : text
}

export interface Resolved {
  readonly value: unknown
  /** Its pointer, when a reference was followed. */
  readonly pointer?: string
  /** Sibling members of the reference. */
  readonly beside?: SpecificationObject
}

/** Follows references to a value; an undefined value for a broken reference. */
export function resolve(specification: Specification, raw: unknown): Resolved {
  let value = raw
  let pointer: string | undefined
  const beside = new Map<string, unknown>()
  for (let step = 0; step < mostSteps; step++) {
    if (!isMapping(value) || typeof value['$ref'] !== 'string') break
    const { $ref: ref, ...words } = value
    for (const [key, word] of Object.entries(words)) if (!beside.has(key)) beside.set(key, word)
    const next = pointerOfReference(ref)
    if (next === undefined) return { value: undefined }
    // A cycle of references has no value.
    if (step === mostSteps - 1) return { value: undefined }
    pointer = next
    value = specification.at(next)
  }
  return {
    value,
    ...(pointer !== undefined && { pointer }),
    ...(beside.size > 0 && { beside: Object.fromEntries(beside) }),
  }
}

/** Returns an object, following a reference; sibling members of the reference override its target's. */
export function resolveObject(specification: Specification, raw: unknown): SpecificationObject {
  const { value, beside } = resolve(specification, raw)
  const found = objectOf(value)
  return beside === undefined ? found : { ...found, ...beside }
}
