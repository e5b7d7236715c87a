/**
 * Schemas as a reader sees them: one row for each member, `allOf` put together, references followed.
 *
 * The nearest level is read first, then the next one: where a schema is too large, what lies deepest is left out.
 * What is in itself is named there, and not told again.
 */
import { type Budget, OverBudget } from '../budget.js'
import { isMapping } from '../mapping.js'
import type { JsonObject } from './parse.js'
import { type Specification, nameOfPointer } from './specification.js'
import { listOf, objectOf, resolve, textOf, textsOf, written } from './values.js'
import type { ChoiceView, DiscriminatorView, LimitKind, LimitView, PropertyView, SchemaView } from './view.js'

const mostChoices = 100
const mostAlternatives = 40
const mostProperties = 1_000
/** Parts of an `allOf` in one another. */
const deepestMerge = 30
/** Schemas in one another that the name of a type tells. */
const deepestType = 3
const mostParts = 200
const longestDescription = 4_000
/** What is shown where even the outermost schema takes too much. */
const unread: SchemaView = {
  type: 'any',
  isNullable: false,
  isDeprecated: false,
  isReadOnly: false,
  isWriteOnly: false,
  limits: [],
  choices: [],
  moreChoices: 0,
  isCut: true,
}

export interface SchemaReader {
  /** Reads a schema as far as `rows` members, over all levels together. */
  read(schema: unknown, rows: number): SchemaView
  /** One schema with all that `allOf` adds to it. */
  flatten(schema: unknown): FlatSchema
}

/** A schema with its parts put together. */
export interface FlatSchema {
  readonly name?: string
  /** Of all schemas that it was put together from. */
  readonly pointers: readonly string[]
  readonly words: JsonObject
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** `false` for what nothing fits. */
  readonly isNever: boolean
}

/** What is shown once it is known; filled level by level. */
type MutableSchemaView = { -readonly [Key in keyof SchemaView]: SchemaView[Key] }

interface PendingSchema {
  readonly view: MutableSchemaView
  readonly flat: FlatSchema
  readonly above: AncestorSchemas | undefined
}

/** Schemas that surround a place. */
interface AncestorSchemas {
  readonly pointers: readonly string[]
  readonly outer: AncestorSchemas | undefined
}

