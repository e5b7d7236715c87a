/** The HTTP server before anything is mounted on it: limits, logging, parsing, errors. */
import { parse } from 'node:querystring'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { ApiError } from '../contract/errors.js'
import { type Headers, everyAnswer } from './headers.js'
import { answerError, answerUnknownRoute } from './answer-error.js'

/** JSON bodies, in bytes. */
const bodyLimit = 10_000_000

export interface BareServerOptions {
  readonly logLevel: string
  /** Addresses or networks, with commas between, whose X-Forwarded-For is believed. */
  readonly trustedProxies?: string | undefined
  /** Of every answer, besides those that all installations give. */
  readonly headers?: Headers
  /** Where the log goes; standard error, because standard output carries the ready line alone. */
  readonly log?: { write(line: string): void }
}

export function createBareServer({
  logLevel,
  trustedProxies,
  headers = {},
  log = process.stderr,
}: BareServerOptions): FastifyInstance {
  const always = { ...everyAnswer, ...headers }
  const server = Fastify({
    logger: {
      level: logLevel,
      stream: log,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    trustProxy: trustedProxies?.split(',').map((one) => one.trim()) ?? false,
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: true, querystringParser: parseQuery },
    requestTimeout: 10 * 60_000,
    // Addresses that the router itself cannot read.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(always)),
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(always)
    refuseNul(request.url)
    if (request.routeOptions.schema?.querystring === undefined) request.query = firstOfEach(request.query)
  })
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.setNotFoundHandler((request, reply) => answerUnknownRoute(request, reply))
  acceptEmptyJson(server)
  return server
}

/** No name, id or text holds U+0000, and PostgreSQL fails when it is asked for one. */
function refuseNul(url: string): void {
  if (url.includes('%00')) throw new ApiError('invalid_request', { problem: 'The address holds %00.' })
}

/** Clients send the JSON content type with every operation, also when no body follows. */
function acceptEmptyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Where no shape says what a query holds, every member is one text: the first of those that were sent. */
function firstOfEach(query: unknown): Record<string, string> {
  const members = Object.entries(query as Record<string, string | string[]>)
  return Object.fromEntries(members.map(([name, given]) => [name, [given].flat()[0] ?? '']))
}

/** Repeated keys are lists; `a[]=` is another spelling of them. */
function parseQuery(text: string): Record<string, string | string[]> {
  const given = parse(text) as Record<string, string | string[]>
  for (const name in given) {
    if (!name.endsWith('[]')) continue
    const key = name.slice(0, -2)
    given[key] = [...[given[key] ?? []].flat(), ...[given[name]!].flat()]
    delete given[name]
  }
  return given
}
