/** The HTTP server before anything is mounted on it: limits, logging, parsing, errors. */
import { type IncomingMessage, type RequestListener, STATUS_CODES, createServer } from 'node:http'
import { parse } from 'node:querystring'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type ConnectionError, type FastifyInstance, LogController } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { type ParseLargeJson, addJsonParser } from './json-body.js'
import { type ResponseHeaders, defaultHeaders, noStore } from './headers.js'
import { answerError, answerUnknownRoute } from './answer-error.js'
import type { OutageLog } from './outage-log.js'

export interface HttpServerOptions {
  readonly logLevel: string
  /** Addresses or networks, separated by commas, whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: string | undefined
  /** Sent with every answer, besides those that all installations send. */
  readonly headers?: ResponseHeaders
  /** Put before the router: receives every request, and passes on those that it does not answer. */
  readonly middleware?: (next: RequestListener) => RequestListener
  /** Where the log goes; standard error, because standard output carries the ready line alone. */
  readonly log?: { write(line: string): void }
  /** Parses large bodies in another thread; without it, all are parsed in this one. */
  readonly parseLargeJson?: ParseLargeJson
  /** Reports requests that are refused because the database is away. */
  readonly outages?: OutageLog
}

const nodeOptions = {
  maxHeaderSize: limits.headerBytes,
  // Node would answer a missing Host by itself, with an empty body.
  requireHostHeader: false,
  requestTimeout: 10 * 60_000,
  keepAliveTimeout: 72_000,
}

export function createHttpServer({
  logLevel,
  trustedProxies,
  headers = {},
  middleware = (next) => next,
  log = process.stderr,
  parseLargeJson,
  outages,
}: HttpServerOptions): FastifyInstance {
  const commonHeaders = { ...defaultHeaders, ...headers }
  const server = Fastify({
    logger: {
      level: logLevel,
      stream: log,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    serverFactory: (router) => createServer(nodeOptions, unlessTwoHosts(middleware(router), router)),
    clientErrorHandler: answerClientError,
    // Requests that arrive while the server stops are answered like any other, and are the last of their connection.
    return503OnClosing: false,
    trustProxy: trustedProxies?.split(',').map((one) => one.trim()) ?? false,
    routerOptions: {
      maxParamLength: limits.addressPart,
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
    },
    // Addresses that the router itself cannot parse.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(commonHeaders), outages),
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders)
    refuseUnsupportedHeaders(request.raw)
    refuseNul(request.url)
    requireShort(request.url)
    if (request.routeOptions.schema?.querystring === undefined) request.query = firstOfEach(request.query)
  })
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, outages))
  server.setNotFoundHandler((request, reply) => answerUnknownRoute(request, reply))
  addJsonParser(server, parseLargeJson)
  answerNodeRefusals(server)
  closeUnusedConnections(server)
  return server
}

/**
 * Graceful shutdown: an answer sent while the server stops, or a stream that ends with it, leaves a keep-alive
 * connection. Node closes only the connections that are idle when the stop begins, and waits for the others until
 * their keep-alive ends: 72 s; and 60 s for those that browsers open ahead of a request, which it does not count as idle.
 */
function closeUnusedConnections(instance: FastifyInstance): void {
  const { server } = instance
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  instance.addHook('preClose', async () => {
    if (!server.listening) return
    const polling = setInterval(() => {
      server.closeIdleConnections()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, 100)
    server.once('close', () => clearInterval(polling))
  })
}

/** Answers requests that Node would refuse by itself like every other request, or like every malformed one. */
function answerNodeRefusals({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', ({ url }, socket) =>
    answerSocket(socket, new ApiError('route_not_found', { method: 'CONNECT', path: url ?? '' })),
  )
}

/** A request with two hosts is refused by the router's hooks, whatever else could answer it. */
function unlessTwoHosts(listener: RequestListener, router: RequestListener): RequestListener {
  return (request, response) => (hasTwoHosts(request) ? router : listener)(request, response)
}

/** Node passes on the first `Host` alone; a proxy in front may have routed by the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Throws for request headers that this server does not support. */
function refuseUnsupportedHeaders(request: IncomingMessage): void {
  const { headers, httpVersion } = request
  const { host, expect, 'content-encoding': encoding } = headers
  if (hasTwoHosts(request))
    throw new ApiError('invalid_request', { problem: 'The header "Host" is sent more than once.' })
  if (host === undefined && httpVersion !== '1.0')
    throw new ApiError('invalid_request', { problem: 'The header "Host" is missing.' })
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ApiError('expectation_unknown', { received: expect })
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_content_encoding', { received: encoding })
}

/** No name, id or text contains U+0000, and PostgreSQL fails on a query with one. */
function refuseNul(url: string): void {
  if (url.includes('%00')) throw new ApiError('invalid_request', { problem: 'The address holds %00.' })
}

function requireShort(url: string): void {
  if (url.length > limits.addressLength) {
    throw new ApiError('address_too_long', { limit: limits.addressLength })
  }
  const start = url.indexOf('?')
  let members = 0
  for (let at = start; at >= 0; at = url.indexOf('&', at + 1)) members++
  if (members > limits.queryMembers) {
    throw new ApiError('invalid_request', {
      problem: `The query holds more than ${limits.queryMembers} members.`,
    })
  }
}

/** Answers a request that cannot be parsed: there is no reply yet, only a connection. */
function answerClientError({ code }: ConnectionError, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (code === 'HPE_HEADER_OVERFLOW')
    return answerSocket(socket, new ApiError('headers_too_large', { limit: limits.headerBytes }))
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return answerSocket(socket, new ApiError('request_too_slow'))
  answerSocket(
    socket,
    new ApiError('invalid_request', { problem: 'The request is no HTTP that can be read.' }),
  )
}

function answerSocket(socket: Duplex, { status, message }: ApiError): void {
  const body = JSON.stringify({ error: { code: status, message } })
  const headers = {
    ...defaultHeaders,
    ...noStore,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** In a query without a schema every member is one text: the first of those that were sent. */
function firstOfEach(query: unknown): Record<string, string> {
  const members = Object.entries(query as Record<string, string | string[]>)
  return Object.fromEntries(members.map(([name, value]) => [name, [value].flat()[0] ?? '']))
}

/** Returns the members of a query: repeated keys are lists, and `a[]=` is another spelling of them. */
function parseQuery(text: string): Record<string, string | string[]> {
  const members = parse(text) as Record<string, string | string[]>
  for (const name in members) {
    if (!name.endsWith('[]')) continue
    const key = name.slice(0, -2)
    members[key] = [...[members[key] ?? []].flat(), ...[members[name]!].flat()]
    delete members[name]
  }
  return members
}
