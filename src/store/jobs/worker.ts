/**
 * Job worker: claims jobs from the outbox and runs their handlers, a few concurrently.
 *
 * Wakes immediately for jobs of this process (and of any on PostgreSQL), and at the next due time; polling is only
 * for jobs that another process wrote into SQLite. A failed job is retried with exponential backoff, then given up; a
 * job that ends because the worker stops has not failed, however often that happens.
 *
 * A job whose process is killed has not failed either, but may be what kills it: with each kill its lease doubles, so
 * that it is tried again later and later, and after many kills it is given up.
 */
import type { Database } from '../db/database.js'
import { noLocks } from '../db/lock-scope.js'
import type { Milliseconds } from '../db/columns.js'
import { claimJob, completeJob, extendLease, failJob, findNextDue, releaseJob } from './outbox.js'
import type { ClaimedJob } from './outbox.js'
import type { JobPayloads, JobType } from './payloads.js'

export interface JobContext {
  readonly job: ClaimedJob
  /** Aborted when the worker stops or the lease was lost: long work should end early; it is run again. */
  readonly signal: AbortSignal
}

/** Runs one job. It may be called again for the same job, so it must be idempotent. */
export type JobHandler<Type extends JobType> = (
  payload: JobPayloads[Type],
  context: JobContext,
) => Promise<void>

export type JobHandlers = { readonly [Type in JobType]?: JobHandler<Type> }

export type GiveUpHandlers = { readonly [Type in JobType]?: (payload: JobPayloads[Type]) => Promise<void> }

export interface WorkerOptions {
  readonly database: Database
  /** By type; jobs of other types are left to other workers. */
  readonly handlers: JobHandlers
  /** By type: called before a job is given up. May be called again for the same job. */
  readonly onGiveUp?: GiveUpHandlers
  readonly now: () => Milliseconds
  /** Returns 0 up to 1: jitter for the retries of jobs that failed together. */
  readonly random: () => number
  /** Called with every failure; `job` is absent when the database could not be queried. */
  readonly report: (error: unknown, job?: ClaimedJob, isGivenUp?: boolean) => void
  readonly signal: AbortSignal
  readonly pollMs?: Milliseconds
  readonly concurrency?: number
  readonly leaseMs?: Milliseconds
  readonly maxAttempts?: number
  readonly maxKills?: number
}

/** Longest pause between two queries of a database that does not respond. */
const maxPause = 15_000
/** The jobs of a killed process wait this long; a running one extends its lease three times as often. */
const defaultLease = 20_000
/** Ten hours of kills, most of them 20 to 40 minutes apart: an innocent job is completed in between. */
const defaultMaxKills = 20
const maxLeaseDoublings = 7
const firstRetryDelay = 1_000
const maxRetryDelay = 60 * 60 * 1_000

/** Runs jobs until the signal aborts; resolves when the last handler has returned. */
export async function startWorker(options: WorkerOptions): Promise<void> {
  const { database, signal, now, pollMs = 1_000, concurrency = 2 } = options
  const types = Object.keys(options.handlers) as JobType[]
  // Counted, so that an announcement between a query and the sleep after it is not missed.
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

  /** A query that is running: the loops wake at the same time, and need one answer. */
  let polling: Promise<Milliseconds | undefined> | undefined
  const pollNextDue = () =>
    (polling ??= findNextDue(database.read, types, now()).finally(() => (polling = undefined)))

  async function runLoop(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const before = announced
      let pause = pollMs
      try {
        // Reads first, because claiming costs a write even when there is no job.
        const due = await pollNextDue()
        if (due !== undefined && due <= now() && (await runNextJob(options))) continue
        if (due !== undefined) pause = Math.min(pollMs, Math.max(due - now(), 1))
        failures = 0
      } catch (error) {
        options.report(error)
        // The database is unavailable: when it is back, its listener wakes the loops before their pause ends.
        pause = Math.min(pollMs * 2 ** failures, Math.max(pollMs, maxPause))
        failures += 1
      }
      if (announced === before && !signal.aborted) await sleep(pause)
    }
  }

  const stopListening = database.onAnnounced('jobs', wake)
  signal.addEventListener('abort', wake)
  try {
    await Promise.all(Array.from({ length: concurrency }, runLoop))
  } finally {
    stopListening()
    signal.removeEventListener('abort', wake)
  }
}

/** Claims one due job and runs it; returns false when there was none. */
export async function runNextJob(options: WorkerOptions): Promise<boolean> {
  const { database, handlers, now, random, report, leaseMs = defaultLease, maxAttempts = 10 } = options
  const { maxKills = defaultMaxKills } = options
  const types = Object.keys(handlers) as JobType[]
  const jitter = random()
  const claimed = await database.writeWithLocks(noLocks, async (tx) => {
    const job = await claimJob(tx, { types, now: now(), lease: leaseMs })
    const lease = Math.round(leaseMs * leaseFactor(job?.kills ?? 0, jitter))
    if (job !== undefined && lease > leaseMs) await extendLease(tx, job, now() + lease)
    return job && { job, lease }
  })
  if (claimed === undefined) return false
  const { job, lease } = claimed
  const isDeadly = job.kills >= maxKills
  try {
    // Claimed while another loop was aborted: a worker that stops begins nothing, and releases it.
    options.signal.throwIfAborted()
    if (isDeadly) throw new Error(`The process ended ${job.kills} times before the job did`)
    await runJob(options, job, lease)
    await database.writeWithLocks(noLocks, (tx) => completeJob(tx, job))
  } catch (error) {
    if (options.signal.aborted) {
      if (error !== options.signal.reason) report(error, job)
      await database.writeWithLocks(noLocks, (tx) => releaseJob(tx, job, now()))
      return true
    }
    const isGivenUp = isDeadly || job.attempt >= maxAttempts
    const retryAt = isGivenUp ? null : now() + retryDelay(job.attempt, random())
    report(error, job, isGivenUp)
    if (isGivenUp) await giveUp(options, job)
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await database.writeWithLocks(noLocks, (tx) =>
      failJob(tx, job, { error: message.slice(0, 4_000), retryAt }),
    )
  }
  return true
}

/** Runs the handler and extends the lease meanwhile. */
async function runJob<Type extends JobType>(
  { database, handlers, now, signal, report }: WorkerOptions,
  job: ClaimedJob<Type>,
  leaseMs: Milliseconds,
): Promise<void> {
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    database
      .writeWithLocks(noLocks, (tx) => extendLease(tx, job, now() + leaseMs))
      .then(
        (isExtended) => isExtended || lost.abort(new Error('The lease of the job has ended')),
        (error: unknown) => report(error, job),
      )
  }, leaseMs / 3)
  try {
    await handlers[job.type]!(job.payload, { job, signal: AbortSignal.any([signal, lost.signal]) })
  } finally {
    clearInterval(heartbeat)
  }
}

/** Doubles with each kill; half of it is random, so that jobs killed together are not tried together again. */
function leaseFactor(kills: number, jitter: number): number {
  return kills === 0 ? 1 : Math.max(1, 2 ** Math.min(kills, maxLeaseDoublings) * (0.5 + jitter / 2))
}

/** Exponential backoff: doubles from a second to an hour; half of it is random. */
function retryDelay(attempt: number, jitter: number): Milliseconds {
  return Math.round(Math.min(firstRetryDelay * 2 ** (attempt - 1), maxRetryDelay) * (0.5 + jitter / 2))
}

async function giveUp<Type extends JobType>(
  { onGiveUp = {} }: WorkerOptions,
  job: ClaimedJob<Type>,
): Promise<void> {
  await onGiveUp[job.type]?.(job.payload)
}
