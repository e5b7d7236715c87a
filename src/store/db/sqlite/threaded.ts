/** A session on SQLite in a thread of its own: what waits for the disk keeps nobody waiting who is answered here. */
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { Answered, Asked, Session } from './session.js'

interface Waiting {
  readonly resolve: (answer: Answered) => void
  readonly reject: (error: unknown) => void
}

interface Message {
  readonly answer?: Answered
  readonly error?: unknown
}

export interface ThreadedSession {
  readonly session: Session
  /** Takes in what the thread has answered, before the process listens again. */
  hear(): void
}

/**
 * Returns a session that writes to the file, in a thread that runs the program at `entry` (see `thread.ts`).
 * Should the thread die, the process dies too: it could not write any more.
 */
export function sessionInThread(entry: URL, file: string): ThreadedSession {
  const { port1: port, port2 } = new MessageChannel()
  const thread = new Worker(entry, { workerData: { file, port: port2 }, transferList: [port2] })
  const waiting: Waiting[] = []

  function take({ answer, error }: Message): void {
    const { resolve, reject } = waiting.shift()!
    if (waiting.length === 0) port.unref()
    if (answer === undefined) reject(error)
    else resolve(answer)
  }

  port.on('message', take)
  thread.unref()
  port.unref()
  return {
    async session(asked) {
      const answered = new Promise<Answered>((resolve, reject) => waiting.push({ resolve, reject }))
      port.ref()
      const [message, moved] = packed(asked)
      port.postMessage(message, moved)
      const answer = await answered
      if (asked === 'close') await thread.terminate()
      return answer
    },
    hear() {
      if (waiting.length === 0) return
      const received = receiveMessageOnPort(port) as { message: Message } | undefined
      if (received !== undefined) take(received.message)
    },
  }
}

/** Copies bytes, which then move to the thread: a view would be sent with all of the memory that it looks at. */
function packed(asked: Asked): [Asked, ArrayBuffer[]] {
  if (typeof asked === 'string') return [asked, []]
  const moved: ArrayBuffer[] = []
  const parameters = asked.parameters.map((value) => {
    if (!(value instanceof Uint8Array)) return value
    const copy = new Uint8Array(value)
    moved.push(copy.buffer)
    return copy
  })
  return [{ sql: asked.sql, parameters }, moved]
}
