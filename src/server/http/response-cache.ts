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

export interface ResponseCache {
  /** Sends the cached response to a request, or passes the request on; what `createHttpServer` puts before the router. */
  readonly middleware: (next: RequestListener) => RequestListener
  /** Begins to answer by these finders, until the server stops. `countResponse` gets the status of each response sent. */
  mount(
    server: FastifyInstance,
    finders: readonly FindCachedResponse[],
    countResponse?: (status: number) => void,
  ): void
}

/** `headers` are set on every response, cached or not. */
export function createResponseCache(caches: Caches, headers: ResponseHeaders = {}): ResponseCache {
  const defaultEntries = Object.entries(headers)
  let finders: readonly FindCachedResponse[] = []
  let countResponse: (status: number) => void = () => {}

  function find(request: IncomingMessage): CachedResponse | undefined {
    for (const findResponse of finders) {
      const found = findResponse(request)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Sends the response if it is current; returns whether it did. */
  function send(cached: CachedResponse, request: IncomingMessage, response: ServerResponse): boolean {
    const status = caches.areCurrent(cached.dependencies) ? cached.send(request, response) : undefined
    if (status !== undefined) countResponse(status)
    return status !== undefined
  }

  return {
    middleware: (next) => (request, response) => {
      for (const [name, value] of defaultEntries) response.setHeader(name, value)
      const cached = find(request)
      if (cached === undefined) return next(request, response)
      const refreshing = caches.catchUp()
      if (refreshing !== undefined)
        return void refreshing.then(() => {
          if (!send(cached, request, response)) next(request, response)
        })
      if (!send(cached, request, response)) next(request, response)
    },
    mount(server, mounted, count) {
      finders = mounted
      if (count !== undefined) countResponse = count
      // While the server stops, the router answers: it closes each connection.
      server.addHook('preClose', async () => void (finders = []))
    },
  }
}
