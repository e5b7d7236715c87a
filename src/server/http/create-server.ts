/** The HTTP server before anything is mounted on it: limits, logging, parsing, errors. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { parse } from 'node:querystring'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type ConnectionError, type FastifyInstance, LogController } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { requireBounded } from './bounded-json.js'
import { parseLargeJson } from './large-json.js'
import { type Headers, everyAnswer, keptByNobody } from './headers.js'
import { answerError, answerUnknownRoute } from './answer-error.js'

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
    bodyLimit: limits.bodyBytes,
    // Node would answer a missing Host by itself, and without a word.
    http: { maxHeaderSize: limits.headerBytes, requireHostHeader: false },
    clientErrorHandler: answerBroken,
    // Requests that still come while the server stops are answered like any other, and are the last of their connection.
    return503OnClosing: false,
    trustProxy: trustedProxies?.split(',').map((one) => one.trim()) ?? false,
    routerOptions: {
      maxParamLength: limits.addressPart,
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
    },
    requestTimeout: 10 * 60_000,
    // Addresses that the router itself cannot read.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(always)),
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(always)
    refuseUnknownTerms(request.raw)
    refuseNul(request.url)
    requireShort(request.url)
    if (request.routeOptions.schema?.querystring === undefined) request.query = firstOfEach(request.query)
  })
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.setNotFoundHandler((request, reply) => answerUnknownRoute(request, reply))
  takeJson(server)
  handOnRefusals(server)
  leaveNoneWaiting(server)
  return server
}

/**
 * What is answered while the server stops, or a stream that ends with it, leaves a connection that the client would
 * use again. Node closes those that are idle when the stop begins, and waits for these as long as it keeps any: 72 s;
 * and 60 s for those that browsers open ahead of what they will ask, which it does not take for idle.
 */
function leaveNoneWaiting(instance: FastifyInstance): void {
  const { server } = instance
  const connected = new Set<Socket>()
  server.on('connection', (socket) => {
    connected.add(socket)
    socket.once('close', () => connected.delete(socket))
  })
  instance.addHook('preClose', async () => {
    if (!server.listening) return
    const looking = setInterval(() => {
      server.closeIdleConnections()
      for (const socket of connected) if (socket.bytesRead === 0) socket.destroy()
    }, 100)
    server.once('close', () => clearInterval(looking))
  })
}

/** What Node would refuse by itself goes the way of every request, or of every broken one. */
function handOnRefusals({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', ({ url }, socket) =>
    answerSocket(socket, new ApiError('route_not_found', { method: 'CONNECT', path: url ?? '' })),
  )
}

/** Refuses what a request says of itself and this server does not do. */
function refuseUnknownTerms({ headers, httpVersion }: IncomingMessage): void {
  const { host, expect, 'content-encoding': encoding } = headers
  if (host === undefined && httpVersion !== '1.0')
    throw new ApiError('invalid_request', { problem: 'The header "Host" is missing.' })
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ApiError('expectation_unknown', { given: expect })
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_content_encoding', { given: encoding })
}

/** No name, id or text holds U+0000, and PostgreSQL fails when it is asked for one. */
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

/** Answers what is no request that the server could read: there is no reply yet, only a connection. */
function answerBroken({ code }: ConnectionError, socket: Duplex): void {
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
    ...everyAnswer,
    ...keptByNobody,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** A larger text is parsed in steps: this much takes about a millisecond. */
const parsedAtOnce = 256 * 1024

/** Clients send the JSON content type with every operation, also when no body follows. */
function takeJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (body.length > parsedAtOnce)
      return void parseLargeJson(body).then(
        (value) => done(null, value),
        (error: Error) => done(error instanceof SyntaxError ? notJson() : error),
      )
    const text = body.toString()
    try {
      requireBounded(text)
    } catch (error) {
      return done(error as Error)
    }
    parse(request, text, (error, value) => (error ? done(notJson()) : done(null, value)))
  })
}

function notJson(): ApiError {
  return new ApiError('invalid_json', { problem: 'it cannot be parsed, or names a prototype' })
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
