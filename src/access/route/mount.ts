/**
 * Puts routes on Fastify: token first, then shapes, then the place, then the handler.
 *
 * A request that is refused early costs little: nothing is parsed before the token is known. The
 * error of each stage leaves through one door, `answerError` in `app`.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { Addresses } from '../../contract/addresses.js'
import { NoSchema, type Endpoint } from '../../contract/endpoint.js'
import { ApiError } from '../../contract/errors.js'
import type { ReadContext, CachedRead } from '../../store/cache/caches.js'
import { disposition } from '../http/disposition.js'
import type { Actor } from '../signin/actor.js'
import { originOf } from '../signin/request.js'
import { Following, streamEvents } from '../events/event-feed.js'
import { Accepted } from './accepted.js'
import { Created } from './created.js'
import { nothingRemoved } from './removal.js'
import { readUpload } from './upload.js'
import { Download, type Route, type WaitPreference } from './route.js'
import type { Services } from './scope.js'
import { Streamed } from './streamed.js'
import { validatorOf, partNames, shapeError, serializerOf } from './validation.js'
import { requireStorable } from './storable.js'
import { Written, stringifyLarge } from './written.js'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    /** What the request may believe of what is kept. */
    readContext: ReadContext
  }
  interface FastifyContextConfig {
    /** True when callers without a token are answered too. */
    anonymous?: boolean
    /** True when tokens of readers are answered too. */
    readers?: boolean
  }
}

export interface MountOptions {
  readonly services: Services
  readonly now: () => number
  /** Finds out who asks; throws when a token is given and wrong, or when they ask too often. */
  readonly signIn: (request: FastifyRequest, reply?: FastifyReply) => Promise<Actor | null>
  /** Told of reads whose answer follows from who asks, the address and what is committed, and from nothing else. */
  readonly onCacheableRead?: (request: FastifyRequest, read: CacheableRead) => void
}

export interface CacheableRead {
  readonly actor: Actor
  readonly written: Written
  readonly contentType: string
  /** What it follows from, besides what it is kept under. */
  readonly dependencies: readonly CachedRead[]
}

const jsonType = 'application/json; charset=utf-8'

/** Mounts the routes below the instance's prefix. */
export function mountRoutes(server: FastifyInstance, routes: readonly Route[], mounting: MountOptions): void {
  server.decorateRequest('actor', null)
  server.decorateRequest('readContext')
  server.setValidatorCompiler(({ schema, httpPart }) => {
    const form = httpPart === 'body' ? 'body' : 'text'
    return (value) => {
      const validate = validatorOf(schema as object, form)
      if (!validate(value)) return { error: shapeError(validate.errors ?? [], httpPart ?? 'body') }
      requireStorable(value, partNames[httpPart ?? 'body'] ?? 'body')
      return { value }
    }
  })

  server.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        serializerOf(schema as object)(value),
  )

  server.addHook('onRequest', async (request, reply) => {
    // Taken before the token is looked up: what is committed while this one is let in was not seen by it.
    request.readContext = await mounting.services.caches.readContext(request.raw)
    request.actor = await mounting.signIn(request, reply)
    if (request.actor === null && !request.routeOptions.config.anonymous) {
      throw new ApiError('token_missing')
    }
    if (request.actor?.reading !== undefined && !request.routeOptions.config.readers)
      throw new ApiError('content_token_reads')
  })

  // Streams have no end of their own.
  server.addHook('preClose', async () => mounting.services.eventWatchers.close())

  for (const route of routes) mountRoute(server, route, mounting)
}

function mountRoute(server: FastifyInstance, { endpoint, run }: Route, mounting: MountOptions): void {
  const { services, now, onCacheableRead } = mounting
  server.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: schemaOf(endpoint),
    config: { anonymous: endpoint.anonymous, readers: endpoint.readers },
    ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      requireStorable(request.params, 'path')
      if (endpoint.body !== NoSchema) refuseForm(request)
      const result = await run(
        {
          actor: request.actor as Actor,
          query: request.query as never,
          body: (request.body ?? {}) as never,
          origin: originOf(request),
          now: now(),
          services,
          readContext: request.readContext,
          upload: { file: (limit) => readUpload(request, limit) },
          waitPreference: waitPreferenceOf(request),
        },
        request.params as Record<string, string>,
      )
      if (result instanceof Following) {
        const { accept = '' } = request.headers
        if (!accept.includes(eventStream) || request.method === 'HEAD') return reply.send(result.events)
        return sendEvents(
          request,
          reply,
          result,
          (arrival) => run(arrival, request.params as never),
          mounting,
        )
      }
      if (result instanceof Created) {
        const { urls } = result.reply as { readonly urls?: { readonly location?: string } }
        return reply.code(201).header('location', urls!.location!).send(result.reply)
      }
      if (result instanceof Accepted)
        return reply.code(202).header('location', result.location).send(result.body)
      reply.code(result === nothingRemoved ? 204 : endpoint.success)
      if (result === nothingRemoved) return reply.send()
      if (result === undefined) return reply.send()
      if (result instanceof Streamed) return sendJson(reply, result)
      if (result instanceof Download) return sendDownload(reply, result, endpoint.bytes!)
      if (result instanceof Written) {
        const { actor, readContext } = request
        if (actor !== null && readContext.isComplete)
          onCacheableRead?.(request, {
            actor,
            written: result,
            contentType: jsonType,
            dependencies: readContext.dependencies,
          })
        return reply.header('content-type', jsonType).send(result.json)
      }
      const location = locationOf(endpoint, request.params as object, result, services.addresses)
      if (location !== undefined) reply.header('location', location)
      if (endpoint.large) return reply.header('content-type', jsonType).send(stringifyLarge(result))
      return reply.send(result)
    },
  })
}

