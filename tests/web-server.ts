/** A web server on this machine for what is fetched from an address, and a client that may reach it. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemote } from '../src/store/remote/create.js'
import type { Remote } from '../src/store/remote/remote.js'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

export interface Served {
  /** `http://127.0.0.1:…`, without a slash at its end. */
  readonly url: string
  /** Reaches this server, and no other of this machine's networks. */
  readonly remote: Remote
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Serves what a function answers, or a body for each path and 404 for all others. */
export async function serveWeb(
  answer: Serve | Readonly<Record<string, string | Uint8Array | Serve>>,
): Promise<Served> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const found = typeof answer === 'function' ? answer : answer[request.url!]
    if (typeof found === 'function') found(request, response)
    else if (found === undefined) response.writeHead(404).end('nothing here')
    else response.end(found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const remote = createRemote({ openNetworks: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    remote,
    asked,
    async close() {
      await remote.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
