/** Sends what a route returned: a plain reply with the endpoint's status, or a `RouteResponse`. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Addresses } from '../../contract/addresses.js'
import type { Endpoint } from '../../contract/endpoint.js'
import type { CachedRead, Caches } from '../../store/cache/caches.js'
import { disposition } from '../http/disposition.js'
import { framedPageHeaders } from '../http/framed-page.js'
import type { Actor } from '../signin/actor.js'
import { type CachedJson, type ResponseContent, RouteResponse } from './responses.js'
import { sendConditional } from './send-conditional.js'
import { stringifyLarge } from './serialized-items.js'

/** A response that depends on the actor, the URL and committed rows only, so that it can be cached. */
export interface CacheableRead {
  readonly actor: Actor
  readonly body: CachedJson
  readonly contentType: string
  /** Cached rows on which it depends, besides its cache key. */
  readonly dependencies: readonly CachedRead[]
}

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly endpoint: Endpoint
  readonly addresses: Addresses
  readonly caches: Caches
  readonly onCacheableRead: ((request: FastifyRequest, read: CacheableRead) => void) | undefined
  /** Sends the events as a stream that stays open. */
  readonly sendEventStream: (
    feed: Extract<ResponseContent, { readonly kind: 'events' }>['feed'],
  ) => FastifyReply
}

const jsonType = 'application/json; charset=utf-8'

export function sendResult(exchange: Exchange, result: unknown): FastifyReply | Promise<FastifyReply> {
  const { request, reply, endpoint, addresses } = exchange
  if (result instanceof RouteResponse) return sendResponse(exchange, result.content)
  reply.code(endpoint.success)
  if (result === undefined) return reply.send()
  const location = locationOf(endpoint, request.params as object, result, addresses)
  if (location !== undefined) reply.header('location', location)
  return endpoint.large
    ? reply.header('content-type', jsonType).send(stringifyLarge(result))
    : reply.send(result)
}

async function sendResponse(exchange: Exchange, response: ResponseContent): Promise<FastifyReply> {
  const { request, reply, endpoint } = exchange
  switch (response.kind) {
    case 'nothing-removed':
      return reply.code(204).send()
    case 'unchanged':
      reply.code(endpoint.success).header('content-type', jsonType)
      return reply.send(stringifyLarge(response.reply))
    case 'created':
      return reply.code(201).header('location', urlOf(response.reply)!).send(response.reply)
    case 'accepted':
      return reply.code(202).header('location', response.location).send(response.reply)
    case 'json': {
      const { json } = response
      const body = json instanceof Uint8Array ? json : await streamOf(json)
      return reply.code(endpoint.success).header('content-type', jsonType).send(body)
    }
    case 'cached-json': {
      const { actor, readContext } = request
      const { etag } = response
      if (response.isConditional === true && etag !== undefined)
        return sendConditional(request, reply.type(jsonType), { ...response, etag }, exchange.caches)
      if (etag !== undefined) reply.header('etag', etag)
      if (actor !== null && readContext.isComplete) {
        const { dependencies } = readContext
        exchange.onCacheableRead?.(request, { actor, body: response, contentType: jsonType, dependencies })
      }
      return reply.code(endpoint.success).header('content-type', jsonType).send(response.json)
    }
    case 'framed-page':
      return reply
        .code(endpoint.success)
        .headers(framedPageHeaders)
        .header('content-type', 'text/html; charset=utf-8')
        .send(response.html)
    case 'download': {
      const stream = await streamOf(response.bytes)
      return reply
        .code(endpoint.success)
        .header('content-type', endpoint.bytes!)
        .header('content-disposition', disposition('attachment', response.name))
        .send(stream)
    }
    case 'events': {
      const isStream = request.headers.accept?.includes('text/event-stream') && request.method !== 'HEAD'
      return isStream ? exchange.sendEventStream(response.feed) : reply.send(response.events)
    }
  }
}

/** Reads the first chunk before sending, so that early failures are still answered as errors. */
async function streamOf(bytes: AsyncIterable<string | Uint8Array>): Promise<Readable> {
  const chunks = bytes[Symbol.asyncIterator]()
  const first = await chunks.next()
  async function* whole(): AsyncGenerator<string | Uint8Array> {
    if (first.done) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return Readable.from(whole(), { objectMode: false })
}

/** Returns the URL of a created resource: the one in its reply, or the one that the contract declares. */
function locationOf(
  { success, location }: Endpoint,
  params: object,
  result: unknown,
  addresses: Addresses,
): string | undefined {
  if (success !== 201) return undefined
  if (location === undefined) return urlOf(result as object)
  const known: Record<string, string> = { ...(result as object), ...params }
  return addresses.api(location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name]!)))
}

function urlOf(reply: { readonly urls?: { readonly location?: string } }): string | undefined {
  return reply.urls?.location
}
