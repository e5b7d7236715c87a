/** Work that may outlive the request that asked for it: ended, and waited for, when the process stops. */

export interface Background {
  /** Begins the work and answers what it does; the signal aborts when the process stops. */
  begin<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  /** Ends all work and waits for it. */
  close(): Promise<void>
}

export function createBackground(): Background {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    begin(work) {
      const result = work(stopping.signal)
      // Whoever asked may have gone: then nobody else would look at what failed.
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
