/**
 * Response cache of API reads, by token and URL.
 *
 * The bytes of a response are cached by the revision that they were made from; that they answer this token at this
 * URL depends on the cached reads of its first request: the token, its user's membership in the organization,
 * the space and its head. The response is valid while all of them are current, whatever else was committed, and no
 * longer than the token.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import type { Caches, CacheHandle, CachedRead } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { FindCachedResponse } from '../http/response-cache.js'
import type { RateLimitedActor, RateLimits } from './rate-limits.js'
import { defaultHeaders, noStore } from '../http/headers.js'

interface CachedApiRead {
  readonly dependencies: readonly CachedRead[]
  readonly bytes: CacheHandle<Uint8Array>
  /** A flat list of names and values. */
  readonly headers: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly actor: RateLimitedActor
}

const readKind = cacheKind<CachedApiRead>('answer to a token', () => 700)

/** Milliseconds after which a request reads the token's row again, which keeps its "last used" current. */
const maxAge = 60_000

export interface ReadCache {
  readonly store: NonNullable<MountOptions['onCacheableRead']>
  readonly find: FindCachedResponse
}

/** Returns the cache; `admit` counts each cached response against the rate limits. */
export function createReadCache(
  caches: Caches,
  now: () => number,
  admit: RateLimits['admit'] = () => [],
): ReadCache {
  return {
    store(request, { actor, body, contentType, dependencies }) {
      const address = cacheKeyOf(request.raw)
      // Bearer tokens only: browsers also send cookies with requests that other pages make.
      if (address === undefined || actor.by !== 'token') return
      const { cacheKind, key, json, etag } = body
      const { credentialId, reading } = actor
      caches.put(readKind, address, {
        dependencies,
        bytes: caches.handle(cacheKind, key, json),
        headers: Object.entries({
          ...defaultHeaders,
          ...noStore,
          'content-type': contentType,
          ...(etag !== undefined && { etag }),
          'content-length': String(json.length),
        }).flat(),
        expiresAt: Math.min(actor.expiresAt ?? Infinity, now() + maxAge),
        actor: { credentialId, ...(reading !== undefined && { reading }) },
      })
    },
    find(request) {
      const address = cacheKeyOf(request)
      const cached = address === undefined ? undefined : caches.find(readKind, address)
      if (cached === undefined || cached.expiresAt <= now()) return undefined
      return {
        dependencies: cached.dependencies,
        send({ headers: { authorization = '' } }, response) {
          const body = cached.bytes()
          if (body === undefined) return undefined
          // The router answers requests beyond the rate limit.
          const quotaHeaders = admit(cached.actor, authorization)
          if (quotaHeaders === undefined) return undefined
          response.writeHead(200, [...cached.headers, ...quotaHeaders]).end(body)
          return 200
        },
      }
    },
  }
}

/** Returns token and URL as one key: a header cannot contain a line break, so two different pairs never collide. */
function cacheKeyOf({ method, url, headers }: IncomingMessage | FastifyRequest['raw']): string | undefined {
  const { authorization } = headers
  if (method !== 'GET' || authorization === undefined || url === undefined || !url.startsWith('/v1/'))
    return undefined
  return `${authorization}\n${url}`
}
