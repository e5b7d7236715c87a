/**
 * From a request to its actor: a bearer token, or the session cookie of the app.
 *
 * Cookies are sent by browsers whoever wrote the page, so a request that changes something with a
 * cookie must also come from our own origin.
 */
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import type { Origin } from '../audit/record.js'
import type { Look } from '../../store/cache/caches.js'
import type { Actor } from './actor.js'
import { isContentToken } from './content-tokens.js'
import { createSessionSignIn, sessionCookie } from './sessions.js'
import { type SignInServices, createTokenSignIn } from './tokens.js'

/** Returns the reader that a content token stands for; throws 401 when it opens nothing, or nothing any more. */
export type ContentSignIn = (look: Look, token: string, now: number) => Promise<Actor>

export function createSignIn(
  services: SignInServices,
  {
    baseUrl,
    now,
    byContentToken,
  }: {
    readonly baseUrl: string
    readonly now: () => number
    /** Lets the bearer of a content token in, or throws; without it there are none. */
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
      const look = await services.caches.look(request.raw)
      if (byContentToken !== undefined && isContentToken(token)) return byContentToken(look, token, now())
      return byToken(look, token, now())
    }
    const secret = readCookie(request.headers.cookie, cookie)
    if (secret === undefined) return null
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isOwnOrigin(request, origin)) {
      throw new ApiError('cross_site_request')
    }
    return (await bySession(await services.caches.look(request.raw), secret, now())) ?? null
  }
}

/** Browsers name where a request comes from; one that names nothing is not a browser's own form or script. */
export function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return request.headers.origin === origin
}

/** Where a request comes from; the address is that of a proxy unless the settings name it as one. */
export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }
}

/**
 * Returns the name of a cookie of an installation. By https it begins with `__Host-`, so that browsers take it from
 * this very host by https alone, and no neighbour below the same domain can set one.
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
