/** Stripping unknown members: removes what a JSON schema does not name from a value that matches it. */
import type { Static, TSchema } from 'typebox'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly additionalProperties?: unknown
}

/** Returns the value with only the members that the schema names. */
export function stripUnknownMembers<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  return stripValue(schema as Shape, value) as Static<Schema>
}

function stripValue(shape: Shape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (shape.anyOf !== undefined)
    return stripValue(shape.anyOf.find(({ properties }) => properties) ?? {}, value)
  if (Array.isArray(value)) {
    const { items = {} } = shape
    return value.map((one) => stripValue(items, one))
  }
  const { properties, additionalProperties } = shape
  if (properties === undefined || additionalProperties === true) return value
  const entries = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(entries.map(([name, one]) => [name, stripValue(properties[name]!, one)]))
}
