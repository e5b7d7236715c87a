/**
 * Takes jobs out of the outbox and hands them to their handlers, a few at a time.
 *
 * Wakes at once for jobs of this process (and of any on PostgreSQL), and at the next due time; polling is only
 * for jobs that another process wrote into SQLite. A failed job comes again later and later, then is given up; one
 * that ends because the worker stops has not failed, however often that happens.
 */
import type { Json } from '../../core/merkle/types.js'
import type { Database } from '../db/database.js'
import { nothing } from '../db/hold.js'
import type { Milliseconds } from '../db/columns.js'
import { claimJob, completeJob, extendLease, failJob, findNextDue, giveJobBack } from './outbox.js'
import type { ClaimedJob } from './outbox.js'

export interface JobContext {
  readonly job: ClaimedJob
  /** Aborted when the worker stops or the job was lost: long work should end early; it comes again. */
  readonly signal: AbortSignal
}

/** Does one job. It may be called again for the same job, so it must come to the same end. */
export type JobHandler = (payload: Json, context: JobContext) => Promise<void>

export interface WorkerOptions {
  readonly database: Database
  /** By type; jobs of other types are left to others. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** By type: notes that a job will not come again, before it is given up. May be called again for the same job. */
  readonly givenUp?: Readonly<Record<string, (payload: Json) => Promise<void>>>
  readonly now: () => Milliseconds
  /** Answers 0 up to 1: spreads the retries of jobs that failed together. */
  readonly random: () => number
  /** Told of every failure; `job` is absent when the database could not be asked. */
  readonly report: (error: unknown, job?: ClaimedJob, isGivenUp?: boolean) => void
  readonly signal: AbortSignal
  readonly pollMs?: Milliseconds
  readonly lanes?: number
  readonly leaseMs?: Milliseconds
  readonly maxAttempts?: number
}

/** Longest pause between two looks at a database that does not answer. */
const longestPause = 15_000
/** The work of a process that was killed waits this long; one that is alive prolongs it three times as often. */
const defaultLease = 20_000
const firstRetry = 1_000
const longestRetry = 60 * 60 * 1_000

/** Works until the signal aborts; the answer resolves when the last handler has returned. */
export async function startWorker(options: WorkerOptions): Promise<void> {
  const { database, signal, now, pollMs = 1_000, lanes = 2 } = options
  const types = Object.keys(options.handlers)
  // Counted, so that what is announced between a look and the sleep after it is not slept through.
  let announced = 0
  const sleepers = new Set<() => void>()
  const wake = () => {
    announced += 1
    for (const wakeUp of sleepers) wakeUp()
  }

  async function sleep(milliseconds: Milliseconds): Promise<void> {
    await new Promise<void>((resolve) => {
      const wakeUp = () => {
        clearTimeout(timer)
        sleepers.delete(wakeUp)
        resolve()
      }
      const timer = setTimeout(wakeUp, milliseconds)
      sleepers.add(wakeUp)
    })
  }

  async function runLane(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const before = announced
      let pause = pollMs
      try {
        if (await workOnce(options)) continue
        const due = await findNextDue(database.read, types, now())
        if (due !== undefined) pause = Math.min(pollMs, Math.max(due - now(), 1))
        failures = 0
      } catch (error) {
        options.report(error)
        // The database is away: when it is back, its listener wakes the lanes before their pause ends.
        pause = Math.min(pollMs * 2 ** failures, Math.max(pollMs, longestPause))
        failures += 1
      }
      if (announced === before && !signal.aborted) await sleep(pause)
    }
  }

  const stopListening = database.onAnnounced('jobs', wake)
  signal.addEventListener('abort', wake)
  try {
    await Promise.all(Array.from({ length: lanes }, runLane))
  } finally {
    stopListening()
    signal.removeEventListener('abort', wake)
  }
}

/** Takes one due job and does it; answers false when there was none. */
export async function workOnce(options: WorkerOptions): Promise<boolean> {
  const { database, handlers, now, random, report, leaseMs = defaultLease, maxAttempts = 10 } = options
  const types = Object.keys(handlers)
  // Reads first, because taking costs a write even where there is nothing.
  const due = await findNextDue(database.read, types, now())
  if (due === undefined || due > now()) return false
  const job = await database.writeHolding(nothing, (tx) =>
    claimJob(tx, { types, now: now(), lease: leaseMs }),
  )
  if (!job) return false
  try {
    if (job.attempt > maxAttempts) throw new Error('The process ended each time before the job did')
    await doJob(options, job, leaseMs)
    await database.writeHolding(nothing, (tx) => completeJob(tx, job))
  } catch (error) {
    if (options.signal.aborted) {
      if (error !== options.signal.reason) report(error, job)
      await database.writeHolding(nothing, (tx) => giveJobBack(tx, job, now()))
      return true
    }
    const isGivenUp = job.attempt >= maxAttempts
    const retryAt = isGivenUp ? null : now() + retryDelay(job.attempt, random())
    report(error, job, isGivenUp)
    if (isGivenUp) await options.givenUp?.[job.type]?.(job.payload)
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await database.writeHolding(nothing, (tx) =>
      failJob(tx, job, { error: message.slice(0, 4_000), retryAt }),
    )
  }
  return true
}

/** Runs the handler while the lease is kept alive. */
async function doJob(
  { database, handlers, now, signal, report }: WorkerOptions,
  job: ClaimedJob,
  leaseMs: Milliseconds,
): Promise<void> {
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    database
      .writeHolding(nothing, (tx) => extendLease(tx, job, now() + leaseMs))
      .then(
        (isOurs) => isOurs || lost.abort(new Error('The lease of the job has ended')),
        (error: unknown) => report(error, job),
      )
  }, leaseMs / 3)
  try {
    await handlers[job.type]!(job.payload, { job, signal: AbortSignal.any([signal, lost.signal]) })
  } finally {
    clearInterval(heartbeat)
  }
}

/** Doubles from a second to an hour; half of it is chance. */
function retryDelay(attempt: number, chance: number): Milliseconds {
  return Math.round(Math.min(firstRetry * 2 ** (attempt - 1), longestRetry) * (0.5 + chance / 2))
}
