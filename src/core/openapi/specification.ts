/**
 * Lazy access to a specification by JSON pointers, whole or in parts.
 *
 * One of fifty megabytes is never parsed for a single operation: a directory has the offsets of its parts
 * in the text, requested parts that are not loaded are recorded, and the caller retries when they are.
 */
import { decodePercent } from '../links/resolve.js'
import { isMapping } from '../mapping.js'

export interface Specification {
  /** The value at a pointer; undefined where there is none, or it is not loaded. */
  at(pointer: string): unknown
  /** Member names of an object at most two levels below the root. */
  names(pointer: string): readonly string[]
}

/** Returns a completely loaded specification. */
export function wholeSpecification(root: unknown): Specification {
  return {
    at: (pointer) => walk(root, stepsOf(pointer)),
    names(pointer) {
      const found = walk(root, stepsOf(pointer))
      return isMapping(found) ? Object.keys(found) : []
    },
  }
}

/** Where a part is in the text, in bytes, half open. */
export interface Part {
  readonly start: number
  readonly end: number
  /** Members of an object in their order, down to the depth of the directory. */
  readonly members?: ReadonlyMap<string, Part>
}

export interface PartialSpecification extends Specification {
  /** Pointers of requested parts that are not loaded. */
  readonly wanted: ReadonlySet<string>
}

/** Returns a specification with these parts loaded, by their pointers; parts that are too large stay `null`. */
export function partialSpecification(root: Part, parts: ReadonlyMap<string, unknown>): PartialSpecification {
  const wanted = new Set<string>()
  return {
    wanted,
    at(pointer) {
      const steps = stepsOf(pointer)
      const depth = depthOf(root, steps)
      // Beside a part that has members, there is nothing else.
      if (depth.part.members !== undefined && depth.steps < steps.length) return undefined
      const place = pointerOf(steps.slice(0, depth.steps))
      if (!parts.has(place)) {
        wanted.add(place)
        return undefined
      }
      return walk(parts.get(place), steps.slice(depth.steps))
    },
    names(pointer) {
      const steps = stepsOf(pointer)
      const { part, steps: depth } = depthOf(root, steps)
      return depth === steps.length ? [...(part.members?.keys() ?? [])] : []
    },
  }
}

/** Returns the part at a pointer of `wanted`. */
export function partAt(root: Part, pointer: string): Part {
  return depthOf(root, stepsOf(pointer)).part
}

/** Returns the pointer of the part that contains the target of a reference; undefined where no single part does. */
export function partOfReference(root: Part, ref: string): string | undefined {
  const pointer = pointerOfReference(ref)
  if (pointer === undefined) return undefined
  const steps = stepsOf(pointer)
  const { part, steps: depth } = depthOf(root, steps)
  return part.members === undefined ? pointerOf(steps.slice(0, depth)) : undefined
}

function depthOf(root: Part, steps: readonly string[]): { readonly part: Part; readonly steps: number } {
  let part = root
  for (const [index, step] of steps.entries()) {
    const next = part.members?.get(step)
    if (next === undefined) return { part, steps: index }
    part = next
  }
  return { part, steps: steps.length }
}

/** Returns the pointer of a reference within the document; undefined for any other. */
export function pointerOfReference(ref: unknown): string | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  const pointer = decodePercent(ref.slice(1))
  return pointer === '' || pointer.startsWith('/') ? pointer : undefined
}

export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the decoded last segment of a pointer. */
export function nameOfPointer(pointer: string): string {
  return stepsOf(pointer).at(-1) ?? ''
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function walk(value: unknown, steps: readonly string[]): unknown {
  let found = value
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
