/**
 * Pool of worker threads for one program: they start with the first task and end after an idle timeout.
 *
 * When a worker dies, only its current task is affected, which is retried once in another worker, because not every
 * worker dies of its task; then it is rejected with `WorkerLost`. A task past its deadline is terminated with its worker
 * and rejected immediately. So no untrusted text can end or block the process. Does not know the tasks: callers provide a
 * fallback for a lost one.
 */
import { type TransferListItem, Worker } from 'node:worker_threads'

/**
 * Why a task has no result: its worker `ended` at each attempt, it missed its deadline (`late`), too many tasks were
 * waiting (`busy`), or the pool was `closed`.
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
 * What a worker posts when it has loaded, before its first result, or has loaded more for its current task: it restarts
 * the task's deadline. Results are objects.
 */
export const readyMessage = 'ready'

export interface WorkerPoolOptions {
  /** Milliseconds without a task until the workers end. */
  readonly idleTimeout?: number
  /** Tasks that are sent to a worker ahead of the result of the first. */
  readonly prefetch?: number
  /** Milliseconds for one task. */
  readonly deadline?: number
  /** Megabytes of a worker's old generation; the engine's limit by default. */
  readonly memory?: number
  /** Tasks that may wait for a worker; further ones are rejected. */
  readonly maxWaiting?: number
  /** `workerData` of each worker. */
  readonly data?: unknown
}

export interface WorkerPool<Task, Answer> {
  /**
   * Returns what the worker posts for the task; rejects only with `WorkerLost`. A task with a transfer list is not retried
   * when its worker dies.
   */
  run(task: Task, transferList?: readonly TransferListItem[]): Promise<Answer>
  /** Starts a worker, if there is none, which takes a third of a second. */
  prepare(): void
  /** Ends all workers; their tasks are lost. The next task starts one again. */
  close(): Promise<void>
}

interface PendingTask<Task, Answer> {
  readonly task: Task
  readonly transferList: readonly TransferListItem[]
  readonly answer: (answer: Answer) => void
  readonly reject: (error: WorkerLost) => void
  /** Number of workers that died at it. */
  failures: number
}

interface PoolWorker<Task, Answer> {
  readonly worker: Worker
  /** In the order in which they were sent and will be completed. */
  readonly sent: PendingTask<Task, Answer>[]
  isReady: boolean
  timer?: NodeJS.Timeout
  exitError?: Error
}

/** Tasks sent ahead to a worker: it continues while the main thread is in a transaction for tens of milliseconds. */
const defaultPrefetch = 64
/** Milliseconds without a task until the workers end and release their memory. */
const defaultIdleTimeout = 3_000
/** Workers that may die at one task. */
const maxDeaths = 2
/** Terminating workers: one in native code ends only when that returns. Beyond this limit, tasks wait. */
const maxTerminating = 2

/** Returns a pool of `count` workers that run the program at `entry`, which replies to each message with one, in order. */
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
  /** Workers that accept tasks: a terminating one is removed immediately, before it has ended. */
  const workers = new Set<PoolWorker<Task, Answer>>()
  const terminating = new Set<PoolWorker<Task, Answer>>()
  let idle: NodeJS.Timeout | undefined

  function start(): PoolWorker<Task, Answer> {
    const resourceLimits = {
      maxYoungGenerationSizeMb: 12,
      ...(memory !== undefined && { maxOldGenerationSizeMb: memory }),
    }
    const worker = new Worker(entry, { resourceLimits, workerData: data })
    const member: PoolWorker<Task, Answer> = { worker, sent: [], isReady: false }
    workers.add(member)
    worker.unref()
    worker.on('message', (message: Answer | typeof readyMessage) => {
      if (message === readyMessage) member.isReady = true
      // The tasks of a terminating worker have been rejected.
      else if (workers.has(member)) member.sent.shift()!.answer(message)
      startDeadline(member)
      dispatch()
    })
    worker.on('error', (error) => (member.exitError = error))
    worker.on('exit', () => {
      clearTimeout(member.timer)
      workers.delete(member)
      terminating.delete(member)
      const [lost, ...others] = member.sent.splice(0)
      queue.unshift(...others)
      if (lost !== undefined) retry(lost, member)
      dispatch()
    })
    return member
  }

  /** Starts the deadline of a worker's current task; called whenever that may have changed. */
  function startDeadline(member: PoolWorker<Task, Answer>): void {
    clearTimeout(member.timer)
    const [first] = member.sent
    if (deadline === undefined || first === undefined || !member.isReady) return
    member.timer = setTimeout(() => {
      // If the main thread was late, results are pending: they are received before the deadline is enforced.
      setImmediate(() => {
        if (member.sent[0] === first && workers.has(member)) timeOut(member)
      })
    }, deadline)
  }

  function timeOut(member: PoolWorker<Task, Answer>): void {
    const [late, ...others] = member.sent.splice(0)
    queue.unshift(...others)
    void terminate(member)
    late!.reject(new WorkerLost('late', `It takes longer than ${deadline} milliseconds`))
    dispatch()
  }

  /** Terminates a worker, which gets no further tasks. */
  function terminate(member: PoolWorker<Task, Answer>): Promise<number> {
    workers.delete(member)
    terminating.add(member)
    return member.worker.terminate()
  }

  function retry(lost: PendingTask<Task, Answer>, { exitError }: PoolWorker<Task, Answer>): void {
    lost.failures += 1
    if (lost.failures < maxDeaths && lost.transferList.length === 0) queue.unshift(lost)
    else
      lost.reject(
        new WorkerLost('ended', `The thread that did it ended: ${exitError?.message ?? 'it gave no reason'}`),
      )
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const member = nextWorker()
      if (member === undefined) break
      const next = queue.shift()!
      member.sent.push(next)
      member.worker.ref()
      member.worker.postMessage(next.task, next.transferList)
      if (member.sent.length === 1) startDeadline(member)
    }
    scheduleIdleEnd()
  }

  /** Returns the worker with the fewest tasks, or a new one if all have some; undefined when all are full. */
  function nextWorker(): PoolWorker<Task, Answer> | undefined {
    const least = [...workers].toSorted((a, b) => a.sent.length - b.sent.length)[0]
    const canStart = workers.size < count && workers.size + terminating.size < count + maxTerminating
    if ((least === undefined || least.sent.length > 0) && canStart) return start()
    return least !== undefined && least.sent.length < prefetch ? least : undefined
  }

  /** Idle workers do not keep the process alive, and end after the idle timeout. */
  function scheduleIdleEnd(): void {
    clearTimeout(idle)
    if ([...workers].some(({ sent }) => sent.length > 0)) return
    for (const { worker } of workers) worker.unref()
    idle = setTimeout(() => void end(), idleTimeout)
    idle.unref()
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    await Promise.all([...workers].map(terminate))
  }

  return {
    run: (task, transferList = []) =>
      new Promise((answer, reject) => {
        if (queue.length >= maxWaiting) return reject(new WorkerLost('busy', 'Too much is waiting already'))
        queue.push({ task, transferList, answer, reject, failures: 0 })
        dispatch()
      }),
    prepare() {
      if (workers.size === 0) start()
      scheduleIdleEnd()
    },
    async close() {
      const pending = [...queue.splice(0), ...[...workers].flatMap(({ sent }) => sent.splice(0))]
      await end()
      for (const { reject } of pending) reject(new WorkerLost('closed', 'The threads were told to end'))
    },
  }
}
