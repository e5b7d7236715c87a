/**
 * A line before a narrow door: a few are inside at a time, some wait in the order in which they came, nobody else may.
 *
 * Whoever waits may leave at any time, and takes no turn then. Knows nothing of what is done inside.
 */

/** Why somebody was not let in: the line is too long, they left it, or the door was closed. */
export class QueueRejection extends Error {
  constructor(readonly reason: 'full' | 'left' | 'closed') {
    super(`Not let in: ${reason}`)
  }
}

export interface BoundedQueue {
  /** Does the work when its turn comes; rejects with `NotLetIn`, or with what the work throws. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** How many are inside, and how many wait. */
  count(): { readonly running: number; readonly waiting: number }
  /** Sends away who waits, lets nobody in any more, and resolves when those inside have come out. */
  close(): Promise<void>
}

export interface QueueLimits {
  /** How many may be inside. */
  readonly concurrency?: number
  /** How many may wait; the next one is sent away. */
  readonly maxWaiting?: number
}

export function createBoundedQueue({ concurrency, maxWaiting }: Required<QueueLimits>): BoundedQueue {
  /** In the order of their turns: a Set keeps it, and whoever leaves is found at once. */
  const waiting = new Set<{ admit(): void; refuse(reason: QueueRejection['reason']): void }>()
  let running = 0
  let isClosed = false
  let emptied = () => {}

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (isClosed) throw new QueueRejection('closed')
    if (signal.aborted) throw new QueueRejection('left')
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.size >= maxWaiting) throw new QueueRejection('full')
    await new Promise<void>((resolve, reject) => {
      const leave = () => one.refuse('left')
      const end = () => {
        waiting.delete(one)
        signal.removeEventListener('abort', leave)
      }
      const one = {
        admit: () => (end(), resolve()),
        refuse: (reason: QueueRejection['reason']) => (end(), reject(new QueueRejection(reason))),
      }
      waiting.add(one)
      signal.addEventListener('abort', leave)
    })
  }

  /** The turn passes on, so that nobody slips in between. */
  function comeOut(): void {
    const [next] = waiting
    if (next !== undefined) return next.admit()
    running -= 1
    if (running === 0) emptied()
  }

  return {
    async run(work, signal) {
      await takeTurn(signal)
      try {
        return await work()
      } finally {
        comeOut()
      }
    },
    count: () => ({ running, waiting: waiting.size }),
    async close() {
      isClosed = true
      for (const one of waiting) one.refuse('closed')
      if (running > 0) await new Promise<void>((resolve) => (emptied = resolve))
    },
  }
}
