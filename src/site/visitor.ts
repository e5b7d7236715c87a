/**
 * Visitor authentication: the visitor's token, from address or cookie, and their unsigned claims. What the address
 * carried is stored in cookies of the site, and the browser is redirected to the address without it.
 */
import { createHash } from 'node:crypto'
import { isMapping } from '../core/mapping.js'
import {
  type VisitorRequest,
  type Query,
  type RememberedIdentity,
  identifyVisitor,
  tokenCookie,
  unsignedCookie,
} from '../core/visitor/identify-visitor.js'
import { type Claims, type Visitor, unknownVisitor } from '../core/visitor/visitor.js'
import type { Services } from '../access/route/scope.js'
import { type VisitedSite, readVisitorToken } from '../access/signin/visitor-token.js'
import type { SiteRow } from '../resources/sites/store.js'
import type { PublishedSite } from './routing/site.js'

export interface IdentifiedVisitor {
  readonly visitor: Visitor
  /** Expiry of the token, in milliseconds since 1970; undefined for one without expiry. */
  readonly expires: number | undefined
  /** Cookies to set for what the address carried. */
  readonly remember?: {
    readonly cookies: readonly string[]
    /** The query without the token and the claims. */
    readonly query: Query
  }
}

/** Token and unsigned claims as received. */
export interface VisitorInput {
  readonly token: string | undefined
  readonly unsigned: Claims
}

type VisitorServices = Pick<Services, 'caches' | 'addresses'>
type CookieScope = Pick<PublishedSite, 'base' | 'url'>

/** Returns the visitor of a token, verified with the site's key. */
export async function visitorFromToken(
  services: VisitorServices,
  site: VisitedSite,
  { token, unsigned }: VisitorInput,
  now: number,
): Promise<IdentifiedVisitor> {
  // An empty token signs the visitor out.
  if (token === undefined || token === '')
    return { visitor: { ...unknownVisitor, unsigned }, expires: undefined }
  const { state, claims, expires } = await readVisitorToken(services, site, token, now)
  return { visitor: { claims, unsigned, token: state }, expires }
}

/** Returns the visitor of a request. */
export async function resolveVisitor(
  services: VisitorServices,
  { row, site }: { readonly row: VisitedSite; readonly site: CookieScope },
  request: VisitorRequest,
  now: number,
): Promise<IdentifiedVisitor> {
  const received = identifyVisitor(request)
  const identified = await visitorFromToken(services, row, received, now)
  const { remember } = received
  if (remember === undefined) return identified
  return {
    ...identified,
    remember: { cookies: cookiesFor(site, remember, identified, now), query: remember.rest },
  }
}

/** Returns the login URL of the site with `returnTo` as location to return to; undefined for a site without one. */
export function signInUrl(
  { login_url: url }: Pick<SiteRow, 'login_url'>,
  returnTo: string,
): string | undefined {
  if (url === null) return undefined
  const to = new URL(url)
  to.searchParams.set('location', returnTo)
  return to.href
}

/** Returns the visitor whose claims a preview key holds; an unknown visitor for an invalid key. */
export function previewVisitor(
  { keys }: VisitorServices['addresses'],
  site: VisitedSite,
  key: string,
): IdentifiedVisitor {
  const preview = keys.readPreview(site.id, key)
  if (preview === undefined) return { visitor: unknownVisitor, expires: undefined }
  const { unsigned, ...claims } = JSON.parse(preview.claims) as Claims
  const visitor: Visitor = { claims, unsigned: isMapping(unsigned) ? unsigned : {}, token: 'valid' }
  return { visitor, expires: preview.expires }
}

const second = 1000
const minLifetime = 60 * second
/** Of a token without expiry. */
const defaultLifetime = 7 * 24 * 60 * 60 * second

/** An invalid token is not stored; the cookie set before stays. */
function cookiesFor(
  site: CookieScope,
  { token, unsigned }: RememberedIdentity,
  { visitor, expires }: IdentifiedVisitor,
  now: number,
): string[] {
  const cookies: string[] = []
  if (token === '') cookies.push(expiredTokenCookie(site))
  else if (token !== undefined && visitor.token === 'valid') {
    const lifetime = expires === undefined ? defaultLifetime : Math.max(minLifetime, expires - now)
    const value = JSON.stringify({ basePath: site.base, token })
    cookies.push(formatCookie(site, tokenCookie, value, `; Max-Age=${Math.ceil(lifetime / second)}`))
  }
  if (unsigned !== undefined) cookies.push(formatCookie(site, unsignedCookie, JSON.stringify(unsigned)))
  return cookies
}

/** Returns the cookie that deletes the token of a site. */
export function expiredTokenCookie(site: CookieScope): string {
  return formatCookie(site, tokenCookie, '', '; Max-Age=0')
}

/** The name is unique per site, since sites share hosts. Without an age it is a session cookie. */
function formatCookie({ base, url }: CookieScope, name: string, value: string, age = ''): string {
  const siteHash = createHash('sha256').update(base).digest('base64url').slice(0, 16)
  const secure = url.startsWith('https:') ? '; Secure' : ''
  return `${name}~${siteHash}=${encodeURIComponent(value)}; Path=${base}; HttpOnly; SameSite=Lax${secure}${age}`
}
