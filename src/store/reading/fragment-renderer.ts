/**
 * Pieces of people's text that take long, or that a library works on: each is done in a thread, with a deadline and
 * a limit of memory. What was late or took all the memory is remembered for a while, so that it
 * costs that only once. Task and answer are plain values that the program in the thread understands.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type WorkerPoolOptions, WorkerLost, createWorkerPool } from './worker-pool.js'

export type FragmentResult =
  /** `about` is what else the program says of it. */
  | { readonly markup: string; readonly about?: unknown }
  /** `failed`: it would again; `busy`: another time it may be done. */
  | { readonly unavailable: 'failed' | 'busy' }

export interface FragmentRenderer<Task> {
  /**
   * Answers what became of the piece. Who asks for the same at the same time shares one answer. While the program is
   * at it, it may ask back what `answer` knows, through the `port` of its task; throws only what that throws.
   */
  render(task: Task, answer?: (question: unknown) => Promise<unknown>): Promise<FragmentResult>
  close(): Promise<void>
}

/** Answer of the program: no markup when the piece cannot be done. */
export interface RenderedFragment {
  readonly markup?: string
  readonly about?: unknown
}

const limits: WorkerPoolOptions = {
  prefetch: 1,
  deadline: 2_000,
  memory: 192,
  maxWaiting: 64,
  idleTimeout: 30_000,
}
/** Failures that are remembered, and for how long in milliseconds: a busy machine is late with what it could do. */
const maxFailures = 2_000
const failureAge = 10 * 60_000

/** Returns a worker over threads that run the program at `entry`. */
export function createWorkerFragments<Task extends object>(
  entry: URL,
  count: number,
  now: () => number,
  asked: WorkerPoolOptions = {},
): FragmentRenderer<Task> {
  const threads = createWorkerPool<Task, RenderedFragment>(entry, count, { ...limits, ...asked })
  /** When each failed, by the hash of its task; the oldest first. */
  const failures = new Map<string, number>()
  const asking = new Map<string, Promise<FragmentResult>>()

  async function work(
    task: Task,
    key: string,
    answer: ((question: unknown) => Promise<unknown>) | undefined,
  ): Promise<FragmentResult> {
    const questions = answer === undefined ? undefined : openHostChannel(answer)
    try {
      const { markup, about } =
        questions === undefined
          ? await threads.run(task)
          : await threads.run({ ...task, port: questions.port }, [questions.port])
      if (markup !== undefined) return { markup, about }
      if (questions?.failure !== undefined) throw questions.failure
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      if (error.reason === 'busy' || error.reason === 'closed') return { unavailable: 'busy' }
    } finally {
      questions?.close()
    }
    failures.delete(key)
    failures.set(key, now())
    for (const oldest of failures.keys()) {
      if (failures.size <= maxFailures) break
      failures.delete(oldest)
    }
    return { unavailable: 'failed' }
  }

  return {
    render(task, answer) {
      const key = createHash('sha256').update(JSON.stringify(task)).digest('base64')
      const failed = failures.get(key)
      if (failed !== undefined && now() - failed < failureAge)
        return Promise.resolve({ unavailable: 'failed' })
      const known = asking.get(key)
      if (known !== undefined) return known
      const answering = work(task, key, answer).finally(() => asking.delete(key))
      asking.set(key, answering)
      return answering
    },
    close: () => threads.close(),
  }
}

interface HostChannel {
  /** The end for the program. */
  readonly port: MessagePort
  /** What `answer` threw: the piece is not to blame. */
  failure?: unknown
  close(): void
}

function openHostChannel(answer: (question: unknown) => Promise<unknown>): HostChannel {
  const { port1, port2 } = new MessageChannel()
  const questions: HostChannel = { port: port2, close: () => port1.close() }
  port1.on('message', (question: unknown) => {
    answer(question).then(
      (known) => port1.postMessage({ known }),
      (error: unknown) => {
        questions.failure = error
        port1.postMessage({})
      },
    )
  })
  return questions
}

/** Asks back, one question after another; throws when there is no answer. */
export function requestFromHost(port: MessagePort): (question: unknown) => Promise<unknown> {
  return (question) =>
    new Promise((resolve, reject) => {
      port.once('message', (answer: { readonly known?: unknown }) =>
        'known' in answer ? resolve(answer.known) : reject(new Error('The question was not answered')),
      )
      port.postMessage(question)
    })
}

/** Returns a worker that does everything in this thread, without deadline: for programs run from their sources. */
export function createInlineFragments<Task>(
  work: (task: Task, ask: (question: unknown) => Promise<unknown>) => Promise<RenderedFragment>,
): FragmentRenderer<Task> {
  return {
    async render(task, answer = () => Promise.reject(new Error('Nobody answers'))) {
      await nextTurn()
      const { markup, about } = await work(task, answer)
      return markup === undefined ? { unavailable: 'failed' } : { markup, about }
    },
    close: async () => {},
  }
}
