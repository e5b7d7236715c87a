/**
 * A few threads of one program: they start with the first task and end when there has been nothing to do for a while.
 *
 * A thread that dies takes no task with it but the one it was at, and that one is tried once more in another thread,
 * because not every thread dies of its task; then it is refused with `ThreadLost`. One that does not come to an end
 * is ended with its thread, and refused at once. So no text of a stranger can end the process or hold it. Knows
 * nothing of what the tasks are: whoever asks says what is answered instead of a lost one.
 */
import { type TransferListItem, Worker } from 'node:worker_threads'

/**
 * Why a task has no answer: its thread `ended` each time it was tried, it was `late`, too many were waiting already
 * (`busy`), or the threads were told to end (`closed`).
 */
export class WorkerLost extends Error {
  constructor(
    readonly reason: 'ended' | 'late' | 'busy' | 'closed',
    message: string,
  ) {
    super(message)
  }
}

/**
 * What a program posts when it has loaded, before its first answer, or has loaded more for the task that it is at: the
 * clock of the task starts then. Answers are objects.
 */
export const readyMessage = 'ready'

export interface WorkerPoolOptions {
  /** Milliseconds without a task until the threads end. */
  readonly idleTimeout?: number
  /** Tasks that a thread is given before it has answered the first of them. */
  readonly prefetch?: number
  /** Milliseconds that one task may take. */
  readonly deadline?: number
  /** Megabytes of a thread's old generation; the engine's own limit otherwise. */
  readonly memory?: number
  /** Tasks that may wait for a thread; the next one is refused. */
  readonly maxWaiting?: number
  /** What each thread is given when it starts. */
  readonly data?: unknown
}

export interface WorkerPool<Task, Answer> {
  /**
   * Answers what the program posts for the task; rejects with `ThreadLost` and nothing else. A task that `carries`
   * something gives it away, and is not tried again when its thread dies.
   */
  run(task: Task, carries?: readonly TransferListItem[]): Promise<Answer>
  /** Starts a thread, if there is none: it takes a third of a second until it works. */
  prepare(): void
  /** Ends all threads; what they were at is lost. The next task starts one again. */
  close(): Promise<void>
}

interface PendingTask<Task, Answer> {
  readonly task: Task
  readonly carries: readonly TransferListItem[]
  readonly answer: (answer: Answer) => void
  readonly refuse: (error: WorkerLost) => void
  /** How many threads have died at it. */
  deaths: number
}

interface PoolWorker<Task, Answer> {
  readonly worker: Worker
  /** In the order in which they were sent and will be answered. */
  readonly sent: PendingTask<Task, Answer>[]
  isReady: boolean
  clock?: NodeJS.Timeout
  diedOf?: Error
}

/** Tasks a thread is given ahead: it goes on while this thread is inside a transaction for tens of milliseconds. */
const defaultPrefetch = 64
/** Milliseconds without a task until the threads end and give their memory back. */
const defaultIdleTimeout = 3_000
/** Threads that may die at one task. */
const maxDeaths = 2
/** Threads that were told to end and have not: one inside native code ends when that returns. Then others wait. */
const maxTerminating = 2

