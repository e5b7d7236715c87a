/**
 * How visitors say who they are: the channels of tokens, in their order, and what they say of themselves in addresses
 * and cookies. What was asked in an address is to be taken out of it, so that it is not passed on with it.
 */
import { isMapping } from '../mapping.js'
import { parseJson } from '../parse-json.js'
import type { Claims } from './visitor.js'

/** The members of a query, decoded, in their order. */
export type Query = readonly (readonly [name: string, value: string])[]

/** What of a request is looked at. */
export interface Asking {
  readonly authorization: string | undefined
  readonly cookies: string | undefined
  readonly query: Query
  /** From the root of the host. */
  readonly path: string
  /** True where programs ask, who put a token into the address itself. */
  readonly takesAccessToken: boolean
}

export interface Arrival {
  /** The first token that came; empty for one that was taken back by an empty one. */
  readonly token: string | undefined
  readonly unsigned: Claims
  /** What the address asked to be remembered; undefined when it asked nothing. */
  readonly remember: Remembered | undefined
}

export interface Remembered {
  /** Empty to forget the one that is known. */
  readonly token?: string
  readonly unsigned?: Claims
  /** The query without what is remembered. */
  readonly rest: Query
}

/** What the names of our cookies begin with that tell who somebody is. */
const ownCookies = 'octavo-visitor-'
/** The names under which applications set such cookies that were made for the design's public API; of tokens ours count first. */
const visitorCookies = [ownCookies, 'gitbook-visitor-']
const [tokenName, unsignedName] = ['token', 'public']
export const tokenCookie = ownCookies + tokenName
export const unsignedCookie = ownCookies + unsignedName
const tokenMember = 'jwt_token'
const unsignedPrefix = 'visitor.'

/** What somebody says of themselves is little: as JSON in UTF-16 units, nested so deep, so many at once. */
const longestUnsigned = 2_000
const deepest = 8
const mostValues = 50
/** No browser keeps a longer cookie. */
const longestCookie = 4_096

/** Returns who comes, by what a request carries. */
export function readArrival(asking: Asking): Arrival {
  const { query } = asking
  const cookies = readCookies(asking.cookies)
  const first = (wanted: string) => query.find(([name]) => name === wanted)?.[1]
  const asked = first(tokenMember)
  const given = asking.takesAccessToken ? first('access_token') : undefined
  const token = bearerOf(asking.authorization) ?? given ?? asked ?? cookieTokenOf(cookies, asking.path)
  const said = readSaid(query)
  const unsigned = boundedMerge([...publicOf(cookies), ...(said === undefined ? [] : [said])])
  if (asked === undefined && said === undefined) return { token, unsigned, remember: undefined }
  const rest = query.filter(([name]) => name !== tokenMember && !name.startsWith(unsignedPrefix))
  const remember = {
    ...(asked !== undefined && { token: asked }),
    ...(said !== undefined && { unsigned }),
    rest,
  }
  return { token, unsigned, remember }
}

/** Returns all that somebody says of who they are besides the address, as one text; empty for most. */
export function saidBy(authorization: string | undefined, cookies: string | undefined): string {
  const bearer = authorization === undefined ? undefined : bearerOf(authorization)
  const isTold = cookies !== undefined && visitorCookies.some((prefix) => cookies.includes(prefix))
  if (bearer === undefined && !isTold) return ''
  const tells = (part: string) => visitorCookies.some((prefix) => part.trim().startsWith(prefix))
  const own = isTold ? cookies.split(';').filter(tells) : []
  return [bearer ?? '', ...own].join(';')
}

/** A token of the header; tokens of the API, which have no dots, are somebody else's business. */
function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i.exec(authorization ?? '')?.[1]
}

/** The one that was remembered for the longest part of the path; else the one that another server set. */
function cookieTokenOf(cookies: readonly Cookie[], path: string): string | undefined {
  let best: { readonly basePath: string; readonly token: string } | undefined
  for (const { name, value } of cookies) {
    if (!name.startsWith(`${tokenName}~`)) continue
    const kept = parseJson(value)
    if (!isMapping(kept)) continue
    const { basePath, token } = kept
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
  /** Without what all of them begin with. */
  readonly name: string
  readonly value: string
}

function readCookies(header: string | undefined): Cookie[] {
  return visitorCookies.flatMap((prefix) =>
    header?.includes(prefix) === true ? cookiesIn(header, prefix) : [],
  )
}

function cookiesIn(header: string, prefix: string): Cookie[] {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(0, at)).trim()
    if (!name.startsWith(prefix) || part.length > longestCookie) return []
    try {
      return [{ name: name.slice(prefix.length), value: decodeURIComponent(part.slice(at + 1).trim()) }]
    } catch {
      return []
    }
  })
}

/** What an address says: `visitor.<a>.<b>=value` makes nested objects. Undefined when it says nothing. */
function readSaid(query: Query): Claims | undefined {
  let isSaid = false
  let left = mostValues
  const root: Tree = new Map()
  for (const [name, text] of query) {
    if (!name.startsWith(unsignedPrefix)) continue
    isSaid = true
    const parts = name.slice(unsignedPrefix.length).split('.')
    if (left === 0 || parts.length > deepest || parts.includes('')) continue
    left -= 1
    put(root, parts, valueOf(text))
  }
  return isSaid ? plain(root) : undefined
}

type Tree = Map<string, unknown>

function put(tree: Tree, parts: readonly string[], value: unknown): void {
  let at = tree
  for (const part of parts.slice(0, -1)) {
    const known = at.get(part)
    const next: Tree = known instanceof Map ? known : new Map()
    at.set(part, next)
    at = next
  }
  at.set(parts.at(-1)!, value)
}

function plain(tree: Tree): Claims {
  return Object.fromEntries(
    [...tree].map(([name, value]) => [name, value instanceof Map ? plain(value) : value]),
  )
}

const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

function valueOf(text: string): unknown {
  if (words.has(text)) return words.get(text)
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  if (!/^[[{]/.test(text) || text.length > longestUnsigned) return text
  return parseJson(text) ?? text
}

/** The later ones over the earlier ones; nothing at all of what is too much. */
function boundedMerge(all: readonly Claims[]): Claims {
  if (all.length === 0) return {}
  const merged = all.filter((one) => isShallow(one, deepest)).reduce<Claims>(mergeTwo, {})
  return JSON.stringify(merged).length > longestUnsigned ? {} : merged
}

function mergeTwo(one: Claims, other: Claims): Claims {
  const members = new Map(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    const known = members.get(name)
    members.set(name, isMapping(known) && isMapping(value) ? mergeTwo(known, value) : value)
  }
  return Object.fromEntries(members)
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1))
}
