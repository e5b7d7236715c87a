/**
 * Response cache in front of the router: a cached response is sent before anything else happens to a request, because
 * routing and hooks take three times as long as sending bytes. A cache miss continues to the router.
 *
 * A cached response is found by the request alone; whether it is current is checked after learning what was committed,
 * for which PostgreSQL is queried. A cache miss queries nothing.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Caches, CachedRead } from '../../store/cache/caches.js'
import type { ResponseHeaders } from './headers.js'

/** A response that was sent before. */
export interface CachedResponse {
  /** The cached reads that it was made from. */
  readonly dependencies: readonly CachedRead[]
  /** Sends it and returns the status, or returns undefined having sent nothing: its bytes may have been evicted. */
  send(request: IncomingMessage, response: ServerResponse): number | undefined
}

/** Finds the response to an equal request. */
export type FindCachedResponse = (request: IncomingMessage) => CachedResponse | undefined

export interface ResponseCacheOptions {
  readonly caches: Caches
  /** Called with the status of responses that no hook of the server sees. */
  readonly countResponse?: ((status: number) => void) | undefined
  /** Set on every response, cached or not. */
  readonly headers?: ResponseHeaders
}

export function mountResponseCache(
  server: FastifyInstance,
  finders: readonly FindCachedResponse[],
  { caches, countResponse = () => {}, headers = {} }: ResponseCacheOptions,
): void {
  const listeners = server.server.listeners('request') as RequestListener[]
  server.server.removeAllListeners('request')
  const defaultEntries = Object.entries(headers)

  function dispatch(request: IncomingMessage, response: ServerResponse): void {
    for (const listener of listeners) listener(request, response)
  }

  function answer(cached: CachedResponse, request: IncomingMessage, response: ServerResponse): void {
    const status = caches.areCurrent(cached.dependencies) ? cached.send(request, response) : undefined
    if (status === undefined) dispatch(request, response)
    else countResponse(status)
  }

  function find(request: IncomingMessage): CachedResponse | undefined {
    for (const findResponse of finders) {
      const found = findResponse(request)
      if (found !== undefined) return found
    }
    return undefined
  }

  server.server.on('request', (request, response) => {
    for (const [name, value] of defaultEntries) response.setHeader(name, value)
    // While the server stops, the router answers: it closes each connection.
    const cached = server.server.listening ? find(request) : undefined
    if (cached === undefined) return dispatch(request, response)
    const refreshing = caches.catchUp()
    if (refreshing === undefined) answer(cached, request, response)
    else void refreshing.then(() => answer(cached, request, response))
  })
}
