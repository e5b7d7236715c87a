/**
 * Schema views: one row for each property, `allOf` merged, references resolved.
 *
 * Schemas are read breadth-first: where one is too large, the deepest levels are omitted. A recursive schema is only
 * named where it recurs, also one that a schema inside of it inherits: of a subtype below its base, the members that
 * it adds are described.
 */
import { type Budget, OverBudget } from '../budget.js'
import { isMapping } from '../mapping.js'
import type { SpecificationObject } from './parse.js'
import { type Specification, nameOfPointer, pointerOfReference } from './specification.js'
import { listOf, objectOf, resolve, textOf, textsOf, written } from './values.js'
import type { ChoiceView, DiscriminatorView, LimitKind, LimitView, PropertyView, SchemaView } from './view.js'

/** Enum values that each schema may have; more are taken from an allowance that all schemas of a reader share. */
const mostChoices = 100
const [mostFurtherChoices, longestFurtherChoices] = [10_000, 300_000]
const mostAlternatives = 40
const mostProperties = 1_000
/** Most nested `allOf`s. */
const deepestMerge = 30
/** Most nested schemas in the name of a type. */
const deepestType = 3
const mostParts = 200
const longestDescription = 4_000
/** The view where even the outermost schema exceeds the budget. */
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
  /** Reads a schema up to `rows` members, over all levels together. */
  read(schema: unknown, rows: number): SchemaView
  /** Returns a schema with its parts merged. */
  flatten(schema: unknown): FlatSchema
  /** Returns a schema with its parts merged, without those that enclose it. */
  flattenInside(schema: unknown, above: AncestorSchemas | undefined): FlatSchema
}

/** A schema with its parts merged: those of `allOf`, and the only alternative to `null`. */
export interface FlatSchema {
  readonly name?: string
  /** Pointers that name the schema: its own, and that of a schema which it repeats without additions. */
  readonly pointers: readonly string[]
  /** Pointers of all schemas merged into it. */
  readonly merged: ReadonlySet<string>
  /** Names of the schemas that were not merged into it, because they enclose it. */
  readonly enclosingBases: readonly string[]
  readonly words: SpecificationObject
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** `false` for a schema that no value matches. */
  readonly isNever: boolean
}

/** A view that is filled level by level. */
type MutableSchemaView = { -readonly [Key in keyof SchemaView]: SchemaView[Key] }

interface PendingSchema {
  readonly view: MutableSchemaView
  readonly flat: FlatSchema
  readonly above: AncestorSchemas | undefined
}

/** Linked list of enclosing schemas. */
export interface AncestorSchemas extends Pick<FlatSchema, 'pointers' | 'merged'> {
  readonly outer: AncestorSchemas | undefined
}

