/** What a shape knows of a value that fits it: members that it does not name are not kept. */
import type { Static, TSchema } from 'typebox'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly additionalProperties?: unknown
}

/** Returns the value with the members alone that the shape names. */
export function knownMembers<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  return knownOf(schema as Shape, value) as Static<Schema>
}

function knownOf(shape: Shape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (shape.anyOf !== undefined) return knownOf(shape.anyOf.find(({ properties }) => properties) ?? {}, value)
  if (Array.isArray(value)) {
    const { items = {} } = shape
    return value.map((one) => knownOf(items, one))
  }
  const { properties, additionalProperties } = shape
  if (properties === undefined || additionalProperties === true) return value
  const entries = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(entries.map(([name, one]) => [name, knownOf(properties[name]!, one)]))
}
