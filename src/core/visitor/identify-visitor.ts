/**
 * Visitor identification: reads the visitor's token from its sources in order of precedence, and unsigned claims from
 * the query and cookies. A token or claims in a URL are to be removed from it, so that they are not shared with the
 * link.
 */
import { isMapping } from '../mapping.js'
import { parseJson } from '../parse-json.js'
import type { Claims } from './visitor.js'

/** The decoded parameters of a query, in order. */
export type Query = readonly (readonly [name: string, value: string])[]

/** The parts of a request that identify a visitor. */
export interface VisitorRequest {
  readonly authorization: string | undefined
  readonly cookies: string | undefined
  readonly query: Query
  /** From the root of the host. */
  readonly path: string
  /** True for endpoints used by programs, which pass the token in the URL. */
  readonly takesAccessToken: boolean
}

export interface VisitorIdentity {
  /** The token of the first source that has one; empty when an empty token revokes it. */
  readonly token: string | undefined
  readonly unsigned: Claims
  /** What to store in cookies from the URL; undefined when the URL has neither token nor claims. */
  readonly remember: RememberedIdentity | undefined
}

export interface RememberedIdentity {
  /** Empty to delete the remembered token. */
  readonly token?: string
  readonly unsigned?: Claims
  /** The query without the token and claims. */
  readonly rest: Query
}

/** Prefix of our own cookies that identify a visitor. */
const ownCookiePrefix = 'octavo-visitor-'
/** Prefixes of visitor cookies, including those set by applications written for the GitBook API; our own token wins. */
const visitorCookiePrefixes = [ownCookiePrefix, 'gitbook-visitor-']
const [tokenName, unsignedName] = ['token', 'public']
export const tokenCookie = ownCookiePrefix + tokenName
export const unsignedCookie = ownCookiePrefix + unsignedName
const tokenMember = 'jwt_token'
const unsignedPrefix = 'visitor.'

/** Limits of unsigned claims: length as JSON in UTF-16 units, nesting, and number of values. */
const maxUnsignedLength = 2_000
const maxClaimDepth = 8
const maxUnsignedValues = 50
/** No browser stores a longer cookie. */
const maxCookieLength = 4_096

/** Returns the token and unsigned claims that a request carries. */
export function identifyVisitor(request: VisitorRequest): VisitorIdentity {
  const { query } = request
  const cookies = readCookies(request.cookies)
  const firstValue = (member: string) => query.find(([name]) => name === member)?.[1]
  const queryToken = firstValue(tokenMember)
  const accessToken = request.takesAccessToken ? firstValue('access_token') : undefined
  const token =
    bearerOf(request.authorization) ?? accessToken ?? queryToken ?? cookieTokenOf(cookies, request.path)
  const queryClaims = readUnsignedClaims(query)
  const unsigned = boundedMerge([...publicOf(cookies), ...(queryClaims === undefined ? [] : [queryClaims])])
  if (queryToken === undefined && queryClaims === undefined) return { token, unsigned, remember: undefined }
  const rest = query.filter(([name]) => name !== tokenMember && !name.startsWith(unsignedPrefix))
  const remember = {
    ...(queryToken !== undefined && { token: queryToken }),
    ...(queryClaims !== undefined && { unsigned }),
    rest,
  }
  return { token, unsigned, remember }
}

/** Returns the identifying parts of the headers as one text, for use in cache keys; empty for most requests. */
export function visitorHeaders(authorization: string | undefined, cookies: string | undefined): string {
  const bearer = authorization === undefined ? undefined : bearerOf(authorization)
  const hasVisitorCookie =
    cookies !== undefined && visitorCookiePrefixes.some((prefix) => cookies.includes(prefix))
  if (bearer === undefined && !hasVisitorCookie) return ''
  const isVisitorCookie = (part: string) =>
    visitorCookiePrefixes.some((prefix) => part.trim().startsWith(prefix))
  const own = hasVisitorCookie ? cookies.split(';').filter(isVisitorCookie) : []
  return [bearer ?? '', ...own].join(';')
}

