/** Yields to the event loop during long work in the main thread, so that other requests are handled in between. */

/** Milliseconds between yields: with several long works, other requests wait for a slice of each. */
const maxSlice = 2

/** Returns a function to call between two steps of the work: it returns a promise to await, or undefined to continue. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < maxSlice) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        begun = performance.now()
        resolve()
      }),
    )
  }
}
