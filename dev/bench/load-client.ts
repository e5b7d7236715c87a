/**
 * Sends requests by turns over a few connections, in a process of its own, and counts the answers.
 *
 * It knows how long the answer to each request is, from asking once, so that counting costs next to nothing: a client
 * that parses more than its server writes measures itself. An answer that begins otherwise than the first ends it.
 */
import { type Socket, connect } from 'node:net'

export interface Load {
  readonly port: number
  /** The requests as they go over the wire. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly milliseconds: number
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

async function run({ port, requests, connections, milliseconds }: Load): Promise<LoadResult> {
  const asked: { readonly bytes: Buffer; readonly length: number }[] = []
  let statusLine = ''
  for (const request of requests) {
    const first = await firstAnswer(port, request)
    asked.push({ bytes: Buffer.from(request), length: first.length })
    statusLine = first.statusLine
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
        const ask = () => {
          const next = asked[turn++ % asked.length]!
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
          if (performance.now() < deadline) ask()
          else resolve()
        })
        ask()
      }).finally(() => socket.destroy())
    }),
  )
  return { perSecond: (answers * 1000) / (performance.now() - begun), statusLine }
}

/** Reads one whole answer; throws unless it says how long it is. */
async function firstAnswer(port: number, request: string): Promise<{ length: number; statusLine: string }> {
  const socket = await open(port)
  try {
    return await new Promise((resolve, reject) => {
      let received = Buffer.alloc(0)
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('Closed before the first answer')))
      socket.on('data', (piece) => {
        received = Buffer.concat([received, piece])
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = received.subarray(0, end).toString()
        const statusLine = head.slice(0, head.indexOf('\r\n'))
        const announced = /^content-length: *(\d+)/im.exec(head)?.[1]
        if (announced === undefined && !statusLine.includes(' 304 ')) reject(new Error(`No length: ${head}`))
        const length = end + 4 + (statusLine.includes(' 304 ') ? 0 : Number(announced))
        if (received.length >= length) resolve({ length, statusLine })
      })
      socket.write(request)
    })
  } finally {
    socket.destroy()
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}
