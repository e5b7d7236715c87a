/**
 * An import from an address, from its beginning to its end: how far it is stands in a row, which everybody may look at
 * who may import there, and by which it is cancelled. What it fetches is kept until its end, so that the same import,
 * asked for again, goes on where a process was killed or a site went away.
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

/** Imports of one organization at a time: each may hold a hundred megabytes. */
const maxConcurrentRuns = 4
/** Milliseconds between two words of how far it is. */
const heartbeatInterval = 1_000

export interface RunningImport extends ImportContext {
  /** Marks it as done, in the transaction that makes its revision seen; throws when it was cancelled before. */
  complete(tx: Tx, result: ImportResult, now: number): Promise<void>
}

type RunServices = Pick<Services, 'database' | 'files' | 'background'>

/** Writes the beginning of an import; throws an ApiError where too many are under way. */
export async function startRun(
  { database }: RunServices,
  order: ImportRunInput,
  now: number,
): Promise<ImportRunRow> {
  const { organizationId, spaceId } = order
  return database.writeWithLocks({ organizations: [organizationId], space: spaceId }, async (tx) => {
    // It may have gone to another organization since it was loaded.
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

/** Does the work of an import that was begun; how it ended stands in its row when the answer is there. */
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
          // Held until they are written: nothing belongs to an import that is no longer there.
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
        // Whoever works next goes on with it, without waiting for what nobody will say any more.
        const left = await updateActiveRun(tx, row, { beat_at: 0 })
        if (left === undefined) return
        // It was asked to end, which is no attempt: any number of restarts leaves as many as there were.
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

/** Ends an import that is under way. */
export async function failRun(tx: Tx, row: ImportRunRow, error: RunError, now: number): Promise<void> {
  await updateActiveRun(tx, row, { status: 'failed', ended_at: now, error: JSON.stringify(error) })
}

export interface RunError {
  readonly status: number
  readonly message: string
}

/** Of an import whose work another one took over. */
export const superseded: RunError = {
  status: 409,
  message: 'The same import was asked for again, and goes on as that one.',
}

function runErrorOf(error: unknown, isStopping: boolean): RunError {
  if (isStopping) return { status: 503, message: interrupted }
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  return { status: 500, message: 'The server failed; the failure is in its log.' }
}