/** The JWT of the Authorization header; API tokens, which have no dots, are ignored. */
function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i.exec(authorization ?? '')?.[1]
}

/** The token remembered for the longest matching base path; else the one set by another server. */
function cookieTokenOf(cookies: readonly Cookie[], path: string): string | undefined {
  let best: { readonly basePath: string; readonly token: string } | undefined
  for (const { name, value } of cookies) {
    if (!name.startsWith(`${tokenName}~`)) continue
    const remembered = parseJson(value)
    if (!isMapping(remembered)) continue
    const { basePath, token } = remembered
    if (typeof basePath !== 'string' || typeof token !== 'string' || !path.startsWith(basePath)) continue
    if (best === undefined || basePath.length > best.basePath.length) best = { basePath, token }
  }
  return best?.token ?? cookies.find(({ name }) => name === tokenName)?.value
}

function publicOf(cookies: readonly Cookie[]): Claims[] {
  return cookies
    .filter(({ name }) => name.startsWith(unsignedName))
    .map(({ value }) => parseJson(value))
    .filter(isMapping)
}

interface Cookie {
  /** Without the prefix. */
  readonly name: string
  readonly value: string
}

function readCookies(header: string | undefined): Cookie[] {
  return visitorCookiePrefixes.flatMap((prefix) =>
    header?.includes(prefix) === true ? cookiesIn(header, prefix) : [],
  )
}

function cookiesIn(header: string, prefix: string): Cookie[] {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(0, at)).trim()
    if (!name.startsWith(prefix) || part.length > maxCookieLength) return []
    try {
      return [{ name: name.slice(prefix.length), value: decodeURIComponent(part.slice(at + 1).trim()) }]
    } catch {
      return []
    }
  })
}

/** Unsigned claims of the query: `visitor.<a>.<b>=value` makes nested objects. Undefined when it has none. */
function readUnsignedClaims(query: Query): Claims | undefined {
  let hasUnsigned = false
  let left = maxUnsignedValues
  const root: Tree = new Map()
  for (const [name, text] of query) {
    if (!name.startsWith(unsignedPrefix)) continue
    hasUnsigned = true
    const parts = name.slice(unsignedPrefix.length).split('.')
    if (left === 0 || parts.length > maxClaimDepth || parts.includes('')) continue
    left -= 1
    setAtPath(root, parts, valueOf(text))
  }
  return hasUnsigned ? toObject(root) : undefined
}

type Tree = Map<string, unknown>

function setAtPath(tree: Tree, parts: readonly string[], value: unknown): void {
  let at = tree
  for (const part of parts.slice(0, -1)) {
    const existing = at.get(part)
    const next: Tree = existing instanceof Map ? existing : new Map()
    at.set(part, next)
    at = next
  }
  at.set(parts.at(-1)!, value)
}

function toObject(tree: Tree): Claims {
  return Object.fromEntries(
    [...tree].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  )
}

const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

function valueOf(text: string): unknown {
  if (literals.has(text)) return literals.get(text)
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  if (!/^[[{]/.test(text) || text.length > maxUnsignedLength) return text
  return parseJson(text) ?? text
}

/** Merges claims, later ones winning; empty when the result exceeds the limits. */
function boundedMerge(all: readonly Claims[]): Claims {
  if (all.length === 0) return {}
  const merged = all.filter((one) => isShallow(one, maxClaimDepth)).reduce<Claims>(mergeTwo, {})
  return JSON.stringify(merged).length > maxUnsignedLength ? {} : merged
}

function mergeTwo(one: Claims, other: Claims): Claims {
  const members = new Map(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    const existing = members.get(name)
    members.set(name, isMapping(existing) && isMapping(value) ? mergeTwo(existing, value) : value)
  }
  return Object.fromEntries(members)
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1))
}
