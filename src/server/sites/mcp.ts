/**
 * MCP server of a site at `~octavo/mcp`: the Model Context Protocol over HTTP for language models, stateless, one
 * message per request, without notifications.
 *
 * Messages are small and parsed in this file; the caller has checked access to the site. Requests from pages of other
 * origins are refused, whatever host name they reach this server by (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http'
import type { Server } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noStore } from '../http/headers.js'
import { type ToolContext, callTool, listTools } from '../../site/mcp-tools.js'

/** The MCP library, loaded with the first message: it takes 27 MB that most processes never need. */
type McpModule = typeof import('@modelcontextprotocol/server')
let mcpModule: Promise<McpModule> | undefined

/** Messages contain a question or a path. */
const maxMessageBytes = 64 * 1024

/** Whether a request sends an MCP message, at the root of a site or of one of its variants. */
export function isMcpRequest({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /\/~(?:octavo|gitbook)\/mcp(?:\?|$)/.test(url!)
}

/**
 * Answers a message; `onAccepted` is called once it is parsed, and `isStillAllowed` rechecks access before the answer is
 * sent, because the call may have waited in a queue.
 */
export async function answerMcpRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    toolContext,
    isStillAllowed,
    onAccepted,
  }: {
    readonly toolContext: ToolContext
    readonly isStillAllowed: () => Promise<boolean>
    readonly onAccepted: () => void
  },
): Promise<FastifyReply> {
  if (!isOwnOrigin(request.headers.origin, toolContext))
    return sendMcpError(reply, 403, 'This origin may not ask here.')
  const message = await readMcpMessage(request.raw)
  if (message === 'tooLong')
    return sendMcpError(
      reply.header('connection', 'close'),
      413,
      `A message may have ${maxMessageBytes} bytes.`,
    )
  if (message === undefined) return sendMcpError(reply, 400, 'The message is no JSON.', -32_700)
  if (Array.isArray(message)) return sendMcpError(reply, 400, 'Messages are sent one by one.', -32_600)
  onAccepted()
  mcpModule ??= import('@modelcontextprotocol/server')
  const mcp = await mcpModule
  const handler = mcp.createMcpHandler(() => createMcpServer(mcp, toolContext), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => request.log.debug({ err: error }, 'A message was refused'),
  })
  try {
    const answer = await handler.fetch(toFetchRequest(request, toolContext), { parsedBody: message })
    const body = Buffer.from(await answer.arrayBuffer())
    if (!(await isStillAllowed())) return sendMcpError(reply, 404, 'There is no such site.')
    reply.code(answer.status).headers({ ...Object.fromEntries(answer.headers), ...noStore })
    return reply.send(body)
  } finally {
    await handler.close()
  }
}

/** Returns a signal that is aborted when the client disconnects: the signal of the request ended with its body. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => raw.writableFinished || controller.abort())
  return controller.signal
}

/** Answers a message with a JSON-RPC error. */
export function sendMcpError(
  reply: FastifyReply,
  status: number,
  message: string,
  code = -32_001,
): FastifyReply {
  return reply
    .code(status)
    .headers(noStore)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}

/** Only browsers send an origin. */
function isOwnOrigin(origin: string | undefined, { services, site }: ToolContext): boolean {
  if (origin === undefined) return true
  return origin === new URL(services.addresses.base).origin || origin === new URL(site.url).origin
}

function createMcpServer(
  { Server, ProtocolError, ProtocolErrorCode }: McpModule,
  toolContext: ToolContext,
): Server {
  const { site } = toolContext
  const title = site.customization.title ?? site.title
  const server = new Server(
    { name: title, version: '1.0.0', websiteUrl: site.url },
    { capabilities: { tools: {} }, instructions: `The documentation of ${title}, at ${site.url}` },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: listTools(site).map((tool) => ({
      ...tool,
      annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const result = await callTool(toolContext, params.name, params.arguments ?? {})
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    return {
      content: result.texts.map((text) => ({ type: 'text' as const, text })),
      ...(result.isError === true && { isError: true }),
    }
  })
  return server
}

/** Without a body: it was read already. */
function toFetchRequest({ raw }: FastifyRequest, { site, signal }: ToolContext): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers))
    if (value !== undefined) headers.set(name, String(value))
  return new Request(`${site.url}~octavo/mcp`, { method: 'POST', headers, signal })
}

/** Returns the message; undefined for invalid JSON. */
async function readMcpMessage(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxMessageBytes) return 'tooLong'
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) ?? undefined
  } catch {
    return undefined
  }
}
