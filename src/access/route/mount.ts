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
import { bodyTypeOf, isWithoutBody, jsonTypes, uploadTypes } from '../http/body-types.js'
import { readIfMatch } from '../http/conditional-requests.js'
import { originOf } from '../signin/request.js'
import { crossOriginHeaders, mountPreflight } from './cross-origin.js'
import { type Preferences, readPreferences } from './preferences.js'
import type { RequestContext } from './request-context.js'
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
    /** True when pages of any origin may call it. */
    crossOrigin?: boolean
    /** True when content tokens are allowed. */
    readers?: boolean
    /** Content types of the body, where they are not just JSON. */
    bodyTypes?: readonly string[]
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
    if (request.routeOptions.config.crossOrigin) reply.headers(crossOriginHeaders)
    request.actor = await options.signIn(request, reply)
    if (request.actor === null && !request.routeOptions.config.anonymous) {
      throw new ApiError('token_missing')
    }
    if (request.actor?.reading !== undefined && !request.routeOptions.config.readers)
      throw new ApiError('content_token_reads')
  })

  server.addHook('preParsing', async (request) => requireBodyType(request))

  // Event streams do not end by themselves.
  server.addHook('preClose', async () => options.services.eventWatchers.close())

  for (const route of routes) {
    for (const url of urlsOf(route.endpoint)) mountRoute(server, url, route, options)
    if (route.endpoint.crossOrigin) mountPreflight(server, route.endpoint)
  }
}

/** The parameter for the path of a page; it is the last part of an address. */
const pathParam = 'pagePath'

/** Returns the URLs of an endpoint: the path of a page may also be written with slashes instead of %2F. */
function urlsOf({ path }: Endpoint): readonly string[] {
  const named = `:${pathParam}`
  return path.endsWith(`/${named}`) ? [path, `${path.slice(0, -named.length)}*`] : [path]
}

function paramsOf(request: FastifyRequest): Record<string, string> {
  const { '*': rest, ...params } = request.params as Record<string, string>
  return rest === undefined ? params : { ...params, [pathParam]: rest }
}

function mountRoute(
  server: FastifyInstance,
  url: string,
  { endpoint, run }: Route,
  options: MountOptions,
): void {
  const { services, now, signIn, onCacheableRead } = options
  server.route({
    method: endpoint.method,
    url,
    schema: schemaOf(endpoint),
    config: {
      anonymous: endpoint.anonymous,
      crossOrigin: endpoint.crossOrigin,
      readers: endpoint.readers,
      ...(endpoint.upload && { bodyTypes: uploadTypes }),
    },
    ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      requireStorable(request.params, 'path')
      const params = paramsOf(request)
      const preferences = readPreferences(request.headers.prefer, endpoint)
      const context: RequestContext = {
        ...contextOf(request, { services, now: now(), readContext: request.readContext, preferences }),
        // Null only where the scope of the route allows anonymous callers.
        actor: request.actor as Actor,
        query: request.query,
        body: request.body ?? {},
        upload: { file: (limit) => readUpload(request, limit) },
      }
      const result = await run(context, params)
      if (preferences.applied !== '') reply.header('preference-applied', preferences.applied)
      return sendResult(
        {
          request,
          reply,
          endpoint,
          addresses: services.addresses,
          caches: services.caches,
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

/** Returns the context of a request without a query, a body, an upload and the actor. */
function contextOf(
  request: FastifyRequest,
  {
    preferences,
    ...context
  }: Pick<RequestContext, 'services' | 'now' | 'readContext'> & {
    readonly preferences: Preferences
  },
): Omit<RequestContext, 'actor'> {
  const { seconds, isAsynchronous } = preferences
  return {
    ...context,
    query: {},
    body: {},
    origin: originOf(request),
    ifMatch: readIfMatch(request.headers),
    upload: noUpload,
    waitPreference: {
      get signal() {
        return request.signal
      },
      seconds,
      isAsynchronous,
    },
  }
}

const noUpload = {
  async file(): Promise<never> {
    throw new ApiError('invalid_request', { problem: 'This takes no file.' })
  },
}

/** Calls an operation without query and body from a page of the product, as the user of the page. */
export async function callOperation(
  { endpoint, run }: Route,
  request: FastifyRequest,
  { services, now, actor }: Pick<MountOptions, 'services' | 'now'> & { readonly actor: Actor },
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  const preferences = readPreferences(undefined, endpoint)
  const readContext = await services.caches.readContext(request.raw)
  return run({ ...contextOf(request, { services, now: now(), readContext, preferences }), actor }, params)
}

/** Throws 415 for a body of a content type that the operation does not take, before it is parsed. */
function requireBodyType(request: FastifyRequest): void {
  if (isWithoutBody(request.raw)) return
  const { bodyTypes = jsonTypes } = request.routeOptions.config
  if (bodyTypes.includes(bodyTypeOf(request))) return
  const contentType = request.headers['content-type'] ?? 'none'
  throw new ApiError('unsupported_content_type', { received: contentType, allowed: bodyTypes.join(', ') })
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
