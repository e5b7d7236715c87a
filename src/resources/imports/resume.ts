/**
 * An import whose process ended goes on by itself, in whichever process comes to it: as the very request that it was
 * begun by, let in again by the session or token that this came with, and judged anew. What was fetched is not fetched
 * again. Three processes may end before it does; then it is given up.
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
import type { JobHandler } from '../../store/jobs/worker.js'
import { routeOf } from './imports-at.js'
import { type RunError, failRun, superseded } from './run.js'
import {
  type ImportRunRow,
  deleteFetches,
  findLater,
  findRun,
  longestSilence,
  resumable,
  updateRunUnderWay,
} from './store.js'
import { type WatchedImport, watchImport, watchImportJob } from './watch.js'

const mostAttempts = 4

/** Returns the worker's part: it looks at each import until that is over. */
export function importHandlers(services: Services, now: () => number): Readonly<Record<string, JobHandler>> {
  return {
    async [watchImportJob](payload) {
      const taken = await services.database.writeWithLocks(noLocks, (tx) =>
        takeUp(tx, payload as unknown as WatchedImport, now()),
      )
      if (taken !== undefined) await goOn(services, taken, now())
    },
  }
}

/** Answers the import if somebody has to go on with it; else looks after it later, or no more. */
async function takeUp(
  tx: Tx,
  { organizationId, spaceId, id }: WatchedImport,
  now: number,
): Promise<ImportRunRow | undefined> {
  const holder = await findInDirectory(tx, spaceId)
  if (holder === undefined) return undefined
  const row = await findRun(tx, { organization_id: holder, id: spaceId }, id)
  if (row?.status === 'cancelled') await deleteFetches(tx, row)
  if (row?.status !== 'in-progress') return undefined
  const silentAt = row.beat_at + longestSilence
  if (silentAt > now) {
    await watchImport(tx, row, { now, runAt: silentAt })
    return undefined
  }
  const hindrance = await findHindrance(tx, row, { isAway: holder !== organizationId, now })
  if (hindrance !== undefined) {
    await failRun(tx, row, hindrance, now)
    return undefined
  }
  await watchImport(tx, row, { now, runAt: now + longestSilence })
  return updateRunUnderWay(tx, row, { beat_at: now, attempts: row.attempts + 1 })
}

async function findHindrance(
  tx: Tx,
  row: ImportRunRow,
  { isAway, now }: { readonly isAway: boolean; readonly now: number },
): Promise<RunError | undefined> {
  if (isAway) return { status: 409, message: 'The space went to another organization meanwhile.' }
  if ((await findLater(tx, row)) !== undefined) return superseded
  if (row.attempts >= mostAttempts)
    return { status: 500, message: 'The process that did it ended each time before the import did.' }
  if (row.began_at + resumable <= now)
    return { status: 503, message: 'No server was there to go on with it in time.' }
  return undefined
}

async function goOn(services: Services, row: ImportRunRow, now: number): Promise<void> {
  const { database } = services
  const fail = (error: RunError) => database.writeWithLocks(noLocks, (tx) => failRun(tx, row, error, now))
  const readContext = readContextAt(await database.currentVersion())
  const find = row.credential_type === 'session' ? findBySessionId : findByTokenId
  const actor = await find(services.caches, readContext, { id: row.credential_id!, now })
  if (actor === undefined)
    return fail({ status: 401, message: 'The session or token that it was asked for with has ended.' })
  try {
    await routeOf(row).run(
      {
        actor,
        query: {},
        body: {
          url: row.url,
          source: row.source as ImportSource,
          ...(row.split !== null && { split: row.split }),
        },
        // Nobody's request: it has no address.
        origin: { ip: null, userAgent: null },
        now,
        services,
        readContext,
        upload: { file: () => Promise.reject(new Error('Nothing is uploaded')) },
        waitPreference: { signal: new AbortController().signal, seconds: 0, isAsynchronous: true },
      },
      {
        spaceId: row.space_id,
        ...(row.change_request_id !== null && { changeRequestId: row.change_request_id }),
        ...(row.page_id !== null && { pageId: row.page_id }),
      },
    )
  } catch (error) {
    // What fails once it is under way stands in its row already; what is no answer comes again.
    if (!(error instanceof ApiError)) throw error
    await fail({ status: error.status, message: error.message })
  }
}
