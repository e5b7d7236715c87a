/**
 * A line before a narrow door: a few are inside at a time, some wait in the order in which they came, nobody else may.
 *
 * Whoever waits may leave at any time, and takes no turn then. Knows nothing of what is done inside.
 */

/** Why somebody was not let in: the line is too long, they left it, or the door was closed. */
export class NotLetIn extends Error {
  constructor(readonly reason: 'full' | 'left' | 'closed') {
    super(`Not let in: ${reason}`)
  }
}

export interface Line {
  /** Does the work when its turn comes; rejects with `NotLetIn`, or with what the work throws. */
  enter<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** How many are inside, and how many wait. */
  count(): { readonly inside: number; readonly waiting: number }
  /** Sends away who waits, lets nobody in any more, and resolves when those inside have come out. */
  close(): Promise<void>
}

export interface LineLimits {
  /** How many may be inside. */
  readonly atOnce?: number
  /** How many may wait; the next one is sent away. */
  readonly mostWaiting?: number
}

export function createLine({ atOnce, mostWaiting }: Required<LineLimits>): Line {
  /** In the order of their turns: a Set keeps it, and whoever leaves is found at once. */
  const waiting = new Set<{ admit(): void; refuse(reason: NotLetIn['reason']): void }>()
  let inside = 0
  let isClosed = false
  let emptied = () => {}

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (isClosed) throw new NotLetIn('closed')
    if (signal.aborted) throw new NotLetIn('left')
    if (inside < atOnce) {
      inside += 1
      return
    }
    if (waiting.size >= mostWaiting) throw new NotLetIn('full')
    await new Promise<void>((resolve, reject) => {
      const leave = () => one.refuse('left')
      const end = () => {
        waiting.delete(one)
        signal.removeEventListener('abort', leave)
      }
      const one = {
        admit: () => (end(), resolve()),
        refuse: (reason: NotLetIn['reason']) => (end(), reject(new NotLetIn(reason))),
      }
      waiting.add(one)
      signal.addEventListener('abort', leave)
    })
  }

  /** The turn passes on, so that nobody slips in between. */
  function comeOut(): void {
    const [next] = waiting
    if (next !== undefined) return next.admit()
    inside -= 1
    if (inside === 0) emptied()
  }

  return {
    async enter(work, signal) {
      await takeTurn(signal)
      try {
        return await work()
      } finally {
        comeOut()
      }
    },
    count: () => ({ inside, waiting: waiting.size }),
    async close() {
      isClosed = true
      for (const one of waiting) one.refuse('closed')
      if (inside > 0) await new Promise<void>((resolve) => (emptied = resolve))
    },
  }
}
