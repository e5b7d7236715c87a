/** Long work in the thread that answers requests: it goes on in pieces, and others have their turn in between. */

/** Milliseconds of work at a time: what else is asked waits for several pieces, where several works go on. */
const longest = 2

/** Returns what is called between two steps of the work: it answers what to wait for, undefined to go on. */
export function takeTurns(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < longest) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        begun = performance.now()
        resolve()
      }),
    )
  }
}
