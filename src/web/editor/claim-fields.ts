/** Fields for the claims that an adaptive schema names, and the claims that filled fields are. */
export type Claims = Readonly<Record<string, unknown>>
export type ClaimsSchema = Readonly<Record<string, unknown>>

export interface ClaimField {
  /** The names that lead to it, such as `unsigned`, `language`. */
  readonly path: readonly string[]
  readonly type: 'boolean' | 'number' | 'string'
  readonly description: string
  readonly values: readonly (string | number)[]
}

/** Returns the claims of a schema that a field can hold; lists are written as JSON. */
export function claimFieldsOf(schema: ClaimsSchema, path: readonly string[] = []): readonly ClaimField[] {
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, ClaimsSchema>>).flatMap(
    ([name, claim]): readonly ClaimField[] => {
      const at = [...path, name]
      const { type, description = '', enum: values = [] } = claim
      if (type === 'object') return claimFieldsOf(claim, at)
      if (type !== 'boolean' && type !== 'number' && type !== 'string') return []
      return [
        { path: at, type, description: String(description), values: values as readonly (string | number)[] },
      ]
    },
  )
}

/** Returns the claims of filled fields, by the names that lead to them. */
export function claimsOf(fields: readonly ClaimField[], values: ReadonlyMap<string, string>): Claims {
  const claims: Record<string, unknown> = {}
  for (const { path, type } of fields) {
    const value = values.get(path.join('.')) ?? ''
    if (value === '') continue
    let place = claims
    for (const name of path.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>
    place[path.at(-1)!] = type === 'string' ? value : type === 'number' ? Number(value) : value === 'true'
  }
  return claims
}
