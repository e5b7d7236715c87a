/**
 * Visitor tokens of sites: JSON Web Tokens that the customer's own sign-in backend signs with the site's key (HS256),
 * and no others. Verified tokens are cached by their exact text and the key's generation, until they expire.
 */
import { errors, jwtVerify } from 'jose'
import type { Claims, TokenState } from '../../core/visitor/visitor.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Caches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'

/** The site for which the token is read. */
export interface VisitedSite {
  readonly id: string
  /** How often its key was rotated. */
  readonly key_generation: number
}

export interface VisitorTokenResult {
  readonly state: Exclude<TokenState, 'none'>
  readonly claims: Claims
  /** Milliseconds since 1970; undefined for one that does not expire. */
  readonly expires?: number
}

/** A longer one does not fit into a cookie. In UTF-16 units. */
const maxTokenLength = 3_500
/** Clocks of other machines may differ by so much, in milliseconds. */
const leeway = 30_000

interface VerifiedToken {
  readonly claims: Claims
  /** Milliseconds since 1970. */
  readonly begins: number
  readonly expires: number
}

/** Bytes in memory: text and parsed claims, and some overhead for its members. */
const tokenKind = cacheKind<VerifiedToken & { readonly length: number }>(
  'visitor token',
  ({ length }) => 500 + length * 4,
)

const nothing: Claims = {}

/** Returns the state and claims of a visitor token. */
export async function readVisitorToken(
  { caches, addresses }: { readonly caches: Caches; readonly addresses: Addresses },
  site: VisitedSite,
  token: string,
  now: number,
): Promise<VisitorTokenResult> {
  if (token.length > maxTokenLength) return { state: 'refused', claims: nothing }
  const name = `${site.id} ${site.key_generation} ${token}`
  let known = caches.find(tokenKind, name)
  if (known === undefined) {
    const verified = await verify(token, addresses.keys.visitor(site.id, site.key_generation))
    if (verified === undefined) return { state: 'refused', claims: nothing }
    known = { ...verified, length: token.length }
    caches.put(tokenKind, name, known)
  }
  const { claims, begins, expires } = known
  if (now > expires + leeway) return { state: 'expired', claims: nothing }
  if (now < begins - leeway) return { state: 'refused', claims: nothing }
  return { state: 'valid', claims, ...(Number.isFinite(expires) && { expires }) }
}

/** Returns the claims and validity of a token; undefined when the key did not sign it. */
async function verify(token: string, key: string): Promise<VerifiedToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(key), {
      algorithms: ['HS256'],
      // The validity period is checked with each use; only its syntax is checked now.
      clockTolerance: Number.MAX_SAFE_INTEGER,
    })
    const { unsigned: _, ...claims } = payload
    const begins = Math.max(payload.nbf ?? 0, payload.iat ?? 0) * 1000
    return { claims, begins, expires: payload.exp === undefined ? Infinity : payload.exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
