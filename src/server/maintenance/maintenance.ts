/**
 * Maintenance jobs: retention and garbage collection, run by the job worker. Of several processes one runs each job.
 *
 * Every hour expired rows and undeliverable mail; every day unreferenced uploaded files and old site statistics; and the
 * objects of an organization a week after a reference in it was released. Each job works in short transactions.
 */
import { Counter } from 'prom-client'
import type { Services } from '../../access/route/scope.js'
import { scheduleCollection, collectObjectsJob } from '../../store/collect/gc-triggers.js'
import { removeExpired } from '../../store/collect/expired.js'
import { collectFiles } from '../../store/collect/files.js'
import { collectObjects } from '../../store/collect/objects.js'
import type { Database } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { EmptyPayload } from '../../store/jobs/payloads.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { applyRetention } from '../../resources/insights/retention.js'
import { expireMail } from '../mail/expire-mail.js'
import { removeAbandonedFiles } from './temp-files.js'

const hour = 60 * 60 * 1000
const day = 24 * hour

const removeExpiredJob = 'remove-expired'
const collectFilesJob = 'collect-files'
const tidyEventsJob = 'tidy-events'

type PeriodicJob = typeof removeExpiredJob | typeof collectFilesJob | typeof tidyEventsJob

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads extends Record<PeriodicJob, EmptyPayload> {}
}

/** Metrics of all maintenance that this process did. */
export const collectedItems = new Counter({
  name: 'octavo_collected_total',
  help: 'What was removed because nobody needs it any more, by kind.',
  labelNames: ['kind'],
  registers: [],
})
export const collectedBytes = new Counter({
  name: 'octavo_collected_bytes_total',
  help: 'Bytes of the objects and files that were removed because nothing names them.',
  labelNames: ['kind'],
  registers: [],
})

export interface MaintenanceOptions {
  readonly services: Pick<Services, 'database' | 'files' | 'spoolFolder'>
  readonly auditDays: number
  readonly now: () => number
  /** Called with the number of removed rows or files by kind, for the log. */
  readonly onRemoved: (removed: Readonly<Record<string, number>>) => void
}

/** Schedules the periodic jobs; whichever process takes them runs them. */
export async function scheduleMaintenance(database: Database, now: number): Promise<void> {
  await schedule(database, removeExpiredJob, now)
  await schedule(database, collectFilesJob, now)
  await schedule(database, tidyEventsJob, now)
}

/** Enqueues a job; at most one of a kind waits, however many processes schedule it. */
async function schedule(database: Database, type: PeriodicJob, at: number, runAt = at): Promise<void> {
  await database.writeWithLocks(noLocks, (tx) =>
    enqueue(tx, { organizationId: null, type, key: type, payload: {}, at, runAt }),
  )
}

export function maintenanceHandlers(options: MaintenanceOptions): JobHandlers {
  const { services, auditDays, now } = options
  const { database, files, spoolFolder } = services

  function report(
    removed: Readonly<Record<string, number>>,
    bytes: Readonly<Record<string, number>> = {},
  ): void {
    for (const [kind, count] of Object.entries(removed)) collectedItems.labels(kind).inc(count)
    for (const [kind, count] of Object.entries(bytes)) collectedBytes.labels(kind).inc(count)
    if (Object.values(removed).some((count) => count > 0)) options.onRemoved(removed)
  }

  return {
    async [removeExpiredJob](_payload, { signal }) {
      // Scheduled first: should this job fail too often and be given up, the next one runs nevertheless.
      await schedule(database, removeExpiredJob, now(), now() + hour)
      const removed = await removeExpired(database, { now: now(), auditLife: auditDays * day, signal })
      const mails = await expireMail(database, now(), signal)
      const spooled = await removeAbandonedFiles(spoolFolder, now())
      report({
        ...Object.fromEntries(removed),
        'mails that nobody could send': mails,
        'spool files': spooled,
      })
    },

    async [collectFilesJob](_payload, { signal }) {
      await schedule(database, collectFilesJob, now(), now() + day)
      const removed = await collectFiles({ database, files, now, signal })
      report({ files: removed.files }, { files: removed.bytes })
    },

    async [tidyEventsJob](_payload, { signal }) {
      await schedule(database, tidyEventsJob, now(), now() + day)
      await applyRetention(database, now(), signal)
    },

    async [collectObjectsJob]({ organizationId }, { signal }) {
      const collected = await collectObjects({ database, organizationId, signal })
      // A reference was released meanwhile: that wrote a job, but it may have been this one, deduplicated. Or this job was
      // scheduled for what can be collected earlier than the rest.
      if (collected === undefined || collected.left > 0)
        await database.writeWithLocks(noLocks, (tx) => scheduleCollection(tx, organizationId, now()))
      if (collected !== undefined)
        report({ objects: collected.objects, 'held files': collected.files }, { objects: collected.bytes })
    },
  }
}
