/**
 * Renders fragments of untrusted text in worker threads, with a deadline and a memory limit. A fragment that cannot be
 * rendered is remembered for a while, so that it costs that only once. One past its deadline is not: how long a thread
 * takes depends on what else the machine does. It is only tried less often the longer it keeps missing the deadline.
 * Tasks and results are plain values that the worker's program understands.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type WorkerPoolOptions, WorkerLost, createWorkerPool } from './worker-pool.js'

export type FragmentResult =
  /** `about` is further data of the program. */
  | { readonly markup: string; readonly about?: unknown }
  /** `failed` would fail again; `busy` may succeed later: what was made without it is not to be kept. */
  | { readonly unavailable: 'failed' | 'busy' }

export interface FragmentRenderer<Task> {
  /**
   * Returns the rendered fragment. Concurrent calls for the same task share one result. During the task, the program can
   * query `answer` through the `port` of the task; throws only what `answer` throws.
   */
  render(task: Task, answer?: (question: unknown) => Promise<unknown>): Promise<FragmentResult>
  close(): Promise<void>
}

/** Result of the program: without markup when the fragment cannot be rendered. */
export interface RenderedFragment {
  readonly markup?: string
  readonly about?: unknown
}

const limits: WorkerPoolOptions = {
  prefetch: 1,
  deadline: 5_000,
  memory: 192,
  maxWaiting: 64,
  idleTimeout: 30_000,
}
/** Remembered fragments that failed or were late, and for how long in milliseconds. */
const maxFailures = 2_000
const failureAge = 10 * 60_000

/** Returns a renderer over workers that run the program at `entry`. */
export function createWorkerFragments<Task extends object>(
  entry: URL,
  count: number,
  now: () => number,
  options: WorkerPoolOptions = {},
): FragmentRenderer<Task> {
  const { deadline = 0, ...others } = { ...limits, ...options }
  const workers = createWorkerPool<Task, RenderedFragment>(entry, count, { deadline, ...others })
  /** By the hash of the task; the oldest first. */
  const failures = new Map<string, Failure>()
  const pending = new Map<string, Promise<FragmentResult>>()

  function remember(key: string, failure: Failure): void {
    failures.delete(key)
    failures.set(key, failure)
    for (const oldest of failures.keys()) {
      if (failures.size <= maxFailures) break
      failures.delete(oldest)
    }
  }

  /** A late task waits for as long as it took, then twice as long, and so on. */
  function rememberLate(key: string): void {
    const last = failures.get(key)
    const wait = last?.unavailable === 'busy' ? Math.min(2 * last.wait, failureAge) : deadline
    remember(key, { unavailable: 'busy', at: now(), wait })
  }

  async function work(
    task: Task,
    key: string,
    answer: ((question: unknown) => Promise<unknown>) | undefined,
  ): Promise<FragmentResult> {
    const questions = answer === undefined ? undefined : openHostChannel(answer)
    try {
      const { markup, about } =
        questions === undefined
          ? await workers.run(task)
          : await workers.run({ ...task, port: questions.port }, [questions.port])
      if (markup !== undefined) {
        failures.delete(key)
        return { markup, about }
      }
      if (questions?.failure !== undefined) throw questions.failure
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      if (error.reason === 'late') rememberLate(key)
      if (error.reason !== 'ended') return { unavailable: 'busy' }
    } finally {
      questions?.close()
    }
    remember(key, { unavailable: 'failed', at: now(), wait: failureAge })
    return { unavailable: 'failed' }
  }

  return {
    render(task, answer) {
      const key = createHash('sha256').update(JSON.stringify(task)).digest('base64')
      const failed = failures.get(key)
      if (failed !== undefined && now() - failed.at < failed.wait)
        return Promise.resolve({ unavailable: failed.unavailable })
      const known = pending.get(key)
      if (known !== undefined) return known
      const rendering = work(task, key, answer).finally(() => pending.delete(key))
      pending.set(key, rendering)
      return rendering
    },
    close: () => workers.close(),
  }
}

interface Failure {
  readonly unavailable: 'failed' | 'busy'
  readonly at: number
  /** Milliseconds until the task is tried again. */
  readonly wait: number
}

interface HostChannel {
  /** The port of the program. */
  readonly port: MessagePort
  /** What `answer` threw: not a failure of the fragment. */
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

/** Queries the host, one question after another; throws when there is no answer. */
export function requestFromHost(port: MessagePort): (question: unknown) => Promise<unknown> {
  return (question) =>
    new Promise((resolve, reject) => {
      port.once('message', (answer: { readonly known?: unknown }) =>
        'known' in answer ? resolve(answer.known) : reject(new Error('The question was not answered')),
      )
      port.postMessage(question)
    })
}

/** Returns a renderer in this thread, without deadline: for programs that run from source. */
export function createInlineFragments<Task>(
  work: (task: Task, ask: (question: unknown) => Promise<unknown>) => Promise<RenderedFragment>,
): FragmentRenderer<Task> {
  return {
    async render(task, answer = () => Promise.reject(new Error('No one answers'))) {
      await nextTurn()
      const { markup, about } = await work(task, answer)
      return markup === undefined ? { unavailable: 'failed' } : { markup, about }
    },
    close: async () => {},
  }
}
