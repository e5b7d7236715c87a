/**
 * A few threads of one program: they start with the first task and end when there has been nothing to do for a while.
 *
 * A thread that dies takes no task with it but the one it was at, and that one is tried once more in another thread,
 * because not every thread dies of its task; then it is refused with `ThreadLost`. So no text of a stranger can end
 * the process. Knows nothing of what the tasks are: whoever asks says what is answered instead of a lost one.
 */
import { Worker } from 'node:worker_threads'

/** Why a task has no answer: its thread ended each time it was tried, or was told to end. */
export class ThreadLost extends Error {}

export interface Threads<Task, Answer> {
  /** Answers what the program posts for the task; rejects with `ThreadLost` and nothing else. */
  ask(task: Task): Promise<Answer>
  /** Starts a thread, if there is none: it takes a third of a second until it works. */
  prepare(): void
  /** Ends all threads; what they were at is lost. The next task starts one again. */
  close(): Promise<void>
}

interface Waiting<Task, Answer> {
  readonly task: Task
  readonly answer: (answer: Answer) => void
  readonly refuse: (error: ThreadLost) => void
  /** How many threads have died at it. */
  deaths: number
}

interface Thread<Task, Answer> {
  readonly worker: Worker
  /** In the order in which they were sent and will be answered. */
  readonly sent: Waiting<Task, Answer>[]
  diedOf?: Error
}

/** Tasks a thread is given ahead: it goes on while this thread is inside a transaction for tens of milliseconds. */
const ahead = 64
/** Milliseconds without a task until the threads end and give their memory back. */
const idleAfter = 3_000
/** Threads that may die at one task. */
const mostDeaths = 2

/** Returns `count` threads that run the program at `entry`, which answers each message with one, in their order. */
export function createThreads<Task, Answer>(
  entry: URL,
  count: number,
  { restAfter = idleAfter }: { readonly restAfter?: number } = {},
): Threads<Task, Answer> {
  const queue: Waiting<Task, Answer>[] = []
  /** Those that may be given tasks: a thread that is told to end leaves at once, and dies when it does. */
  const threads = new Set<Thread<Task, Answer>>()
  let idle: NodeJS.Timeout | undefined

  function start(): Thread<Task, Answer> {
    const worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: 12 } })
    const thread: Thread<Task, Answer> = { worker, sent: [] }
    threads.add(thread)
    worker.unref()
    worker.on('message', (answer: Answer) => {
      thread.sent.shift()!.answer(answer)
      feed()
    })
    worker.on('error', (error) => (thread.diedOf = error))
    worker.on('exit', () => {
      threads.delete(thread)
      const [lost, ...others] = thread.sent
      queue.unshift(...others)
      if (lost !== undefined) retry(lost, thread)
      feed()
    })
    return thread
  }

  function retry(lost: Waiting<Task, Answer>, { diedOf }: Thread<Task, Answer>): void {
    lost.deaths += 1
    if (lost.deaths < mostDeaths) queue.unshift(lost)
    else
      lost.refuse(new ThreadLost(`The thread that did it ended: ${diedOf?.message ?? 'it gave no reason'}`))
  }

  function feed(): void {
    while (queue.length > 0) {
      const free = [...threads].toSorted((a, b) => a.sent.length - b.sent.length)[0]
      const thread = (free === undefined || free.sent.length > 0) && threads.size < count ? start() : free!
      if (thread.sent.length >= ahead) break
      const next = queue.shift()!
      thread.sent.push(next)
      thread.worker.ref()
      thread.worker.postMessage(next.task)
    }
    rest()
  }

  /** Threads without work do not keep the process, and after a while not its memory either. */
  function rest(): void {
    clearTimeout(idle)
    if ([...threads].some(({ sent }) => sent.length > 0)) return
    for (const { worker } of threads) worker.unref()
    idle = setTimeout(() => void end(), restAfter)
    idle.unref()
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = [...threads]
    threads.clear()
    await Promise.all(ending.map(({ worker }) => worker.terminate()))
  }

  return {
    ask: (task) =>
      new Promise((answer, refuse) => {
        queue.push({ task, answer, refuse, deaths: 0 })
        feed()
      }),
    prepare() {
      if (threads.size === 0) start()
      rest()
    },
    async close() {
      const given = [...queue.splice(0), ...[...threads].flatMap(({ sent }) => sent.splice(0))]
      await end()
      for (const { refuse } of given) refuse(new ThreadLost('The threads were told to end'))
    },
  }
}
