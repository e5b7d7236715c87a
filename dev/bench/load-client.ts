/**
 * Sends one request again and again over a few connections, in a process of its own, and counts the answers.
 *
 * It knows that every answer is as long as the first, so that counting costs next to nothing: a client that
 * parses more than its server writes measures itself. An answer that begins otherwise than the first ends it.
 */
import { type Socket, connect } from 'node:net'

export interface Load {
  readonly port: number
  /** The request as it goes over the wire. */
  readonly request: string
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

async function run({ port, request, connections, milliseconds }: Load): Promise<LoadResult> {
  const { length, statusLine } = await firstAnswer(port, request)
  const begins = Buffer.from(statusLine)
  const bytes = Buffer.from(request)
  let answers = 0
  const begun = performance.now()
  const deadline = begun + milliseconds

  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(port)
      await new Promise<void>((resolve, reject) => {
        let missing = length
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
          missing = length
          if (performance.now() < deadline) socket.write(bytes)
          else resolve()
        })
        socket.write(bytes)
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
