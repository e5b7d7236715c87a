/**
 * Bounded queue with limited concurrency: a few tasks run at a time, some wait in FIFO order, others are rejected.
 *
 * A waiting task can be aborted at any time. Does not know what the tasks do.
 */

/** Why a task was rejected: the queue is full, its signal aborted (`left`), or the queue was closed. */
export class QueueRejection extends Error {
  constructor(readonly reason: 'full' | 'left' | 'closed') {
    super(`Rejected by the queue: ${reason}`)
  }
}

export interface BoundedQueue {
  /** Runs the task when it is its turn; rejects with `QueueRejection`, or with the error of the task. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Numbers of running and waiting tasks. */
  count(): { readonly running: number; readonly waiting: number }
  /** Rejects waiting and later tasks, and resolves when the running ones have ended. */
  close(): Promise<void>
}

export interface QueueLimits {
  /** Tasks that may run concurrently. */
  readonly concurrency?: number
  /** Tasks that may wait; further ones are rejected. */
  readonly maxWaiting?: number
}

export function createBoundedQueue({ concurrency, maxWaiting }: Required<QueueLimits>): BoundedQueue {
  /** In FIFO order: a Set preserves it, and deletes in constant time. */
  const waiting = new Set<{ admit(): void; refuse(reason: QueueRejection['reason']): void }>()
  let running = 0
  let isClosed = false
  let onEmpty = () => {}

  async function acquireSlot(signal: AbortSignal): Promise<void> {
    if (isClosed) throw new QueueRejection('closed')
    if (signal.aborted) throw new QueueRejection('left')
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.size >= maxWaiting) throw new QueueRejection('full')
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => entry.refuse('left')
      const end = () => {
        waiting.delete(entry)
        signal.removeEventListener('abort', onAbort)
      }
      const entry = {
        admit: () => (end(), resolve()),
        refuse: (reason: QueueRejection['reason']) => (end(), reject(new QueueRejection(reason))),
      }
      waiting.add(entry)
      signal.addEventListener('abort', onAbort)
    })
  }

  /** Passes the slot to the next task, so that no other entry gets it in between. */
  function releaseSlot(): void {
    const [next] = waiting
    if (next !== undefined) return next.admit()
    running -= 1
    if (running === 0) onEmpty()
  }

  return {
    async run(work, signal) {
      await acquireSlot(signal)
      try {
        return await work()
      } finally {
        releaseSlot()
      }
    },
    count: () => ({ running, waiting: waiting.size }),
    async close() {
      isClosed = true
      for (const entry of waiting) entry.refuse('closed')
      if (running > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
    },
  }
}
