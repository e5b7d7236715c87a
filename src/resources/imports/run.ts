/**
 * Import runs (long-running operations): the progress of an import from a URL is stored in a row, which everyone who
 * may import can poll and cancel. Fetched content is retained until the run completes, so that repeating the import
 * resumes after a killed process or a lost connection.
 */
import type { ImportRunId, RevisionId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { ImportResult } from '../../contract/imports.js'
import type { Tx } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { ImportContext } from './fetch-source.js'
import { openJournal } from './journal.js'
import { interrupted } from './present.js'
import { findSpace } from '../spaces/store.js'
import {
  type ImportRunInput,
  type ImportRunRow,
  countActiveRuns,
  deleteFetches,
  findInterruptedRun,
  insertFetches,
  insertRun,
  listFetches,
  heartbeatTimeout,
  resumeWindow,
  moveFetches,
  updateActiveRun,
} from './store.js'
import { watchImport } from './watch-job.js'

/** Concurrent imports of one organization: each may use a hundred megabytes. */
const maxConcurrentRuns = 4
/** Milliseconds between two heartbeats. */
const heartbeatInterval = 1_000

export interface RunningImport extends ImportContext {
  /** Marks the run as completed, in the transaction that commits its revision; throws when it was cancelled before. */
  complete(tx: Tx, result: ImportResult, now: number): Promise<void>
}

type RunServices = Pick<Services, 'database' | 'files' | 'background'>

/** Inserts the row of a new run; throws an ApiError when too many runs are active. */
export async function startRun(
  { database }: RunServices,
  order: ImportRunInput,
  now: number,
): Promise<ImportRunRow> {
  const { organizationId, spaceId } = order
  return database.writeWithLocks({ organizations: [organizationId], space: spaceId }, async (tx) => {
    // The space may have moved to another organization since it was loaded.
    if ((await findSpace(tx, organizationId, spaceId)) === undefined)
      throw new ApiError('not_found', { thing: 'space' })
    if ((await countActiveRuns(tx, order.organizationId, now)) >= maxConcurrentRuns)
      throw new ApiError('imports_busy', { count: maxConcurrentRuns })
    const row = await insertRun(tx, newId<ImportRunId>(), order, now)
    if (order.credential !== null) await watchImport(tx, row, { now, runAt: now + heartbeatTimeout })
    const broken = await findInterruptedRun(tx, row, { now, since: now - resumeWindow })
    if (broken !== undefined) {
      await moveFetches(tx, broken, row.id)
      await failRun(tx, broken, superseded, now)
    }
    return row
  })
}

/** Executes a started run; its outcome is in its row when the promise settles. */
export function executeRun(
  services: RunServices,
  row: ImportRunRow,
  now: () => number,
  work: (run: RunningImport) => Promise<ImportResult>,
): Promise<ImportResult> {
  const { database } = services
  return services.background.start(async (stopping) => {
    const cancelled = new AbortController()
    const signal = AbortSignal.any([stopping, cancelled.signal])
    const journal = await openJournal(services, row.organization_id, now, {
      list: () => listFetches(database.read, row),
      write: (fetches) =>
        database.writeWithLocks(noLocks, async (tx) => {
          // Locks the run until the rows are written: no fetches are stored for a run that no longer exists.
          if ((await updateActiveRun(tx, row, { beat_at: now() })) === undefined)
            throw new ApiError('import_cancelled')
          await insertFetches(tx, row, fetches, now())
        }),
    })
    const progress = { stage: row.stage, done: 0, found: 0 }
    const writeProgress = (): Promise<unknown> =>
      database
        .writeWithLocks(noLocks, (tx) => updateActiveRun(tx, row, { ...progress, beat_at: now() }))
        .then((left) => left ?? cancelled.abort(new ApiError('import_cancelled')))
    const heartbeat = setInterval(() => void writeProgress().catch(() => {}), heartbeatInterval)
    try {
      const result = await work({
        organizationId: row.organization_id,
        signal,
        journal,
        reportProgress: (stage, done, found) => void Object.assign(progress, { stage, done, found }),
        async complete(tx, result, at) {
          const { revision } = result
          const ended = { status: 'completed', revision_id: revision as RevisionId, ended_at: at } as const
          const change = { ...progress, ...ended, result: JSON.stringify(result) }
          if ((await updateActiveRun(tx, row, change)) === undefined) throw new ApiError('import_cancelled')
        },
      })
      await journal.close()
      await database.writeWithLocks(noLocks, (tx) => deleteFetches(tx, row))
      return result
    } catch (error) {
      await journal.close()
      const reason: unknown = signal.aborted ? signal.reason : error
      await database.writeWithLocks(noLocks, async (tx) => {
        if (!stopping.aborted || row.credential_id === null)
          return failRun(tx, row, runErrorOf(reason, stopping.aborted), now())
        // Resets the heartbeat, so that the next worker resumes without waiting for the heartbeat to expire.
        const left = await updateActiveRun(tx, row, { beat_at: 0 })
        if (left === undefined) return
        // A graceful shutdown does not count as an attempt: any number of restarts leaves the count unchanged.
        await updateActiveRun(tx, left, { attempts: left.attempts - 1 })
        await watchImport(tx, left, { now: now(), runAt: 0 })
      })
      if (reason instanceof ApiError && reason.errorName === 'import_cancelled')
        await database.writeWithLocks(noLocks, (tx) => deleteFetches(tx, row))
      throw stopping.aborted ? new ApiError('import_interrupted') : reason
    } finally {
      clearInterval(heartbeat)
    }
  })
}

/** Marks an active run as failed. */
export async function failRun(tx: Tx, row: ImportRunRow, error: RunError, now: number): Promise<void> {
  await updateActiveRun(tx, row, { status: 'failed', ended_at: now, error: JSON.stringify(error) })
}

export interface RunError {
  readonly status: number
  readonly message: string
}

/** The error of a run that was superseded by a later equal one. */
export const superseded: RunError = {
  status: 409,
  message: 'The same import was asked for again, and goes on as that one.',
}

function runErrorOf(error: unknown, isStopping: boolean): RunError {
  if (isStopping) return { status: 503, message: interrupted }
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  return { status: 500, message: 'The server failed; the failure is in its log.' }
}
