/**
 * Visitor tokens of sites: JSON Web Tokens that whoever runs the readers' accounts signs with the site's key (HS256),
 * and no others. What was verified is kept by its very bytes under the key's generation, until it ends.
 */
import { errors, jwtVerify } from 'jose'
import type { Claims, TokenState } from '../../core/visitor/visitor.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Caches } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'

/** The site whose token it would be. */
export interface VisitedSite {
  readonly id: string
  /** How often its key was made anew. */
  readonly key_generation: number
}

export interface ReadToken {
  readonly state: Exclude<TokenState, 'none'>
  readonly claims: Claims
  /** Milliseconds since 1970; undefined for one that does not end by itself. */
  readonly expires?: number
}

/** A cookie has no room for a longer one. In UTF-16 units. */
const longestToken = 3_500
/** Clocks of other machines may differ by so much, in milliseconds. */
const leeway = 30_000

interface Verified {
  readonly claims: Claims
  /** Milliseconds since 1970. */
  readonly begins: number
  readonly expires: number
}

/** What a token says takes as much again when it is read, and some more for its members. */
const tokenKind = kindOf<Verified & { readonly length: number }>(
  'visitor token',
  ({ length }) => 500 + length * 4,
)

const nothing: Claims = {}

/** Returns what a token says of whoever brings it to a site. */
export async function readVisitorToken(
  { caches, addresses }: { readonly caches: Caches; readonly addresses: Addresses },
  site: VisitedSite,
  token: string,
  now: number,
): Promise<ReadToken> {
  if (token.length > longestToken) return { state: 'refused', claims: nothing }
  const name = `${site.id} ${site.key_generation} ${token}`
  let known = caches.find(tokenKind, name)
  if (known === undefined) {
    const verified = await verify(token, addresses.keys.visitor(site.id, site.key_generation))
    if (verified === undefined) return { state: 'refused', claims: nothing }
    known = { ...verified, length: token.length }
    caches.keep(tokenKind, name, known)
  }
  const { claims, begins, expires } = known
  if (now > expires + leeway) return { state: 'expired', claims: nothing }
  if (now < begins - leeway) return { state: 'refused', claims: nothing }
  return { state: 'valid', claims, ...(Number.isFinite(expires) && { expires }) }
}

/** Returns what the token says, whenever that is valid; undefined when the key did not sign it. */
async function verify(token: string, key: string): Promise<Verified | undefined> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(key), {
      algorithms: ['HS256'],
      // Times are judged each time that it is used: here only that they are times.
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
