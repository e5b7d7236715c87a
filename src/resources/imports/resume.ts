/**
 * Resumable import: an import whose process ended is resumed by any worker. It replays the original request with the
 * session or token that started it, and is authorized again. Fetched URLs are not fetched again. An import during which
 * its process is killed may be what kills it: it is resumed later and later, and fails after many kills.
 */
import { findBySessionId } from '../../access/signin/sessions.js'
import { findByTokenId } from '../../access/signin/tokens.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { ImportSource } from '../../contract/imports.js'
import { readContextAt } from '../../store/cache/caches.js'
import type { Tx } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { routeForRun } from './import-from-url.js'
import { type RunError, failRun, superseded } from './run.js'
import {
  type ImportRunRow,
  deleteFetches,
  findLaterRun,
  findRun,
  heartbeatTimeout,
  resumeWindow,
  updateActiveRun,
} from './store.js'
import { type WatchImportPayload, watchImport, watchImportJob } from './watch-job.js'

const maxAttempts = 20
const maxTimeoutDoublings = 7

/** Returns the job handler that watches each import until it has ended. */
export function importHandlers(services: Services, now: () => number): JobHandlers {
  return {
    async [watchImportJob](payload) {
      const claimed = await services.database.writeWithLocks(noLocks, (tx) => claimRun(tx, payload, now()))
      if (claimed !== undefined) await resumeRun(services, claimed, now())
    },
  }
}

/** Claims and returns an import that no process is running; otherwise schedules the next check, or none. */
async function claimRun(
  tx: Tx,
  { organizationId, spaceId, id }: WatchImportPayload,
  now: number,
): Promise<ImportRunRow | undefined> {
  const holder = await findInDirectory(tx, spaceId)
  if (holder === undefined) return undefined
  const row = await findRun(tx, { organization_id: holder, id: spaceId }, id)
  if (row?.status === 'cancelled') await deleteFetches(tx, row)
  if (row?.status !== 'in-progress') return undefined
  const timeout = heartbeatTimeout * 2 ** Math.min(row.attempts - 1, maxTimeoutDoublings)
  const heartbeatExpiresAt = row.beat_at + timeout
  if (heartbeatExpiresAt > now) {
    await watchImport(tx, row, { now, runAt: heartbeatExpiresAt })
    return undefined
  }
  const problem = await findResumeProblem(tx, row, { hasMoved: holder !== organizationId, now })
  if (problem !== undefined) {
    await failRun(tx, row, problem, now)
    return undefined
  }
  await watchImport(tx, row, { now, runAt: now + heartbeatTimeout })
  return updateActiveRun(tx, row, { beat_at: now, attempts: row.attempts + 1 })
}

async function findResumeProblem(
  tx: Tx,
  row: ImportRunRow,
  { hasMoved, now }: { readonly hasMoved: boolean; readonly now: number },
): Promise<RunError | undefined> {
  if (hasMoved) return { status: 409, message: 'The space went to another organization meanwhile.' }
  if ((await findLaterRun(tx, row)) !== undefined) return superseded
  if (row.attempts >= maxAttempts)
    return { status: 500, message: 'The process that did it ended each time before the import did.' }
  if (row.began_at + resumeWindow <= now)
    return { status: 503, message: 'No server was there to go on with it in time.' }
  return undefined
}

async function resumeRun(services: Services, row: ImportRunRow, now: number): Promise<void> {
  const { database } = services
  const fail = (error: RunError) => database.writeWithLocks(noLocks, (tx) => failRun(tx, row, error, now))
  const readContext = readContextAt(await database.currentVersion())
  const find = row.credential_type === 'session' ? findBySessionId : findByTokenId
  const actor = await find(services.caches, readContext, { id: row.credential_id!, now })
  if (actor === undefined)
    return fail({ status: 401, message: 'The session or token that it was asked for with has ended.' })
  try {
    await routeForRun(row).run(
      {
        actor,
        query: {},
        body: {
          url: row.url,
          source: row.source as ImportSource,
          ...(row.split !== null && { split: row.split }),
          mode: row.mode,
        },
        // Not sent by a client: it has no IP address.
        origin: { ip: null, userAgent: null },
        now,
        services,
        readContext,
        upload: { file: () => Promise.reject(new Error('Nothing is uploaded')) },
        ifMatch: undefined,
        waitPreference: { signal: new AbortController().signal, seconds: 0, isAsynchronous: true },
      },
      {
        spaceId: row.space_id,
        ...(row.change_request_id !== null && { changeRequestId: row.change_request_id }),
        ...(row.page_id !== null && { pageId: row.page_id }),
      },
    )
  } catch (error) {
    // A failure of the running import is already in its row; an error that is not an ApiError is retried.
    if (!(error instanceof ApiError)) throw error
    await fail({ status: error.status, message: error.message })
  }
}
