/**
 * Authentication of requests: a bearer token, or the session cookie of the app.
 *
 * Browsers send cookies with requests from any page, so a request that changes something with a cookie must also come
 * from our own origin (CSRF).
 */
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import type { Origin } from '../audit/record.js'
import type { ReadContext } from '../../store/cache/caches.js'
import type { Actor } from './actor.js'
import { isContentToken } from './content-tokens.js'
import { createSessionSignIn, sessionCookie } from './sessions.js'
import { type SignInServices, createTokenSignIn } from './tokens.js'

/** Returns the actor of a content token; throws 401 when it is invalid or opens nothing any more. */
export type ContentSignIn = (readContext: ReadContext, token: string, now: number) => Promise<Actor>

export function createSignIn(
  services: SignInServices,
  {
    baseUrl,
    now,
    byContentToken,
  }: {
    readonly baseUrl: string
    readonly now: () => number
    /** Authenticates content tokens; without it they are refused like unknown tokens. */
    readonly byContentToken?: ContentSignIn
  },
): (request: FastifyRequest) => Promise<Actor | null> {
  const byToken = createTokenSignIn(services)
  const bySession = createSessionSignIn(services)
  const origin = new URL(baseUrl).origin
  const cookie = cookieName(sessionCookie, baseUrl)

  return async (request) => {
    const authorization = request.headers.authorization
    if (authorization !== undefined) {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
      if (token === undefined) throw new ApiError('token_invalid')
      const readContext = await services.caches.readContext(request.raw)
      if (byContentToken !== undefined && isContentToken(token))
        return byContentToken(readContext, token, now())
      return byToken(readContext, token, now())
    }
    const secret = readCookie(request.headers.cookie, cookie)
    if (secret === undefined) return null
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isSameOrigin(request, origin)) {
      throw new ApiError('cross_site_request')
    }
    return (await bySession(await services.caches.readContext(request.raw), secret, now())) ?? null
  }
}

/**
 * True for requests from our own origin: browsers name the origin of a request; one without is no browser's form or
 * script.
 */
export function isSameOrigin(request: FastifyRequest, origin: string): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return request.headers.origin === origin
}

/**
 * Returns IP address and user agent of a request; the address is that of a proxy unless the settings name it as
 * trusted.
 */
export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }
}

/**
 * Returns the name of a cookie of an installation. With https it begins with `__Host-`, so that browsers accept it from
 * this host over https only, and no other host of the same domain can set one.
 */
export function cookieName(name: string, base: string): string {
  return base.startsWith('https:') ? `__Host-${name}` : name
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
