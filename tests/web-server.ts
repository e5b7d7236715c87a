/** Local web server: what the product fetches by URL is served on loopback, with a client that may reach it. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemote } from '../src/store/remote/create.js'
import type { Remote } from '../src/store/remote/remote.js'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export interface WebServer {
  /** `http://127.0.0.1:…`, without a slash at its end. */
  readonly url: string
  /** Reaches this server, but no other private network address. */
  readonly remote: Remote
  /** Requested paths, in order. */
  readonly requests: string[]
  close(): Promise<void>
}

/** Serves what a function answers, or a body for each path and 404 for all others. */
export async function serveWeb(
  handler: RequestListener | Readonly<Record<string, string | Uint8Array | RequestListener>>,
): Promise<WebServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const content = typeof handler === 'function' ? handler : handler[request.url!]
    if (typeof content === 'function') content(request, response)
    else if (content === undefined) response.writeHead(404).end('nothing here')
    else response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const remote = createRemote({ openNetworks: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    remote,
    requests,
    async close() {
      await remote.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
