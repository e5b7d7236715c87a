/** Fields for the claims that an adaptive schema names, and the claims that filled fields are. */
export type Claims = Readonly<Record<string, unknown>>
export type ClaimsSchema = Readonly<Record<string, unknown>>

type ScalarType = 'boolean' | 'number' | 'string'

export interface ClaimField {
  /** The names that lead to it, such as `unsigned`, `language`. */
  readonly path: readonly string[]
  readonly type: ScalarType
  /** Whether it has several values, which are separated by commas. */
  readonly isList: boolean
  readonly description: string
  readonly values: readonly (string | number)[]
}

/** Returns the claims of a schema that a field can hold. */
export function claimFieldsOf(schema: ClaimsSchema, path: readonly string[] = []): readonly ClaimField[] {
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, ClaimsSchema>>).flatMap(
    ([name, claim]): readonly ClaimField[] => {
      const at = [...path, name]
      const { description = '' } = claim
      if (claim['type'] === 'object') return claimFieldsOf(claim, at)
      const isList = claim['type'] === 'array'
      const { type, enum: values = [] } = isList ? ((claim['items'] ?? {}) as ClaimsSchema) : claim
      if (type !== 'boolean' && type !== 'number' && type !== 'string') return []
      return [
        {
          path: at,
          type,
          isList,
          description: String(description),
          values: values as readonly (string | number)[],
        },
      ]
    },
  )
}

/** Returns the claims of filled fields, by the names that lead to them. */
export function claimsOf(fields: readonly ClaimField[], values: ReadonlyMap<string, string>): Claims {
  const claims: Record<string, unknown> = {}
  for (const { path, type, isList } of fields) {
    const value = values.get(path.join('.')) ?? ''
    if (value === '') continue
    let place = claims
    for (const name of path.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>
    const read = (words: string) =>
      type === 'string' ? words : type === 'number' ? Number(words) : words === 'true'
    const list = () =>
      value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    place[path.at(-1)!] = isList ? list().map(read) : read(value)
  }
  return claims
}
