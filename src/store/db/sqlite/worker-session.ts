/** A SQLite session in a worker thread, so that pending for the disk does not block the event loop. */
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { SessionResult, SessionCommand, Session } from './session.js'

interface PendingCommand {
  readonly resolve: (answer: SessionResult) => void
  readonly reject: (error: unknown) => void
}

interface SessionReply {
  readonly answer?: SessionResult
  readonly error?: unknown
}

export interface WorkerSession {
  readonly session: Session
  /** Receives a reply of the worker immediately, without pending for the event loop. */
  receivePending(): void
}

/**
 * Returns a session that writes to the file, in a worker that runs the program at `entry` (see `worker.ts`).
 * If the worker dies, the process dies too: it could not write any more.
 */
export function sessionInWorker(entry: URL, file: string): WorkerSession {
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(entry, { workerData: { file, port: port2 }, transferList: [port2] })
  const pending: PendingCommand[] = []

  function settle({ answer, error }: SessionReply): void {
    const { resolve, reject } = pending.shift()!
    if (pending.length === 0) port.unref()
    if (answer === undefined) reject(error)
    else resolve(answer)
  }

  port.on('message', settle)
  worker.unref()
  port.unref()
  return {
    async session(command) {
      const reply = new Promise<SessionResult>((resolve, reject) => pending.push({ resolve, reject }))
      port.ref()
      const [message, transferred] = toTransferable(command)
      port.postMessage(message, transferred)
      const answer = await reply
      if (command === 'close') await worker.terminate()
      return answer
    },
    receivePending() {
      if (pending.length === 0) return
      const received = receiveMessageOnPort(port) as { message: SessionReply } | undefined
      if (received !== undefined) settle(received.message)
    },
  }
}

/** Copies bytes, which are then transferred to the worker: a view would be sent with its whole buffer. */
function toTransferable(command: SessionCommand): [SessionCommand, ArrayBuffer[]] {
  if (typeof command === 'string') return [command, []]
  const transferred: ArrayBuffer[] = []
  const parameters = command.parameters.map((value) => {
    if (!(value instanceof Uint8Array)) return value
    const copy = new Uint8Array(value)
    transferred.push(copy.buffer)
    return copy
  })
  return [{ sql: command.sql, parameters }, transferred]
}
