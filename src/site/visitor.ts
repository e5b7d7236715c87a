/**
 * Who comes to a site: their token, by whichever channel it came, and what they say of themselves. What an address
 * carried of it is kept in cookies of the site, and the address is asked again without it.
 */
import { createHash } from 'node:crypto'
import { isMapping } from '../core/mapping.js'
import {
  type Asking,
  type Query,
  type Remembered,
  readArrival,
  tokenCookie,
  unsignedCookie,
} from '../core/visitor/identify-visitor.js'
import { type Claims, type Visitor, unknownVisitor } from '../core/visitor/visitor.js'
import type { Services } from '../access/route/scope.js'
import { type VisitedSite, readVisitorToken } from '../access/signin/visitor-token.js'
import type { SiteRow } from '../resources/sites/store.js'
import type { ShownSite } from './routing/site.js'

export interface Arrived {
  readonly visitor: Visitor
  /** When their token ends, in milliseconds since 1970; undefined for one that does not by itself. */
  readonly expires: number | undefined
  /** What the address asked to be remembered, and how. */
  readonly remember?: {
    readonly cookies: readonly string[]
    /** The query without it. */
    readonly query: Query
  }
}

/** What somebody brings: their token, and what they say of themselves. */
export interface Brought {
  readonly token: string | undefined
  readonly unsigned: Claims
}

type Here = Pick<Services, 'caches' | 'addresses'>
type Reached = Pick<ShownSite, 'base' | 'url'>

/** Returns who brings a token to a site. */
export async function readVisitor(
  here: Here,
  site: VisitedSite,
  { token, unsigned }: Brought,
  now: number,
): Promise<Arrived> {
  // An empty one takes back what was known.
  if (token === undefined || token === '')
    return { visitor: { ...unknownVisitor, unsigned }, expires: undefined }
  const { state, claims, expires } = await readVisitorToken(here, site, token, now)
  return { visitor: { claims, unsigned, token: state }, expires }
}

/** Returns who comes with a request. */
export async function meetVisitor(
  here: Here,
  { row, site }: { readonly row: VisitedSite; readonly site: Reached },
  asking: Asking,
  now: number,
): Promise<Arrived> {
  const arrival = readArrival(asking)
  const arrived = await readVisitor(here, row, arrival, now)
  const { remember } = arrival
  if (remember === undefined) return arrived
  return { ...arrived, remember: { cookies: cookiesFor(site, remember, arrived, now), query: remember.rest } }
}

/** Returns where a visitor signs in who wanted to go somewhere on a site; undefined for a site that does not say. */
export function signInUrl(
  { login_url: url }: Pick<SiteRow, 'login_url'>,
  wanted: string,
): string | undefined {
  if (url === null) return undefined
  const to = new URL(url)
  to.searchParams.set('location', wanted)
  return to.href
}

/** Returns the visitor as whom a site is previewed: unknown where the key says nothing that holds. */
export function previewedVisitor({ keys }: Here['addresses'], site: VisitedSite, key: string): Arrived {
  const preview = keys.readPreview(site.id, key)
  if (preview === undefined) return { visitor: unknownVisitor, expires: undefined }
  const { unsigned, ...claims } = JSON.parse(preview.claims) as Claims
  const visitor: Visitor = { claims, unsigned: isMapping(unsigned) ? unsigned : {}, token: 'valid' }
  return { visitor, expires: preview.expires }
}

const second = 1000
const shortestLife = 60 * second
/** Of a token that does not end by itself. */
const usualLife = 7 * 24 * 60 * 60 * second

/** A token that opens nothing is not kept; the one that was known before stays then. */
function cookiesFor(
  site: Reached,
  { token, unsigned }: Remembered,
  { visitor, expires }: Arrived,
  now: number,
): string[] {
  const cookies: string[] = []
  if (token === '') cookies.push(forgottenToken(site))
  else if (token !== undefined && visitor.token === 'valid') {
    const life = expires === undefined ? usualLife : Math.max(shortestLife, expires - now)
    const value = JSON.stringify({ basePath: site.base, token })
    cookies.push(cookieOf(site, tokenCookie, value, `; Max-Age=${Math.ceil(life / second)}`))
  }
  if (unsigned !== undefined) cookies.push(cookieOf(site, unsignedCookie, JSON.stringify(unsigned)))
  return cookies
}

/** Returns what makes a browser forget the token of a site. */
export function forgottenToken(site: Reached): string {
  return cookieOf(site, tokenCookie, '', '; Max-Age=0')
}

/** For the site alone, however many stand at one host. Without an age it ends with the browser. */
function cookieOf({ base, url }: Reached, name: string, value: string, age = ''): string {
  const own = createHash('sha256').update(base).digest('base64url').slice(0, 16)
  const secure = url.startsWith('https:') ? '; Secure' : ''
  return `${name}~${own}=${encodeURIComponent(value)}; Path=${base}; HttpOnly; SameSite=Lax${secure}${age}`
}
