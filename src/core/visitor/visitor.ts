/**
 * Visitor of a published site: the claims of a token signed with the site's key, and unsigned claims the visitor
 * sends. A plain value; authorization is decided elsewhere.
 */

export interface Claims {
  readonly [name: string]: unknown
}

/** `none`: the request has no token. `refused`: the token is not of this site, or no longer accepted. */
export type TokenState = 'none' | 'valid' | 'expired' | 'refused'

export interface Visitor {
  /** Claims of the token; empty unless it is valid. */
  readonly claims: Claims
  /** Claims that any visitor may make, without proof. */
  readonly unsigned: Claims
  readonly token: TokenState
}

/** An anonymous visitor. */
export const unknownVisitor: Visitor = { claims: {}, unsigned: {}, token: 'none' }

/** Returns a cache key of a visitor's claims: equal claims have equal keys; empty for no claims. */
export function claimsKey({ claims, unsigned }: Visitor): string {
  const [signedText, unsignedText] = [JSON.stringify(sorted(claims)), JSON.stringify(sorted(unsigned))]
  return signedText === '{}' && unsignedText === '{}' ? '' : `${signedText} ${unsignedText}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]))
}