export function createSchemaReader(specification: Specification, budget: Budget): SchemaReader {
  const merging: string[] = []
  const known = new WeakMap<object, FlatSchema>()
  /** Whether a part with this pointer is left out of the schema that is being merged. */
  let isLeftOut: (pointer: string) => boolean = () => false
  const further = { choices: mostFurtherChoices, characters: longestFurtherChoices }

  function flatten(schema: unknown): FlatSchema {
    // A schema merged inside its own merge is incomplete, so it is not cached.
    if (merging.length > 0 || !isMapping(schema)) return flattenUncached(schema)
    let flat = known.get(schema)
    if (flat === undefined) known.set(schema, (flat = flattenUncached(schema)))
    return flat
  }

  function flattenInside(schema: unknown, above: AncestorSchemas | undefined): FlatSchema {
    const flat = flatten(schema)
    const isUnnamed = flat.pointers.length === 0
    const leftOut = new Set<string>()
    for (let one = above; one !== undefined; one = one.outer) {
      // Schemas without names that inherit one base, of which they are members, would contain each other without end.
      const pointers = isUnnamed && one.pointers.length === 0 ? [...one.merged] : one.pointers
      budget.spend('steps', 1 + pointers.length)
      for (const pointer of pointers) if (flat.merged.has(pointer)) leftOut.add(pointer)
    }
    if (leftOut.size === 0) return flat
    isLeftOut = (pointer) => leftOut.has(pointer)
    try {
      return flattenUncached(schema)
    } finally {
      isLeftOut = () => false
    }
  }

  function flattenUncached(schema: unknown): FlatSchema {
    budget.spend('steps')
    const { value, pointer, beside } = resolve(specification, schema)
    const isNever = value === false
    const isAgain = pointer !== undefined && merging.includes(pointer)
    const name = pointer === undefined ? undefined : nameOfSchema(pointer)
    const { words, only } = withoutNull({ ...objectOf(value), ...beside })
    budget.spend('steps', (listOf(words['oneOf']).length + listOf(words['anyOf']).length) / 10)
    const declaredParts = [...listOf(words['allOf']), ...(only === undefined ? [] : [only])]
    const parts = isAgain || merging.length >= deepestMerge ? [] : declaredParts
    const own = Object.entries(objectOf(words['properties']))
    const addsMembers = hasMembers({ words, properties: new Map(own) })
    const properties = new Map<string, unknown>()
    const required = new Set<string>()
    const pointers = pointer === undefined ? [] : [pointer]
    const mergedPointers = new Set<string>()
    const enclosingBases: string[] = []
    const members = new Map(Object.entries(words))
    let partName: string | undefined
    if (parts.length > 0) {
      merging.push(pointer ?? '')
      try {
        for (const part of parts.slice(0, mostParts)) {
          const flat = flatten(part)
          const isSubtype = listsSubtype(flat.words, merging)
          const isRepeated = parts.length === 1 && !addsMembers && !isSubtype
          const inherited = isRepeated ? flat.words : inheritedWords(flat.words, isSubtype)
          partName ??= parts.length === 1 ? flat.name : undefined
          if (flat.pointers.some(isLeftOut)) {
            if (flat.name !== undefined && hasMembers({ words: inherited, properties: flat.properties }))
              enclosingBases.push(flat.name)
            continue
          }
          const entries = Object.entries(inherited)
          budget.spend('steps', flat.properties.size + flat.merged.size + entries.length)
          if (isRepeated) pointers.push(...flat.pointers)
          for (const one of [...flat.pointers, ...flat.merged]) mergedPointers.add(one)
          for (const base of flat.enclosingBases) enclosingBases.push(base)
          for (const [key, member] of flat.properties) properties.set(key, member)
          for (const key of flat.required) required.add(key)
          for (const [key, word] of entries) if (!members.has(key)) members.set(key, word)
        }
      } finally {
        merging.pop()
      }
    }
    budget.spend('steps', own.length)
    for (const [key, member] of own) properties.set(key, member)
    for (const key of textsOf(words['required'])) required.add(key)
    const result = name ?? partName
    return {
      ...(result !== undefined && { name: result }),
      pointers,
      merged: mergedPointers,
      enclosingBases,
      words: parts.length > 0 ? Object.fromEntries(members) : words,
      properties,
      required,
      isNever,
    }
  }

  /** Describes a schema without its members. */
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
      isNullable: allowsNull(words) || hasNullAlternative(words),
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

  function choicesOf(words: SpecificationObject): { readonly choices: ChoiceView[]; readonly more: number } {
    const { length } = listOf(words['enum'])
    const choices: ChoiceView[] = []
    while (choices.length < length) {
      const choice = choiceAt(words, choices.length)
      if (choices.length >= mostChoices) {
        const { value, description = '' } = choice
        further.choices -= 1
        further.characters -= value.length + description.length
        if (further.choices < 0 || further.characters < 0) break
      }
      choices.push(choice)
    }
    budget.spend('steps', choices.length / 20)
    return { choices, more: length - choices.length }
  }

  function hasNullAlternative(words: SpecificationObject): boolean {
    return [...listOf(words['oneOf']), ...listOf(words['anyOf'])]
      .slice(0, mostAlternatives)
      .some((one) => isNull(one) || allowsNull(flatten(one).words))
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
      const described = [...new Set(texts)].filter((text) => text !== 'null')
      if (alternatives.schemas.length > 5) described.push('…')
      return described.length === 0 ? 'any' : described.join(' | ')
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

  /** The schema with members, itself or the item schema of a list, however deep; and the pointers of all of these. */
  function withMembers(schema: unknown): { readonly inner: unknown; readonly pointers: readonly string[] } {
    const pointers: string[] = []
    let inner = schema
    for (let depth = 0; depth <= deepestType; depth++) {
      const flat = flatten(inner)
      pointers.push(...flat.pointers)
      const { items } = flat.words
      if (depth === deepestType || items === undefined || !typesOf(flat).includes('array')) break
      inner = items
    }
    return { inner, pointers }
  }

  function read(schema: unknown, rows: number): SchemaView {
    const waiting: PendingSchema[] = []
    let left = rows
    const add = (child: unknown, above: AncestorSchemas | undefined): SchemaView => {
      const view = describe(flatten(child))
      const { inner, pointers } = withMembers(child)
      left -= 1
      if (!hasMembers(flatten(inner))) return view
      const flat = isAbove(pointers, above) ? undefined : flattenInside(inner, above)
      if (flat !== undefined && flat.enclosingBases.length > 0) view.enclosingBases = flat.enclosingBases
      if (flat !== undefined && hasMembers(flat))
        waiting.push({ view, flat, above: { pointers, merged: flat.merged, outer: above } })
      else if (view.enclosingBases === undefined) view.isCircular = true
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
      const described: PropertyView[] = []
      const tell = (entries: Iterable<readonly [string, unknown]>, isPattern: boolean): void => {
        for (const [name, member] of entries) {
          if (described.length >= mostProperties || left <= 0) {
            view.isCut = true
            break
          }
          described.push({ name, isRequired: required.has(name), isPattern, schema: add(member, above) })
        }
      }
      tell(properties, false)
      tell(patterns, true)
      if (described.length > 0) view.properties = described
      const others = words['additionalProperties']
      if (isMapping(others) && Object.keys(others).length > 0) view.others = add(others, above)
      else if (others === true || isMapping(others)) view.others = true
      const rest = listOf(words['prefixItems'])
      if (rest.length > 0 && view.properties === undefined) {
        tell(
          rest.slice(0, mostAlternatives).map((item, index) => [`[${index}]`, item] as const),
          false,
        )
        view.properties = described
      }
      if (alternatives !== undefined) {
        const { kind, schemas } = alternatives
        const result = schemas.slice(0, mostAlternatives)
        if (result.length < schemas.length) view.isCut = true
        const discriminator = discriminatorOf(words)
        view.alternatives = {
          kind,
          schemas: result.map((one) => add(one, above)),
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

  return { read, flatten, flattenInside }
}

/** Whether the alternatives of a base schema list one of the schemas that inherit it. */
function listsSubtype(words: SpecificationObject, pointers: readonly string[]): boolean {
  return [...listOf(words['oneOf']), ...listOf(words['anyOf'])].some((one) => {
    const pointer = pointerOfReference(objectOf(one)['$ref'])
    return pointer !== undefined && pointers.includes(pointer)
  })
}

/** The `oneOf` of a base schema lists its subtypes, which do not inherit it. */
function inheritedWords(words: SpecificationObject, isSubtype: boolean): SpecificationObject {
  if (words['discriminator'] === undefined && !isSubtype) return words
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = words
  return rest
}

/** Separates `null` from the only other alternative: that is how generators declare every optional value. */
function withoutNull(words: SpecificationObject): {
  readonly words: SpecificationObject
  readonly only?: unknown
} {
  if (words['discriminator'] !== undefined) return { words }
  for (const kind of ['oneOf', 'anyOf'] as const) {
    const schemas = listOf(words[kind])
    const [only, ...others] = schemas.length === 2 ? schemas.filter((one) => !isNull(one)) : []
    if (!isMapping(only) || others.length > 0 || isRuleAlone(only)) continue
    const { [kind]: _alternatives, ...rest } = words
    return { words: { ...rest, nullable: true }, only }
  }
  return { words }
}

/** Whether `null` is the only value of a schema. */
function isNull(schema: unknown): boolean {
  const { type, const: constant, enum: values } = objectOf(schema)
  const types = [type].flat()
  return (
    (types.length > 0 && types.every((one) => one === 'null')) ||
    constant === null ||
    (Array.isArray(values) && values.length > 0 && values.every((one) => one === null))
  )
}

function allowsNull(words: SpecificationObject): boolean {
  return words['nullable'] === true || words['x-nullable'] === true || listOf(words['type']).includes('null')
}

function begun(read: () => SchemaView): SchemaView {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return unread
  }
}

/** Whether an enclosing schema has one of these pointers. */
export function isAbove(pointers: readonly string[], above: AncestorSchemas | undefined): boolean {
  for (let one = above; one !== undefined; one = one.outer) {
    if (one.pointers.some((pointer) => pointers.includes(pointer))) return true
  }
  return false
}

/** A component has a name; a pointer to any other schema is no useful name. */
function nameOfSchema(pointer: string): string | undefined {
  return /^\/(?:components\/schemas|definitions|x-references)\/[^/]+$/.test(pointer) &&
    !pointer.startsWith('/x-')
    ? nameOfPointer(pointer)
    : undefined
}

/** The types that are declared or implied by other keywords, without `null`. */
export function typesOf({ words, properties }: Pick<FlatSchema, 'words' | 'properties'>): readonly string[] {
  const { type } = words
  const declared = Array.isArray(type) ? textsOf(type) : typeof type === 'string' ? [type] : []
  const types = declared.filter((one) => one !== 'null').slice(0, 8)
  if (types.length > 0) return types
  if (declared.length > 0) return declared
  if (properties.size > 0 || words['additionalProperties'] !== undefined || words['patternProperties'])
    return ['object']
  if (words['items'] !== undefined || words['prefixItems'] !== undefined) return ['array']
  const value = words['const'] ?? listOf(words['enum']).find((one) => one !== null)
  if (value === undefined || typeof value === 'object') return []
  return [typeof value]
}

function hasMembers({ words, properties }: Pick<FlatSchema, 'words' | 'properties'>): boolean {
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

/** `null` among alternatives only means that it is nullable. */
export function alternativesOf(
  words: SpecificationObject,
): { readonly kind: 'oneOf' | 'anyOf'; readonly schemas: readonly unknown[] } | undefined {
  for (const kind of ['oneOf', 'anyOf'] as const) {
    const schemas = listOf(words[kind]).filter((one) => isMapping(one) && !isNull(one) && !isRuleAlone(one))
    if (schemas.length > 0) return { kind, schemas }
  }
  return undefined
}

/** A schema with only `required` is a constraint on its parent, and no alternative. */
function isRuleAlone(schema: SpecificationObject): boolean {
  const keys = Object.keys(schema)
  return keys.length === 0 || (keys.length === 1 && keys[0] === 'required')
}

function discriminatorOf(words: SpecificationObject): DiscriminatorView | undefined {
  const { discriminator } = words
  const schema = objectOf(discriminator)
  const property = textOf(typeof discriminator === 'string' ? discriminator : schema['propertyName'], 200)
  if (property === undefined) return undefined
  const entries = Object.entries(objectOf(schema['mapping'])).slice(0, mostAlternatives)
  const mapping = entries.map(([value, ref]) => ({
    value,
    schema: String(ref).slice(String(ref).lastIndexOf('/') + 1),
  }))
  return { property, mapping }
}

/** Descriptions of enum values are keyed by value, or in the order of the values. */
function choiceAt(words: SpecificationObject, index: number): ChoiceView {
  const value = listOf(words['enum'])[index]
  const declared = words['x-enumDescriptions'] ?? words['x-enum-descriptions']
  const key = String(value)
  const description = Array.isArray(declared)
    ? textOf(declared[index], 1_000)
    : isMapping(declared) && Object.hasOwn(declared, key)
      ? textOf(declared[key], 1_000)
      : undefined
  return { value: written(value), ...(description !== undefined && { description }) }
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

function limitsOf(words: SpecificationObject): LimitView[] {
  const limits: LimitView[] = []
  for (const kind of limitKinds) {
    const value = words[kind]
    if (typeof value !== 'number') continue
    // Before 3.1 a boolean keyword makes the limit exclusive.
    const isExcluded =
      (kind === 'minimum' && words['exclusiveMinimum'] === true) ||
      (kind === 'maximum' && words['exclusiveMaximum'] === true)
    const described = isExcluded ? (kind === 'minimum' ? 'above' : 'below') : kind
    limits.push({ kind: described, value: String(value) })
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
