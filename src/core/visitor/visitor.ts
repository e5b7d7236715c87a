/**
 * Who reads a site, as far as the site is told: what a token says that the site's own key signed, and what they say of
 * themselves. A value; whether it opens anything is another question.
 */

export interface Claims {
  readonly [name: string]: unknown
}

/** `none`: no token came. `refused`: one that this site never gave, or no longer takes. */
export type TokenState = 'none' | 'valid' | 'expired' | 'refused'

export interface Visitor {
  /** What the token says; nothing unless it is valid. */
  readonly claims: Claims
  /** What anybody may say of themselves. */
  readonly unsigned: Claims
  readonly token: TokenState
}

/** Somebody of whom nothing is known. */
export const unknownVisitor: Visitor = { claims: {}, unsigned: {}, token: 'none' }

/** Returns what names the claims of a visitor: two who say the same have the same; empty for who says nothing. */
export function nameClaims({ claims, unsigned }: Visitor): string {
  const [signed, said] = [JSON.stringify(sorted(claims)), JSON.stringify(sorted(unsigned))]
  return signed === '{}' && said === '{}' ? '' : `${signed} ${said}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]))
}