/** Returns `count` threads that run the program at `entry`, which answers each message with one, in their order. */
export function createWorkerPool<Task, Answer extends object>(
  entry: URL,
  count: number,
  {
    idleTimeout = defaultIdleTimeout,
    prefetch = defaultPrefetch,
    deadline,
    memory,
    maxWaiting = Infinity,
    data,
  }: WorkerPoolOptions = {},
): WorkerPool<Task, Answer> {
  const queue: PendingTask<Task, Answer>[] = []
  /** Those that may be given tasks: a thread that is told to end leaves at once, and dies when it does. */
  const threads = new Set<PoolWorker<Task, Answer>>()
  const leaving = new Set<PoolWorker<Task, Answer>>()
  let idle: NodeJS.Timeout | undefined

  function start(): PoolWorker<Task, Answer> {
    const resourceLimits = {
      maxYoungGenerationSizeMb: 12,
      ...(memory !== undefined && { maxOldGenerationSizeMb: memory }),
    }
    const worker = new Worker(entry, { resourceLimits, workerData: data })
    const thread: PoolWorker<Task, Answer> = { worker, sent: [], isReady: false }
    threads.add(thread)
    worker.unref()
    worker.on('message', (message: Answer | typeof readyMessage) => {
      if (message === readyMessage) thread.isReady = true
      // What comes from a thread that was told to end has been refused.
      else if (threads.has(thread)) thread.sent.shift()!.answer(message)
      watch(thread)
      feed()
    })
    worker.on('error', (error) => (thread.diedOf = error))
    worker.on('exit', () => {
      clearTimeout(thread.clock)
      threads.delete(thread)
      leaving.delete(thread)
      const [lost, ...others] = thread.sent.splice(0)
      queue.unshift(...others)
      if (lost !== undefined) retry(lost, thread)
      feed()
    })
    return thread
  }

  /** Starts the clock of the task that a thread is at; called whenever that may have become another. */
  function watch(thread: PoolWorker<Task, Answer>): void {
    clearTimeout(thread.clock)
    const [first] = thread.sent
    if (deadline === undefined || first === undefined || !thread.isReady) return
    thread.clock = setTimeout(() => {
      // When this thread was the late one, answers are waiting: they are taken before anybody is judged.
      setImmediate(() => {
        if (thread.sent[0] === first && threads.has(thread)) giveUp(thread)
      })
    }, deadline)
  }

  function giveUp(thread: PoolWorker<Task, Answer>): void {
    const [late, ...others] = thread.sent.splice(0)
    queue.unshift(...others)
    void dismiss(thread)
    late!.refuse(new WorkerLost('late', `It takes longer than ${deadline} milliseconds`))
    feed()
  }

  /** A thread that is told to end is given nothing more. */
  function dismiss(thread: PoolWorker<Task, Answer>): Promise<number> {
    threads.delete(thread)
    leaving.add(thread)
    return thread.worker.terminate()
  }

  function retry(lost: PendingTask<Task, Answer>, { diedOf }: PoolWorker<Task, Answer>): void {
    lost.deaths += 1
    if (lost.deaths < maxDeaths && lost.carries.length === 0) queue.unshift(lost)
    else
      lost.refuse(
        new WorkerLost('ended', `The thread that did it ended: ${diedOf?.message ?? 'it gave no reason'}`),
      )
  }

  function feed(): void {
    while (queue.length > 0) {
      const thread = nextThread()
      if (thread === undefined) break
      const next = queue.shift()!
      thread.sent.push(next)
      thread.worker.ref()
      thread.worker.postMessage(next.task, next.carries)
      if (thread.sent.length === 1) watch(thread)
    }
    rest()
  }

  /** Returns the thread with the least to do, a new one where that is something; none where all have enough. */
  function nextThread(): PoolWorker<Task, Answer> | undefined {
    const least = [...threads].toSorted((a, b) => a.sent.length - b.sent.length)[0]
    const isRoom = threads.size < count && threads.size + leaving.size < count + maxTerminating
    if ((least === undefined || least.sent.length > 0) && isRoom) return start()
    return least !== undefined && least.sent.length < prefetch ? least : undefined
  }

  /** Threads without work do not keep the process, and after a while not its memory either. */
  function rest(): void {
    clearTimeout(idle)
    if ([...threads].some(({ sent }) => sent.length > 0)) return
    for (const { worker } of threads) worker.unref()
    idle = setTimeout(() => void end(), idleTimeout)
    idle.unref()
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    await Promise.all([...threads].map(dismiss))
  }

  return {
    run: (task, carries = []) =>
      new Promise((answer, refuse) => {
        if (queue.length >= maxWaiting) return refuse(new WorkerLost('busy', 'Too much is waiting already'))
        queue.push({ task, carries, answer, refuse, deaths: 0 })
        feed()
      }),
    prepare() {
      if (threads.size === 0) start()
      rest()
    },
    async close() {
      const given = [...queue.splice(0), ...[...threads].flatMap(({ sent }) => sent.splice(0))]
      await end()
      for (const { refuse } of given) refuse(new WorkerLost('closed', 'The threads were told to end'))
    },
  }
}
