/**
 * Outline of a specification: its tags as groups of operations, and the names of its schemas. Reference pages are
 * generated from it, so that no page request waits for the whole specification.
 */
import { isMapping } from '../mapping.js'
import type { SpecificationObject } from './parse.js'

export interface SpecificationOutline {
  readonly title?: string
  readonly description?: string
  readonly version?: string
  /** In the order of the specification's tags; then those that operations alone name. */
  readonly groups: readonly OutlineGroup[]
  /** Names of the schemas, in their order. */
  readonly schemas: readonly string[]
  /** Number of operations omitted because of the limit. */
  readonly leftOut?: number
}

export interface OutlineGroup {
  /** The tag; empty for operations without one. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icon?: string
  /** The parent tag. */
  readonly parent?: string
  readonly operations: readonly OutlineOperation[]
}

/** A group that is being filled. */
interface OpenGroup extends OutlineGroup {
  readonly operations: OutlineOperation[]
}

export type OutlineOperation = {
  readonly method: string
  /** The member `operationId`. */
  readonly id?: string
  readonly title?: string
  readonly isDeprecated?: true
  /** Search terms: names and descriptions of parameters and fields. */
  readonly words: string
} & ({ readonly path: string } | { readonly webhook: string })

/** The largest public specifications have about ten thousand operations. */
export const outlineLimits = {
  operations: 20_000,
  schemas: 20_000,
  /** Characters of a title, of a description, and of the words of an operation. */
  title: 200,
  description: 20_000,
  words: 1_500,
  /** Values read for the words of one operation. */
  looks: 600,
  /** Characters of all words, so that ten thousand operations weigh no more than some megabytes. */
  allWords: 3_000_000,
  /** Tags below one another. */
  depth: 8,
} as const

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** Returns the outline of a specification, without operations marked as internal. */
export function outlineOf(specification: SpecificationObject): SpecificationOutline {
  const groups = new Map<string, OpenGroup>()
  const groupOf = (name: string) => {
    const known = groups.get(name)
    if (known !== undefined) return known
    const group: OpenGroup = { name, operations: [] }
    groups.set(name, group)
    return group
  }
  const hidden = new Set<string>()
  for (const tag of listOf(specification['tags'])) {
    if (!isMapping(tag) || typeof tag['name'] !== 'string' || groups.has(tag['name'])) continue
    if (isInternal(tag)) hidden.add(tag['name'])
    else groups.set(tag['name'], readTag(tag['name'], tag))
  }

  let [count, leftOut, words] = [0, 0, 0]
  const add = (
    item: SpecificationObject,
    container: { readonly path: string } | { readonly webhook: string },
  ) => {
    for (const [method, operation] of operationsOf(item)) {
      if (!isMapping(operation) || isInternal(operation)) continue
      const tag = listOf(operation['tags']).find((one) => typeof one === 'string')
      if (tag !== undefined && hidden.has(tag as string)) continue
      if (count >= outlineLimits.operations) {
        leftOut += 1
        continue
      }
      count += 1
      const textMembers = words < outlineLimits.allWords ? wordsOf(specification, item, operation) : ''
      words += textMembers.length
      groupOf((tag as string | undefined) ?? '').operations.push({
        ...container,
        method,
        ...textMember('id', operation['operationId'], outlineLimits.title),
        ...textMember('title', operation['summary'], outlineLimits.title),
        ...(operation['deprecated'] === true && { isDeprecated: true as const }),
        words: textMembers,
      })
    }
  }
  for (const [path, item] of entriesOf(specification['paths'])) {
    const found = follow(specification, item)
    if (isMapping(found) && !isInternal(found)) add(found, { path })
  }
  for (const [webhook, item] of entriesOf(specification['webhooks'])) {
    const found = follow(specification, item)
    if (isMapping(found) && !isInternal(found)) add(found, { webhook })
  }

  const info = isMapping(specification['info']) ? specification['info'] : {}
  const components = specification['components']
  const schemas = isMapping(components) ? components['schemas'] : specification['definitions']
  return {
    ...textMember('title', info['title'], outlineLimits.title),
    ...textMember('description', info['description'], outlineLimits.description),
    ...textMember('version', info['version'], outlineLimits.title),
    groups: nested([...groups.values()]),
    schemas: entriesOf(schemas)
      .filter(([, schema]) => !isMapping(schema) || !isInternal(schema))
      .map(([name]) => name)
      .slice(0, outlineLimits.schemas),
    ...(leftOut > 0 && { leftOut }),
  }
}

function readTag(name: string, tag: SpecificationObject): OpenGroup {
  const { title, description } = outlineLimits
  return {
    name,
    ...textMember('title', tag['x-page-title'] ?? tag['x-displayName'] ?? tag['summary'], title),
    ...textMember('description', tag['x-page-description'] ?? tag['description'], description),
    ...textMember('icon', tag['x-page-icon'], 60),
    ...textMember('parent', tag['parent'] ?? tag['x-parent'], title),
    operations: [],
  }
}