/** Seconds that anybody is kept waiting at most. */
const maxWaitSeconds = 10

/** Answers how the request waits; looked at when it is asked for, which most handlers do not. */
export function waitPreferenceOf(request: FastifyRequest): WaitPreference {
  return {
    get signal() {
      return request.signal
    },
    get isAsynchronous() {
      return /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(preferencesOf(request))
    },
    get seconds() {
      const prefer = preferencesOf(request)
      const [, seconds = 0] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(prefer) ?? []
      return Math.min(maxWaitSeconds, Number(seconds))
    },
  }
}

function preferencesOf({ headers }: FastifyRequest): string {
  return [headers.prefer ?? []].flat().join(',')
}

/** The forms of uploads are known to the server; elsewhere their parts would be passed over in silence. */
function refuseForm({ headers }: FastifyRequest): void {
  const given = headers['content-type'] ?? ''
  if (!/^multipart\//i.test(given)) return
  throw new ApiError('unsupported_content_type', { given, allowed: 'application/json' })
}

async function sendDownload(
  reply: FastifyReply,
  { name, bytes }: Download,
  type: string,
): Promise<FastifyReply> {
  const stream = await streamOf(bytes)
  return reply
    .header('content-type', type)
    .header('content-disposition', disposition('attachment', name))
    .send(stream)
}

async function sendJson(reply: FastifyReply, { json }: Streamed): Promise<FastifyReply> {
  const body = json instanceof Uint8Array ? json : await streamOf(json)
  return reply.header('content-type', jsonType).send(body)
}

const eventStream = 'text/event-stream'

/** Follows what happens, as whoever asks may see it at each moment. */
async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { feed }: Following,
  run: (arrival: Parameters<Route['run']>[0]) => Promise<unknown>,
  { services, now, signIn }: MountOptions,
): Promise<FastifyReply> {
  const watch = services.eventWatchers.watch(request.actor!.userId, feed)
  if (watch === undefined) throw new ApiError('too_many_followers')
  const asked = Number(request.headers['last-event-id'] ?? (request.query as { after?: number }).after)

  async function read(after: number | undefined) {
    // Another request, as it were: whoever signed out or was removed meanwhile is let in no more.
    const again = { headers: request.headers, method: request.method, raw: {} } as FastifyRequest
    const readContext = await services.caches.readContext(again.raw)
    try {
      const actor = await signIn(again)
      if (actor === null) return undefined
      const query = after === undefined ? {} : { after }
      const arrival = { actor, query, body: {}, origin: originOf(request), now: now(), services, readContext }
      const found = await run(arrival as never)
      return (found as Following).events
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
  const after = Number.isSafeInteger(asked) && asked >= 0 ? asked : undefined
  const events = streamEvents({ watch, read, after, signal: request.signal })
  return reply
    .header('content-type', `${eventStream}; charset=utf-8`)
    .header('x-accel-buffering', 'no')
    .send(Readable.from(events, { objectMode: false }))
}

/** The first piece is awaited, so that what fails at the start is still answered as an error. */
async function streamOf(bytes: AsyncIterable<string | Uint8Array>): Promise<Readable> {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  async function* whole(): AsyncGenerator<string | Uint8Array> {
    if (first.done) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  return Readable.from(whole(), { objectMode: false })
}

/** Where a created thing stands: at the URL that it names itself, else where the contract says. */
function locationOf(
  { success, location }: Endpoint,
  params: object,
  result: unknown,
  addresses: Addresses,
): string | undefined {
  if (success !== 201) return undefined
  if (location === undefined) return (result as { urls?: { location?: string } }).urls?.location
  const known: Record<string, string> = { ...(result as object), ...params }
  return addresses.api(location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name]!)))
}

const bodies = new WeakMap<Endpoint, object>()

/** The shape of a body that may be left out; the same one whenever it is asked for. */
function optionalBody(endpoint: Endpoint): object {
  let body = bodies.get(endpoint)
  if (body === undefined) bodies.set(endpoint, (body = { ...endpoint.body, type: ['object', 'null'] }))
  return body
}

function schemaOf(endpoint: Endpoint): FastifySchema {
  const schema: FastifySchema = {}
  if (endpoint.query !== NoSchema) schema.querystring = endpoint.query
  if (endpoint.body !== NoSchema) {
    schema.body = endpoint.bodyRequired ? endpoint.body : optionalBody(endpoint)
  }
  if (endpoint.reply !== NoSchema && !endpoint.large) {
    schema.response = {
      [endpoint.success]: endpoint.reply,
      ...(endpoint.mayCreate && { 201: endpoint.reply }),
      ...(endpoint.accepted !== undefined && { 202: endpoint.accepted }),
    }
  }
  return schema
}
