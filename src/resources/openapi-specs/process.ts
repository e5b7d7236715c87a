/**
 * Processing OpenAPI specifications: the worker's part.
 *
 * What was asked for is counted. Work that was begun for an earlier asking is thrown away when it ends, because the
 * later one has a job of its own; so has a specification that was deleted meanwhile no version afterwards. A process
 * that is killed gives its job back by itself; should every process end that tries, or a job be given up, the
 * specification is found by its time and told as failed.
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
import { type Failure, type Gathered, gather } from './gather.js'
import { announceSpecs } from './announce.js'
import { askForProcessing, processSpecJob } from './put.js'
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
/** How often an address is looked at, and by how much earlier or later, so that they do not come all at once. */
const checkedEvery = 6 * 60 * minute
const jitter = 10 * minute
/** How often it is looked at whose time has come, and how many are begun then. */
const lookedAtEvery = 5 * minute
const mostAtOnce = 100

/** Looks for the specifications whose time has come, of all organizations. */
const checkSpecsJob = 'check-openapi-specs'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [checkSpecsJob]: EmptyPayload
  }
}

type ProcessServices = Pick<Services, 'database' | 'files' | 'remote' | 'specifications'>

export interface Processing {
  readonly services: ProcessServices
  readonly now: () => number
  /** Answers 0 up to 1. */
  readonly random: () => number
}

/** Has addresses looked at from now on, by whichever process comes to it. */
export async function planSpecChecks({ database }: Pick<Services, 'database'>, now: number): Promise<void> {
  await database.writeWithLocks(noLocks, (tx) => planNext(tx, now, now))
}

async function planNext(tx: Tx, now: number, runAt: number): Promise<void> {
  await enqueue(tx, {
    organizationId: null,
    type: checkSpecsJob,
    key: checkSpecsJob,
    payload: {},
    at: now,
    runAt,
  })
}

export function specHandlers(processing: Processing): JobHandlers {
  const { database } = processing.services
  return {
    async [processSpecJob](key, { signal }) {
      const spec = await inSpec(database, key, (tx, found) =>
        updateSpec(tx, found, { processing_state: 'progress' }),
      )
      if (spec === undefined) return
      const found = await gather(processing.services, spec, signal)
      if ('code' in found)
        await inSpec(database, key, (tx, current) => noteFailure(tx, spec, current, found, processing))
      else await keep(processing, spec, found)
    },

    async [checkSpecsJob](_payload, { signal }) {
      const now = processing.now()
      await database.writeWithLocks(noLocks, (tx) => planNext(tx, now, now + lookedAtEvery))
      const due = await loadDueSpecs(database.read, now, mostAtOnce)
      for (const spec of due) {
        signal.throwIfAborted()
        await inSpec(database, spec, (tx, current) => lookAt(tx, current, processing))
      }
    },
  }
}

/** Does something with a specification that nobody else changes meanwhile; nothing where it is gone. */
function inSpec<Result>(
  database: Services['database'],
  key: SpecKey,
  work: (tx: Tx, spec: SpecRow) => Promise<Result>,
): Promise<Result | undefined> {
  return database.writeWithLocks({ organizations: [key.organization_id] }, async (tx) => {
    const spec = await findSpecById(tx, key)
    return spec && work(tx, spec)
  })
}

/** Has one whose time has come processed; one that should have been long ago, and that nobody works on, has failed. */
async function lookAt(tx: Tx, spec: SpecRow, { now, random }: Processing): Promise<void> {
  const at = now()
  if (spec.due_at === null || spec.due_at > at) return
  if (await isJobPending(tx, processSpecJob, spec.id)) {
    await updateSpec(tx, spec, { due_at: at + 60 * minute })
  } else if (spec.processing_state === 'complete') {
    await updateSpec(tx, spec, { due_at: nextCheck(at, random()) })
    await askForProcessing(tx, spec, at)
  } else {
    const message =
      'The server came to no end with it: it may be too large. Give its source again to try once more.'
    await noteFailure(tx, spec, spec, { code: 'PARSE_ERROR', message }, { now, random })
  }
}

const nextCheck = (now: number, chance: number): number =>
  Math.round(now + checkedEvery + (chance * 2 - 1) * jitter)

/** What a specification says once it was processed. */
function ended(spec: SpecRow, { now, random }: Pick<Processing, 'now' | 'random'>) {
  const at = now()
  return {
    processing_state: 'complete',
    last_processed_at: at,
    due_at: spec.source_url === null ? null : nextCheck(at, random()),
  } as const
}

async function noteFailure(
  tx: Tx,
  begun: SpecRow,
  current: SpecRow,
  { code, message }: Failure,
  processing: Pick<Processing, 'now' | 'random'>,
): Promise<void> {
  if (current.asked !== begun.asked) return
  const errors = JSON.stringify([{ message: message.slice(0, 1_000), code }])
  await updateSpec(tx, current, { ...ended(current, processing), error_code: code, errors })
}

/** Makes what was gathered the latest version, where it is another than before. */
async function keep(
  processing: Processing,
  begun: SpecRow,
  { json, raw, format, outline }: Gathered,
): Promise<void> {
  const { database, files } = processing.services
  const [content, written] = [await files.put(json), await files.put(raw)]
  await inSpec(database, begun, async (tx, spec) => {
    if (spec.asked !== begun.asked) return
    const { organization_id, last_version_id: last } = spec
    const done = { ...ended(spec, processing), error_code: null, errors: null }
    const latest = last === null ? undefined : await findVersion(tx, spec, last)
    if (latest?.hash === content.hash) {
      await updateSpec(tx, spec, done)
      if (await setOutline(tx, latest, outline)) await announceSpecs(tx, organization_id, processing.now())
      return
    }
    const at = processing.now()
    await insertBlobs(tx, files, organization_id, [content, written], at)
    const version = await insertVersion(tx, {
      organization_id,
      id: newId<OpenApiSpecVersionId>(),
      spec_id: spec.id,
      number: (latest?.number ?? 0) + 1,
      hash: content.hash,
      size: content.size,
      raw_hash: written.hash,
      raw_size: written.size,
      format,
      outline,
      created_at: at,
    })
    await updateSpec(tx, spec, { ...done, last_version_id: version.id, updated_at: at })
    await announceSpecs(tx, organization_id, at)
    const gone = await deleteVersions(tx, spec, version.number - maxSpecVersions)
    if (gone > 0) await scheduleCollection(tx, organization_id, at)
  })
}