/** Nests groups, ignoring parents that are missing, cyclic, or too deep, and dropping empty groups. */
function nested(groups: readonly OutlineGroup[]): OutlineGroup[] {
  const byName = new Map(groups.map((group) => [group.name, group]))
  const isRooted = ({ name, parent }: OutlineGroup): boolean => {
    let above = parent
    for (let depth = 0; depth < outlineLimits.depth; depth++) {
      if (above === undefined) return true
      if (above === name) return false
      const group = byName.get(above)
      if (group === undefined) return depth > 0
      above = group.parent
    }
    return false
  }
  const rooted = new Map(
    groups.map((group): [string, OutlineGroup] => {
      const { parent, ...rest } = group
      return [group.name, parent !== undefined && byName.has(parent) && isRooted(group) ? group : rest]
    }),
  )
  const needed = new Set<string>()
  for (const group of rooted.values()) {
    let one = group.operations.length > 0 || group.description !== undefined ? group : undefined
    while (one !== undefined && !needed.has(one.name)) {
      needed.add(one.name)
      one = one.parent === undefined ? undefined : rooted.get(one.parent)
    }
  }
  return [...rooted.values()].filter(({ name }) => needed.has(name))
}

function operationsOf(item: SpecificationObject): [method: string, operation: unknown][] {
  const known = methods.flatMap((method): [string, unknown][] =>
    item[method] === undefined ? [] : [[method, item[method]]],
  )
  const more = entriesOf(item['additionalOperations']).map(([method, one]): [string, unknown] => [
    method.toLowerCase(),
    one,
  ])
  return [...known, ...more]
}

/** Members whose texts describe an operation. */
const textMembers = new Set(['description', 'title', 'summary'])
/** Members with example values, and those that only describe the syntax. */
const passed = new Set([
  'example',
  'examples',
  'x-codeSamples',
  'security',
  'servers',
  'externalDocs',
  'tags',
])

function wordsOf(
  specification: SpecificationObject,
  item: SpecificationObject,
  operation: SpecificationObject,
): string {
  const words = new Set<string>()
  const visited = new Set<unknown>()
  let [looks, length] = [0, 0]
  const say = (text: unknown): void => {
    if (typeof text !== 'string' || words.has(text)) return
    const short = text.replace(/\s+/g, ' ').slice(0, 300)
    if (length + short.length > outlineLimits.words) return
    length += short.length + 1
    words.add(short)
  }
  // Breadth-first: terms nearer to the operation are searched more often.
  let level: unknown[] = [
    [...listOf(item['parameters']), ...listOf(operation['parameters'])],
    Object.fromEntries(Object.entries(operation).filter(([key]) => key !== 'parameters')),
  ]
  while (level.length > 0 && looks < outlineLimits.looks && length < outlineLimits.words) {
    const below: unknown[] = []
    for (const one of level) {
      const value = follow(specification, one)
      if (typeof value !== 'object' || value === null || visited.has(value)) continue
      if (++looks > outlineLimits.looks) break
      visited.add(value)
      if (Array.isArray(value)) {
        below.push(...value.slice(0, 200))
        continue
      }
      const mapping = value as SpecificationObject
      if (typeof mapping['in'] === 'string') say(mapping['name'])
      for (const [key, member] of Object.entries(mapping)) {
        if (textMembers.has(key)) say(member)
        else if (key === 'properties' && isMapping(member)) {
          for (const [name, property] of Object.entries(member).slice(0, 200)) {
            say(name)
            below.push(property)
          }
        } else if (!passed.has(key)) below.push(member)
      }
    }
    level = below
  }
  return [...words].join(' ')
}

/** Returns what a reference inside the specification names; the value itself where it is none. */
function follow(specification: SpecificationObject, value: unknown): unknown {
  let found = value
  for (let steps = 0; steps < 8; steps++) {
    if (!isMapping(found) || typeof found['$ref'] !== 'string' || !found['$ref'].startsWith('#/'))
      return found
    let at: unknown = specification
    for (const step of found['$ref'].slice(2).split('/')) {
      const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
      at =
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as SpecificationObject)[key]
          : undefined
    }
    found = at
  }
  return undefined
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

const isInternal = (one: SpecificationObject): boolean =>
  one['x-internal'] === true || one['x-gitbook-ignore'] === true

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const entriesOf = (value: unknown): [string, unknown][] => (isMapping(value) ? Object.entries(value) : [])

function textMember<Name extends string>(
  name: Name,
  value: unknown,
  most: number,
): { readonly [Key in Name]?: string } {
  const text = typeof value === 'string' ? value.trim().slice(0, most) : ''
  return (text === '' ? {} : { [name]: text }) as { readonly [Key in Name]?: string }
}
