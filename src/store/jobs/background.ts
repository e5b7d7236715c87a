/** Background tasks that may outlive their request: aborted, and awaited, when the process stops. */

export interface BackgroundTasks {
  /** Starts a task and returns its result; the signal aborts when the process stops. */
  start<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  /** Aborts all tasks and waits for them. */
  close(): Promise<void>
}

export function createBackgroundTasks(): BackgroundTasks {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    start(work) {
      const result = work(stopping.signal)
      // The caller may be gone: then no other code would handle a rejection.
      const settled: Promise<unknown> = result.then(
        () => running.delete(settled),
        () => running.delete(settled),
      )
      running.add(settled)
      return result
    },
    async close() {
      stopping.abort(new Error('The process stops'))
      await Promise.all(running)
    },
  }
}
