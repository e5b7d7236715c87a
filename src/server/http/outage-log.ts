/**
 * Log of database outages: one line when the database is lost, and one with the number of refused requests when it
 * answers again; one line a minute, with their number, while the disk is full. A line for each refused request would
 * fill the disk of a busy server.
 */
import type { FastifyBaseLogger } from 'fastify'

export interface OutageLog {
  /** Reports that the database did not answer; `request` is true when a request was refused for it. */
  report(log: FastifyBaseLogger, error: Error, request?: boolean): void
  /** Reports a write that was refused because the disk is full. */
  reportFullDisk(log: FastifyBaseLogger, reason: string): void
}

/** Milliseconds between two lines about a full disk. */
const fullDiskInterval = 60_000

/** Milliseconds between two checks of a lost database. */
const defaultInterval = 1_000

/** `isAvailable` checks the database. */
export function createOutageLog(
  isAvailable: () => Promise<boolean>,
  { interval = defaultInterval, diskInterval = fullDiskInterval } = {},
): OutageLog {
  let current: { refused: number } | undefined
  let fullDisk: { refused: number } | undefined

  function repeat(log: FastifyBaseLogger, reason: string, full: { refused: number }): void {
    const timer = setTimeout(() => {
      if (full.refused === 0) return void (fullDisk = undefined)
      log.error({ reason, refusedRequests: full.refused }, 'disk full')
      full.refused = 0
      repeat(log, reason, full)
    }, diskInterval)
    timer.unref()
  }

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
    reportFullDisk(log, reason) {
      if (fullDisk !== undefined) return void (fullDisk.refused += 1)
      log.error({ reason }, 'disk full')
      repeat(log, reason, (fullDisk = { refused: 0 }))
    },
  }
}
