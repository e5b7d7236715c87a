/**
 * Log of database outages: one line when the database is lost, and one with the number of refused requests when it
 * answers again. A line for each refused request would fill the disk of a busy server.
 */
import type { FastifyBaseLogger } from 'fastify'

export interface OutageLog {
  /** Reports that the database did not answer; `request` is true when a request was refused for it. */
  report(log: FastifyBaseLogger, error: Error, request?: boolean): void
}

/** Milliseconds between two checks of a lost database. */
const defaultInterval = 1_000

/** `isAvailable` checks the database. */
export function createOutageLog(isAvailable: () => Promise<boolean>, interval = defaultInterval): OutageLog {
  let current: { refused: number } | undefined

  function watch(log: FastifyBaseLogger, outage: { refused: number }): void {
    const timer = setTimeout(async () => {
      if (!(await isAvailable())) return watch(log, outage)
      current = undefined
      log.warn({ refusedRequests: outage.refused }, 'database available again')
    }, interval)
    // The process need not wait for the database in order to end.
    timer.unref()
  }

  return {
    report(log, { message }, request = false) {
      if (current === undefined) {
        log.warn({ reason: message }, 'database unavailable')
        watch(log, (current = { refused: 0 }))
      }
      if (request) current.refused += 1
    },
  }
}