export function createSchemaReader(specification: Specification, budget: Budget): SchemaReader {
  const merging: string[] = []
  const known = new WeakMap<object, FlatSchema>()

  function flatten(schema: unknown): FlatSchema {
    // What is merged into another may lack what it has by itself: it is in the middle of it.
    if (merging.length > 0 || !isMapping(schema)) return flattenUncached(schema)
    let flat = known.get(schema)
    if (flat === undefined) known.set(schema, (flat = flattenUncached(schema)))
    return flat
  }

  function flattenUncached(schema: unknown): FlatSchema {
    budget.spend('steps')
    const { value, pointer, beside } = resolve(specification, schema)
    const own = objectOf(value)
    const isNever = value === false
    const isAgain = pointer !== undefined && merging.includes(pointer)
    const name = pointer === undefined ? undefined : nameOfSchema(pointer)
    const words = beside === undefined ? own : { ...own, ...beside }
    const parts = isAgain || merging.length >= deepestMerge ? [] : listOf(words['allOf'])
    const properties = new Map<string, unknown>()
    const required = new Set<string>()
    const pointers = pointer === undefined ? [] : [pointer]
    const merged = new Map(Object.entries(words))
    let partName: string | undefined
    if (parts.length > 0) {
      merging.push(pointer ?? '')
      try {
        for (const part of parts.slice(0, mostParts)) {
          const flat = flatten(part)
          const said = Object.entries(inherited(flat.words))
          budget.spend('steps', flat.properties.size + said.length)
          pointers.push(...flat.pointers)
          for (const [key, member] of flat.properties) properties.set(key, member)
          for (const key of flat.required) required.add(key)
          for (const [key, word] of said) if (!merged.has(key)) merged.set(key, word)
          partName ??= parts.length === 1 ? flat.name : undefined
        }
      } finally {
        merging.pop()
      }
    }
    const mine = Object.entries(objectOf(words['properties']))
    budget.spend('steps', mine.length)
    for (const [key, member] of mine) properties.set(key, member)
    for (const key of textsOf(words['required'])) required.add(key)
    const shown = name ?? partName
    return {
      ...(shown !== undefined && { name: shown }),
      pointers,
      words: parts.length > 0 ? Object.fromEntries(merged) : words,
      properties,
      required,
      isNever,
    }
  }

  /** What is said of a schema without what is in it. */
  function describe(flat: FlatSchema): MutableSchemaView {
    const { words, name } = flat
    const types = typesOf(flat)
    const inner = types.includes('array') ? flatten(words['items']).words : words
    const { choices, more } = choicesOf(words['enum'] === undefined ? inner : words)
    const title = textOf(words['title'], 200)
    const description = textOf(words['description'], longestDescription)
    const format = textOf(words['format'] ?? inner['format'], 100)
    const examples = words['examples']
    const [listed] = Array.isArray(examples) ? (examples as unknown[]) : []
    const example = words['example'] ?? listed ?? words['x-example']
    return {
      ...(name !== undefined && { name }),
      type: typeText(flat, 0),
      ...(format !== undefined && { format }),
      ...(title !== undefined && title !== name && { title }),
      ...(description !== undefined && { description }),
      isNullable:
        words['nullable'] === true || words['x-nullable'] === true || listOf(words['type']).includes('null'),
      isDeprecated: words['deprecated'] === true,
      isReadOnly: words['readOnly'] === true,
      isWriteOnly: words['writeOnly'] === true,
      limits: limitsOf(words),
      choices,
      moreChoices: more,
      ...(words['const'] !== undefined && { constant: written(words['const']) }),
      ...(words['default'] !== undefined && { usual: written(words['default']) }),
      ...(example !== undefined && { example: written(example) }),
    }
  }

  function typeText(flat: FlatSchema, depth: number): string {
    budget.spend('steps')
    const { words, name, isNever } = flat
    if (isNever) return 'never'
    const types = typesOf(flat)
    const alternatives = alternativesOf(words)
    if (alternatives !== undefined && (types.length === 0 || types[0] === 'object')) {
      if (depth > 0 && name !== undefined) return name
      if (depth >= deepestType) return 'any'
      const texts = alternatives.schemas.slice(0, 5).map((one) => typeText(flatten(one), depth + 1))
      const told = [...new Set(texts)].filter((text) => text !== 'null')
      if (alternatives.schemas.length > 5) told.push('…')
      return told.length === 0 ? 'any' : told.join(' | ')
    }
    const texts = types.map((type) => {
      if (type === 'array') {
        if (depth >= deepestType) return 'array'
        const inner = typeText(flatten(words['items'] ?? true), depth + 1)
        return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
      }
      return type === 'object' && name !== undefined ? name : type
    })
    if (texts.length > 0) return texts.join(' | ')
    return depth > 0 && name !== undefined ? name : 'any'
  }

  /** The schema that holds members: its own one, or that of the entries of a list, however deep. */
  function withMembers(flat: FlatSchema): FlatSchema {
    let found = flat
    for (let depth = 0; depth < deepestType; depth++) {
      if (!typesOf(found).includes('array') || found.words['items'] === undefined) break
      const inner = flatten(found.words['items'])
      found = { ...inner, pointers: [...found.pointers, ...inner.pointers] }
    }
    return found
  }

  function read(schema: unknown, rows: number): SchemaView {
    const waiting: PendingSchema[] = []
    let left = rows
    const add = (given: unknown, above: AncestorSchemas | undefined): SchemaView => {
      const flat = flatten(given)
      const view = describe(flat)
      const inner = withMembers(flat)
      if (hasMembers(inner)) {
        if (isAbove(inner.pointers, above)) view.isCircular = true
        else waiting.push({ view, flat: inner, above: { pointers: inner.pointers, outer: above } })
      }
      left -= 1
      return view
    }
    const grow = ({ view, flat, above }: PendingSchema): void => {
      const { words, properties, required } = flat
      const patterns = Object.entries(objectOf(words['patternProperties']))
      const alternatives = alternativesOf(words)
      const needed = properties.size + patterns.length + (alternatives?.schemas.length ?? 0)
      if (left <= 0 || (needed > left && left < rows / 2)) {
        view.isCut = true
        return
      }
      const told: PropertyView[] = []
      const tell = (entries: Iterable<readonly [string, unknown]>, isPattern: boolean): void => {
        for (const [name, member] of entries) {
          if (told.length >= mostProperties || left <= 0) {
            view.isCut = true
            break
          }
          told.push({ name, isRequired: required.has(name), isPattern, schema: add(member, above) })
        }
      }
      tell(properties, false)
      tell(patterns, true)
      if (told.length > 0) view.properties = told
      const others = words['additionalProperties']
      if (isMapping(others) && Object.keys(others).length > 0) view.others = add(others, above)
      else if (others === true || isMapping(others)) view.others = true
      const rest = listOf(words['prefixItems'])
      if (rest.length > 0 && view.properties === undefined) {
        tell(
          rest.slice(0, mostAlternatives).map((item, index) => [`[${index}]`, item] as const),
          false,
        )
        view.properties = told
      }
      if (alternatives !== undefined) {
        const { kind, schemas } = alternatives
        const shown = schemas.slice(0, mostAlternatives)
        if (shown.length < schemas.length) view.isCut = true
        const discriminator = discriminatorOf(words)
        view.alternatives = {
          kind,
          schemas: shown.map((one) => add(one, above)),
          ...(discriminator && { discriminator }),
        }
      }
      if (isMapping(words['not'])) view.excluded = add(words['not'], above)
    }
    const root = begun(() => add(schema, undefined))
    for (let next = 0; next < waiting.length; next++) {
      try {
        grow(waiting[next]!)
      } catch (error) {
        if (!(error instanceof OverBudget)) throw error
        for (const { view } of waiting.slice(next)) view.isCut = true
        break
      }
    }
    return root
  }

  return { read, flatten }
}

/** The schemas that a base is one of are its heirs, and none of what they inherit. */
function inherited(words: JsonObject): JsonObject {
  if (words['discriminator'] === undefined) return words
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = words
  return rest
}

