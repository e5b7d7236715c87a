/** HTTP baseline: `node:http` with one constant response, in a separate process. */
import { createServer } from 'node:http'

/** The response comes as the first message; the port is sent back as a message. */
export interface BareResponse {
  readonly status: number
  readonly type: string
  readonly body: string
}

process.once('message', ({ status, type, body }: BareResponse) => {
  const bytes = Buffer.from(body)
  const headers = { 'content-type': type, 'content-length': bytes.length }
  const server = createServer((_request, response) => {
    if (status === 304) response.writeHead(304).end()
    else response.writeHead(status, headers).end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port))
})
process.once('disconnect', () => process.exit(0))
