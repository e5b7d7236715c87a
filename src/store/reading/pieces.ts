/**
 * Pieces of people's text that a library works on and nothing can bound beforehand: each is done in a thread, with
 * a deadline and a limit of memory. What was late or took all the memory is remembered for a while, so that it
 * costs that only once. Task and answer are plain values that the program in the thread understands.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ThreadLimits, ThreadLost, createThreads } from './threads.js'

export type PieceResult =
  | { readonly markup: string }
  /** `failed`: it would again; `busy`: another time it may be done. */
  | { readonly lost: 'failed' | 'busy' }

export interface PieceWorker<Task> {
  /** Answers what became of the piece; never throws. Who asks for the same at the same time shares one answer. */
  ask(task: Task): Promise<PieceResult>
  close(): Promise<void>
}

/** Answer of the program: no markup when the piece cannot be done. */
export interface PieceAnswer {
  readonly markup?: string
}

const limits: ThreadLimits = { ahead: 1, deadline: 2_000, memory: 192, mostWaiting: 64, restAfter: 30_000 }
/** Failures that are remembered, and for how long in milliseconds: a busy machine is late with what it could do. */
const mostFailures = 2_000
const failureAge = 10 * 60_000

/** Returns a worker over threads that run the program at `entry`. */
export function createThreadedPieces<Task extends object>(
  entry: URL,
  count: number,
  now: () => number,
  asked: ThreadLimits = {},
): PieceWorker<Task> {
  const threads = createThreads<Task, PieceAnswer>(entry, count, { ...limits, ...asked })
  /** When each failed, by the hash of its task; the oldest first. */
  const failures = new Map<string, number>()
  const asking = new Map<string, Promise<PieceResult>>()

  async function answer(task: Task, key: string): Promise<PieceResult> {
    try {
      const { markup } = await threads.ask(task)
      if (markup !== undefined) return { markup }
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      if (error.reason === 'busy' || error.reason === 'closed') return { lost: 'busy' }
    }
    failures.delete(key)
    failures.set(key, now())
    for (const oldest of failures.keys()) {
      if (failures.size <= mostFailures) break
      failures.delete(oldest)
    }
    return { lost: 'failed' }
  }

  return {
    ask(task) {
      const key = createHash('sha256').update(JSON.stringify(task)).digest('base64')
      const failed = failures.get(key)
      if (failed !== undefined && now() - failed < failureAge) return Promise.resolve({ lost: 'failed' })
      const known = asking.get(key)
      if (known !== undefined) return known
      const answering = answer(task, key).finally(() => asking.delete(key))
      asking.set(key, answering)
      return answering
    },
    close: () => threads.close(),
  }
}

/** Returns a worker that does everything in this thread, without deadline: for programs run from their sources. */
export function createInlinePieces<Task>(work: (task: Task) => string | undefined): PieceWorker<Task> {
  return {
    async ask(task) {
      await nextTurn()
      const markup = work(task)
      return markup === undefined ? { lost: 'failed' } : { markup }
    },
    close: async () => {},
  }
}