function begun(read: () => SchemaView): SchemaView {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return unread
  }
}

function isAbove(pointers: readonly string[], above: AncestorSchemas | undefined): boolean {
  for (let one = above; one !== undefined; one = one.outer) {
    if (one.pointers.some((pointer) => pointers.includes(pointer))) return true
  }
  return false
}

/** A component has a name; what stands somewhere else is named by its place alone, which says nothing. */
function nameOfSchema(pointer: string): string | undefined {
  return /^\/(?:components\/schemas|definitions|x-references)\/[^/]+$/.test(pointer) &&
    !pointer.startsWith('/x-')
    ? nameOfPointer(pointer)
    : undefined
}

/** The types that are said or follow from other words, without `null`. */
export function typesOf({ words, properties }: Pick<FlatSchema, 'words' | 'properties'>): readonly string[] {
  const { type } = words
  const said = Array.isArray(type) ? textsOf(type) : typeof type === 'string' ? [type] : []
  const types = said.filter((one) => one !== 'null').slice(0, 8)
  if (types.length > 0) return types
  if (said.length > 0) return said
  if (properties.size > 0 || words['additionalProperties'] !== undefined || words['patternProperties'])
    return ['object']
  if (words['items'] !== undefined || words['prefixItems'] !== undefined) return ['array']
  const value = words['const'] ?? listOf(words['enum']).find((one) => one !== null)
  if (value === undefined || typeof value === 'object') return []
  return [typeof value]
}

function hasMembers({ words, properties }: FlatSchema): boolean {
  const { additionalProperties: others } = words
  return (
    properties.size > 0 ||
    alternativesOf(words) !== undefined ||
    words['patternProperties'] !== undefined ||
    listOf(words['prefixItems']).length > 0 ||
    isMapping(words['not']) ||
    others === true ||
    isMapping(others)
  )
}

/** `null` among alternatives says no more than that it may be null. */
export function alternativesOf(
  words: JsonObject,
): { readonly kind: 'oneOf' | 'anyOf'; readonly schemas: readonly unknown[] } | undefined {
  for (const kind of ['oneOf', 'anyOf'] as const) {
    const schemas = listOf(words[kind]).filter(
      (one) => isMapping(one) && one['type'] !== 'null' && !isRuleAlone(one),
    )
    if (schemas.length > 0) return { kind, schemas }
  }
  return undefined
}

/** What only says which members are needed is a rule about the whole, and no schema of its own. */
function isRuleAlone(schema: JsonObject): boolean {
  const keys = Object.keys(schema)
  return keys.length === 0 || (keys.length === 1 && keys[0] === 'required')
}

function discriminatorOf(words: JsonObject): DiscriminatorView | undefined {
  const { discriminator } = words
  const given = objectOf(discriminator)
  const property = textOf(typeof discriminator === 'string' ? discriminator : given['propertyName'], 200)
  if (property === undefined) return undefined
  const entries = Object.entries(objectOf(given['mapping'])).slice(0, mostAlternatives)
  const mapping = entries.map(([value, ref]) => ({
    value,
    schema: String(ref).slice(String(ref).lastIndexOf('/') + 1),
  }))
  return { property, mapping }
}

/** What each value means is said by the value, or in the order of the values. */
function choicesOf(words: JsonObject): { readonly choices: ChoiceView[]; readonly more: number } {
  const values = listOf(words['enum'])
  const said = words['x-enumDescriptions'] ?? words['x-enum-descriptions']
  const choices = values.slice(0, mostChoices).map((value, index): ChoiceView => {
    const key = String(value)
    const description = Array.isArray(said)
      ? textOf(said[index], 1_000)
      : isMapping(said) && Object.hasOwn(said, key)
        ? textOf(said[key], 1_000)
        : undefined
    return { value: written(value), ...(description !== undefined && { description }) }
  })
  return { choices, more: Math.max(0, values.length - choices.length) }
}

/** In the order in which they are reported. */
const limitKinds: readonly LimitKind[] = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]

function limitsOf(words: JsonObject): LimitView[] {
  const limits: LimitView[] = []
  for (const kind of limitKinds) {
    const value = words[kind]
    if (typeof value !== 'number') continue
    // Before 3.1 a word beside the limit says that it is itself excluded.
    const isExcluded =
      (kind === 'minimum' && words['exclusiveMinimum'] === true) ||
      (kind === 'maximum' && words['exclusiveMaximum'] === true)
    const told = isExcluded ? (kind === 'minimum' ? 'above' : 'below') : kind
    limits.push({ kind: told, value: String(value) })
  }
  for (const [key, kind] of [
    ['exclusiveMinimum', 'above'],
    ['exclusiveMaximum', 'below'],
  ] as const)
    if (typeof words[key] === 'number') limits.push({ kind, value: String(words[key]) })
  const pattern = textOf(words['pattern'], 300)
  if (pattern !== undefined) limits.push({ kind: 'pattern', value: pattern })
  if (words['uniqueItems'] === true) limits.push({ kind: 'uniqueItems', value: '' })
  return limits
}
