/**
 * Specification processing: the job that fetches, bundles and versions OpenAPI specifications.
 *
 * Requests are counted. A job whose request is no longer the latest discards its result, because the later request
 * has its own job; so does a job whose specification was deleted. The job of a killed process is retried; when all
 * attempts are killed or the job is given up, the periodic check finds the specification by its due time and marks it
 * as failed.
 */
import { newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { maxSpecVersions } from '../../contract/openapi-specs.js'
import type { OpenApiSpecVersionId } from '../../core/ids.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import { insertBlobs } from '../../store/content/blobs.js'
import type { Tx } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { enqueue, isJobPending } from '../../store/jobs/outbox.js'
import type { EmptyPayload } from '../../store/jobs/payloads.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { type BundleFailure, type BundledSpec, bundleSpec } from './bundle.js'
import { enqueueIndexing } from './index-job.js'
import { requestProcessing, processSpecJob } from './spec-source.js'
import {
  type SpecKey,
  type SpecRow,
  deleteVersions,
  findSpecById,
  findVersion,
  insertVersion,
  loadDueSpecs,
  setOutline,
  updateSpec,
} from './store.js'

const minute = 60 * 1_000
/** Interval between two checks of a source URL, and its jitter, so that checks are spread over time. */
const checkInterval = 6 * 60 * minute
const jitter = 10 * minute
/** Interval between two polls for due specifications, and the maximum of one poll. */
const pollInterval = 5 * minute
const maxSpecsPerPoll = 100

/** Polls for due specifications of all organizations. */
const checkSpecsJob = 'check-openapi-specs'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [checkSpecsJob]: EmptyPayload
  }
}

type ProcessServices = Pick<Services, 'database' | 'files' | 'remote' | 'specifications'>

export interface ProcessingContext {
  readonly services: ProcessServices
  readonly now: () => number
  /** Returns a number from 0 up to 1. */
  readonly random: () => number
}

/** Schedules the periodic checks, which any process may run. */
export async function scheduleSpecChecks(
  { database }: Pick<Services, 'database'>,
  now: number,
): Promise<void> {
  await database.writeWithLocks(noLocks, (tx) => scheduleNextPoll(tx, now, now))
}

async function scheduleNextPoll(tx: Tx, now: number, runAt: number): Promise<void> {
  await enqueue(tx, {
    organizationId: null,
    type: checkSpecsJob,
    key: checkSpecsJob,
    payload: {},
    at: now,
    runAt,
  })
}

export function specHandlers(processing: ProcessingContext): JobHandlers {
  const { database } = processing.services
  return {
    async [processSpecJob](key, { signal }) {
      const spec = await updateWithLock(database, key, (tx, found) =>
        updateSpec(tx, found, { processing_state: 'progress' }),
      )
      if (spec === undefined) return
      const found = await bundleSpec(processing.services, spec, signal)
      if ('code' in found)
        await updateWithLock(database, key, (tx, current) =>
          recordFailure(tx, spec, current, found, processing),
        )
      else await storeVersion(processing, spec, found)
    },

    async [checkSpecsJob](_payload, { signal }) {
      const now = processing.now()
      await database.writeWithLocks(noLocks, (tx) => scheduleNextPoll(tx, now, now + pollInterval))
      const due = await loadDueSpecs(database.read, now, maxSpecsPerPoll)
      for (const spec of due) {
        signal.throwIfAborted()
        await updateWithLock(database, spec, (tx, current) => checkSpec(tx, current, processing))
      }
    },
  }
}

/** Runs `work` on the current row under the organization lock; returns undefined when it was deleted. */
function updateWithLock<Result>(
  database: Services['database'],
  key: SpecKey,
  work: (tx: Tx, spec: SpecRow) => Promise<Result>,
): Promise<Result | undefined> {
  return database.writeWithLocks({ organizations: [key.organization_id] }, async (tx) => {
    const spec = await findSpecById(tx, key)
    return spec && work(tx, spec)
  })
}

/**
 * Requests processing of a due specification; marks it as failed when its processing is overdue and no job is
 * pending.
 */
async function checkSpec(tx: Tx, spec: SpecRow, { now, random }: ProcessingContext): Promise<void> {
  const at = now()
  if (spec.due_at === null || spec.due_at > at) return
  if (await isJobPending(tx, processSpecJob, spec.id)) {
    await updateSpec(tx, spec, { due_at: at + 60 * minute })
  } else if (spec.processing_state === 'complete') {
    await updateSpec(tx, spec, { due_at: nextCheck(at, random()) })
    await requestProcessing(tx, spec, at)
  } else {
    const message =
      'The server came to no end with it: it may be too large. Give its source again to try once more.'
    await recordFailure(tx, spec, spec, { code: 'PARSE_ERROR', message }, { now, random })
  }
}

const nextCheck = (now: number, randomValue: number): number =>
  Math.round(now + checkInterval + (randomValue * 2 - 1) * jitter)

/** Returns the columns of a processed specification. */
function completedColumns(spec: SpecRow, { now, random }: Pick<ProcessingContext, 'now' | 'random'>) {
  const at = now()
  return {
    processing_state: 'complete',
    last_processed_at: at,
    due_at: spec.source_url === null ? null : nextCheck(at, random()),
  } as const
}

async function recordFailure(
  tx: Tx,
  started: SpecRow,
  current: SpecRow,
  { code, message }: BundleFailure,
  processing: Pick<ProcessingContext, 'now' | 'random'>,
): Promise<void> {
  if (current.asked !== started.asked) return
  const errors = JSON.stringify([{ message: message.slice(0, 1_000), code }])
  await updateSpec(tx, current, { ...completedColumns(current, processing), error_code: code, errors })
}

/** Stores the bundle as the latest version if its content has changed. */
async function storeVersion(
  processing: ProcessingContext,
  started: SpecRow,
  { json, raw, format, outline }: BundledSpec,
): Promise<void> {
  const { database, files } = processing.services
  const [content, rawFile] = [await files.put(json), await files.put(raw)]
  await updateWithLock(database, started, async (tx, spec) => {
    if (spec.asked !== started.asked) return
    const { organization_id, last_version_id: last } = spec
    const done = { ...completedColumns(spec, processing), error_code: null, errors: null }
    const latest = last === null ? undefined : await findVersion(tx, spec, last)
    if (latest?.hash === content.hash) {
      await updateSpec(tx, spec, done)
      if (await setOutline(tx, latest, outline)) await enqueueIndexing(tx, organization_id, processing.now())
      return
    }
    const at = processing.now()
    await insertBlobs(tx, files, organization_id, [content, rawFile], at)
    const version = await insertVersion(tx, {
      organization_id,
      id: newId<OpenApiSpecVersionId>(),
      spec_id: spec.id,
      number: (latest?.number ?? 0) + 1,
      hash: content.hash,
      size: content.size,
      raw_hash: rawFile.hash,
      raw_size: rawFile.size,
      format,
      outline,
      created_at: at,
    })
    await updateSpec(tx, spec, { ...done, last_version_id: version.id, updated_at: at })
    await enqueueIndexing(tx, organization_id, at)
    const deletedCount = await deleteVersions(tx, spec, version.number - maxSpecVersions)
    if (deletedCount > 0) await scheduleCollection(tx, organization_id, at)
  })
}
