/**
 * HTTP load generator: sends requests round-robin over a few connections, in a separate process, and counts the responses.
 *
 * It requests each URL once to know the length of its response, so that counting costs next to nothing: a client that parses
 * more than its server writes measures itself. A response that begins otherwise than the first ends it.
 */
import { type Socket, connect } from 'node:net'

export interface Load {
  readonly port: number
  /** The requests as they go over the wire. */
  readonly requests: readonly string[]
  readonly connections: number
  /** How long they are repeated; undefined to send each once, with a response of any length. */
  readonly milliseconds: number | undefined
  /** The expected status of every response, where requests are repeated; another one ends the run. */
  readonly status?: number
  /** Requests a second over all connections; without it, each connection sends the next request as soon as the response came. */
  readonly perSecond?: number
}

export type LoadResult =
  | { readonly perSecond: number; readonly statusLine: string }
  | { readonly problem: string }

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send!(result),
    (error: unknown) => process.send!({ problem: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))

async function run({
  port,
  requests,
  connections,
  milliseconds,
  status,
  perSecond = Infinity,
}: Load): Promise<LoadResult> {
  if (milliseconds === undefined) return runOnce({ port, requests, connections })
  const prepared: { readonly bytes: Buffer; readonly length: number }[] = []
  let statusLine = ''
  for (const request of requests) {
    const first = await firstAnswer(port, request)
    prepared.push({ bytes: Buffer.from(request), length: first.length })
    statusLine = first.statusLine
    if (status !== undefined && !statusLine.includes(` ${status} `))
      throw new Error(`Answered ${statusLine} in place of ${status}: ${request}`)
  }
  const begins = Buffer.from(statusLine)
  let turn = 0
  let answers = 0
  const begun = performance.now()
  const deadline = begun + milliseconds

  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(port)
      await new Promise<void>((resolve, reject) => {
        let length = 0
        let missing = 0
        const ask = (place: number) => {
          const next = prepared[place % prepared.length]!
          length = missing = next.length
          socket.write(next.bytes)
        }
        socket.on('error', reject)
        socket.on('close', () => reject(new Error('The server closed a connection')))
        socket.on('data', (piece) => {
          if (missing === length && !piece.subarray(0, begins.length).equals(begins)) {
            reject(new Error(`Another answer: ${piece.subarray(0, 80).toString()}`))
          }
          missing -= piece.length
          if (missing > 0) return
          if (missing < 0) return reject(new Error('A longer answer than the first'))
          answers += 1
          if (performance.now() >= deadline) return resolve()
          const place = turn++
          const early = begun + (place * 1000) / perSecond - performance.now()
          if (early > 0) setTimeout(ask, early, place)
          else ask(place)
        })
        ask(turn++)
      }).finally(() => socket.destroy())
    }),
  )
  return { perSecond: (answers * 1000) / (performance.now() - begun), statusLine }
}

/** Sends each request once, over any free connection; every response must be 200. */
async function runOnce({
  port,
  requests,
  connections,
}: Pick<Load, 'port' | 'requests' | 'connections'>): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const remaining = requests.values()
  const begun = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      for (const request of remaining) {
        const { statusLine } = await readAnswer(socket, request)
        if (!statusLine.includes(' 200 ')) throw new Error(`Answered ${statusLine}: ${request}`)
      }
    }),
  ).finally(() => sockets.forEach((socket) => socket.destroy()))
  const perSecond = (requests.length * 1000) / (performance.now() - begun)
  return { perSecond, statusLine: 'HTTP/1.1 200 OK' }
}

interface PreparedResponse {
  readonly length: number
  readonly statusLine: string
}

async function firstAnswer(port: number, request: string): Promise<PreparedResponse> {
  const socket = await open(port)
  return readAnswer(socket, request).finally(() => socket.destroy())
}

/** Reads one whole response; rejects without a `content-length`. */
function readAnswer(socket: Socket, request: string): Promise<PreparedResponse> {
  let received = Buffer.alloc(0)
  let answered: PreparedResponse | undefined
  return new Promise<PreparedResponse>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('Closed before the answer')))
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece])
      answered ??= readHead(received, reject)
      if (answered !== undefined && received.length >= answered.length) resolve(answered)
    })
    socket.write(request)
  }).finally(() => socket.removeAllListeners())
}

/** Returns undefined until the head is complete. */
function readHead(received: Buffer, reject: (error: Error) => void): PreparedResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.subarray(0, end).toString()
  const statusLine = head.slice(0, head.indexOf('\r\n'))
  const announced = /^content-length: *(\d+)/im.exec(head)?.[1]
  if (announced === undefined && !statusLine.includes(' 304 ')) reject(new Error(`No length: ${head}`))
  return { length: end + 4 + (statusLine.includes(' 304 ') ? 0 : Number(announced)), statusLine }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}
