/**
 * Mounts routes on Fastify: authentication first, then validation, then the route, then the response.
 *
 * A request that is refused early costs little: nothing is parsed before the token is known. Errors of all stages are
 * answered in `server`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { NoSchema, type Endpoint } from '../../contract/endpoint.js'
import { ApiError } from '../../contract/errors.js'
import type { ReadContext } from '../../store/cache/caches.js'
import type { Actor } from '../signin/actor.js'
import { originOf } from '../signin/request.js'
import type { RequestContext, WaitPreference } from './request-context.js'
import { RouteResponse } from './responses.js'
import type { Route } from './route.js'
import type { Services } from './scope.js'
import { type CacheableRead, sendResult } from './send.js'
import { sendEventStream } from './send-event-stream.js'
import { requireStorable } from './storable.js'
import { readUpload } from './upload.js'
import { partNames, serializerOf, shapeError, validatorOf } from './validation.js'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    /** The data version as of which the request reads cached rows. */
    readContext: ReadContext
  }
  interface FastifyContextConfig {
    /** True when callers without a token are allowed. */
    anonymous?: boolean
    /** True when content tokens are allowed. */
    readers?: boolean
  }
}

export interface MountOptions {
  readonly services: Services
  readonly now: () => number
  /** Returns the actor of a request; throws for an invalid credential, and beyond the rate limit. */
  readonly signIn: (request: FastifyRequest, reply?: FastifyReply) => Promise<Actor | null>
  /** Called for responses that depend on the actor, the URL and committed rows only. */
  readonly onCacheableRead?: (request: FastifyRequest, read: CacheableRead) => void
}

/** Mounts the routes below the instance's prefix. */
export function mountRoutes(server: FastifyInstance, routes: readonly Route[], options: MountOptions): void {
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
    // Taken before authentication, so that no commit during it goes unnoticed.
    request.readContext = await options.services.caches.readContext(request.raw)
    request.actor = await options.signIn(request, reply)
    if (request.actor === null && !request.routeOptions.config.anonymous) {
      throw new ApiError('token_missing')
    }
    if (request.actor?.reading !== undefined && !request.routeOptions.config.readers)
      throw new ApiError('content_token_reads')
  })

  // Event streams do not end by themselves.
  server.addHook('preClose', async () => options.services.eventWatchers.close())

  for (const route of routes) mountRoute(server, route, options)
}

function mountRoute(server: FastifyInstance, { endpoint, run }: Route, options: MountOptions): void {
  const { services, now, signIn, onCacheableRead } = options
  server.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: schemaOf(endpoint),
    config: { anonymous: endpoint.anonymous, readers: endpoint.readers },
    ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      requireStorable(request.params, 'path')
      if (endpoint.body !== NoSchema) refuseForm(request)
      const params = request.params as Record<string, string>
      const context: RequestContext = {
        // Null only where the scope of the route allows anonymous callers.
        actor: request.actor as Actor,
        query: request.query,
        body: request.body ?? {},
        origin: originOf(request),
        now: now(),
        services,
        readContext: request.readContext,
        upload: { file: (limit) => readUpload(request, limit) },
        waitPreference: waitPreferenceOf(request),
      }
      const result = await run(context, params)
      return sendResult(
        {
          request,
          reply,
          endpoint,
          addresses: services.addresses,
          onCacheableRead,
          sendEventStream: (feed) =>
            sendEventStream(request, reply, feed, {
              services,
              signIn,
              async readEvents(actor, readContext, query) {
                const again = await run({ ...context, actor, query, now: now(), readContext }, params)
                if (again instanceof RouteResponse && again.content.kind === 'events')
                  return again.content.events
                throw new Error(`${endpoint.operationId} returned no events`)
              },
            }),
        },
        result,
      )
    },
  })
}

/** Limit of `Prefer: wait`, in seconds. */
const maxWaitSeconds = 10

/** Returns the wait preference of a request; parsed on access, because most handlers ignore it. */
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

/** Refuses forms for JSON bodies, because their parts would be ignored silently. */
function refuseForm({ headers }: FastifyRequest): void {
  const given = headers['content-type'] ?? ''
  if (!/^multipart\//i.test(given)) return
  throw new ApiError('unsupported_content_type', { given, allowed: 'application/json' })
}

const bodies = new WeakMap<Endpoint, object>()

/** Returns the schema of an optional body; the same object each time. */
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
