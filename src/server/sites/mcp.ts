/**
 * `~octavo/mcp`: a site for language models, by the Model Context Protocol over HTTP, one message at a time: nothing
 * is remembered between requests, and nothing is sent unasked.
 *
 * What comes is small and read here; who may read the site is decided by whoever calls. A page of a stranger that runs
 * in somebody's browser may not ask, by whatever name it reached this server.
 */
import type { IncomingMessage } from 'node:http'
import type { Server } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keptByNobody } from '../http/headers.js'
import { type ToolPlace, callTool, toolsOf } from '../../site/tools.js'

/** The protocol, loaded with the first message: it takes 27 MB that most processes never need. */
type Protocol = typeof import('@modelcontextprotocol/server')
let loading: Promise<Protocol> | undefined

/** Bytes of a message: a question, or an address. */
const longestMessage = 64 * 1024

/** True for a request that sends a message, at the root of a site or of one of its variants. */
export function isMessage({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /\/~(?:octavo|gitbook)\/mcp(?:\?|$)/.test(url!)
}

/**
 * Answers a message; `stillMay` is asked once more before an answer leaves that may have waited for its turn, `taken` is
 * told that it was read.
 */
export async function answerMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    place,
    stillMay,
    taken,
  }: {
    readonly place: ToolPlace
    readonly stillMay: () => Promise<boolean>
    readonly taken: () => void
  },
): Promise<FastifyReply> {
  if (!isOwnOrigin(request.headers.origin, place))
    return refuseMessage(reply, 403, 'This origin may not ask here.')
  const message = await readMessage(request.raw)
  if (message === 'tooLong')
    return refuseMessage(
      reply.header('connection', 'close'),
      413,
      `A message may have ${longestMessage} bytes.`,
    )
  if (message === undefined) return refuseMessage(reply, 400, 'The message is no JSON.', -32_700)
  if (Array.isArray(message)) return refuseMessage(reply, 400, 'Messages are sent one by one.', -32_600)
  taken()
  loading ??= import('@modelcontextprotocol/server')
  const protocol = await loading
  const handler = protocol.createMcpHandler(() => serverOf(protocol, place), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => request.log.debug({ err: error }, 'A message was refused'),
  })
  try {
    const answer = await handler.fetch(asRequest(request, place), { parsedBody: message })
    const body = Buffer.from(await answer.arrayBuffer())
    if (!(await stillMay())) return refuseMessage(reply, 404, 'There is no such site.')
    reply.code(answer.status).headers({ ...Object.fromEntries(answer.headers), ...keptByNobody })
    return reply.send(body)
  } finally {
    await handler.close()
  }
}

/** Returns a signal that is aborted when whoever asks goes: their request has come to its end long before. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}

/** Answers a message with an error of the protocol. */
export function refuseMessage(
  reply: FastifyReply,
  status: number,
  message: string,
  code = -32_001,
): FastifyReply {
  return reply
    .code(status)
    .headers(keptByNobody)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}

/** Programs that are no browsers say nothing of an origin. */
function isOwnOrigin(origin: string | undefined, { services, site }: ToolPlace): boolean {
  if (origin === undefined) return true
  return origin === new URL(services.addresses.base).origin || origin === new URL(site.url).origin
}

function serverOf({ Server, ProtocolError, ProtocolErrorCode }: Protocol, place: ToolPlace): Server {
  const { site } = place
  const title = site.customization.title ?? site.title
  const server = new Server(
    { name: title, version: '1.0.0', websiteUrl: site.url },
    { capabilities: { tools: {} }, instructions: `The documentation of ${title}, at ${site.url}` },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: toolsOf(site).map((tool) => ({
      ...tool,
      annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const result = await callTool(place, params.name, params.arguments ?? {})
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    return {
      content: result.texts.map((text) => ({ type: 'text' as const, text })),
      ...(result.isError === true && { isError: true }),
    }
  })
  return server
}

/** The body was read already. */
function asRequest({ raw }: FastifyRequest, { site, signal }: ToolPlace): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers))
    if (value !== undefined) headers.set(name, String(value))
  return new Request(`${site.url}~octavo/mcp`, { method: 'POST', headers, signal })
}

/** Returns what was sent; undefined for what is no JSON. */
async function readMessage(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > longestMessage) return 'tooLong'
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString()) ?? undefined
  } catch {
    return undefined
  }
}
