/**
 * Upkeep: the worker's own jobs, which remove what nobody needs any more. Of several processes one does each.
 *
 * Every hour what has expired, and mail that nobody could send; every day uploaded files that nobody holds, and what
 * sites counted long ago; and the objects of an organization a week after something in it was let go. Each works in
 * short transactions.
 */
import { Counter } from 'prom-client'
import type { Services } from '../../access/route/scope.js'
import type { OrganizationId } from '../../core/ids.js'
import { collectLater, collectObjectsJob } from '../../store/collect/gc-triggers.js'
import { removeExpired } from '../../store/collect/expired.js'
import { collectFiles } from '../../store/collect/files.js'
import { collectObjects } from '../../store/collect/objects.js'
import type { Database } from '../../store/db/database.js'
import { nothing } from '../../store/db/hold.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { tidyEvents } from '../../resources/insights/tidy-events.js'
import { expireMail } from '../mail/expire-mail.js'
import { clearAbandoned } from './spool.js'

const hour = 60 * 60 * 1000
const day = 24 * hour

const removeExpiredJob = 'remove-expired'
const collectFilesJob = 'collect-files'
const tidyEventsJob = 'tidy-events'

/** Figures of all upkeep that this process did. */
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

export interface Upkeep {
  readonly services: Pick<Services, 'database' | 'files' | 'spoolFolder'>
  readonly auditDays: number
  readonly now: () => number
  /** Told of everything that was removed, by kind, for the log. */
  readonly told: (removed: Readonly<Record<string, number>>) => void
}

/** Has the regular upkeep done from now on, whichever process comes to it. */
export async function planUpkeep(database: Database, now: number): Promise<void> {
  await plan(database, removeExpiredJob, now)
  await plan(database, collectFilesJob, now)
  await plan(database, tidyEventsJob, now)
}

/** One job of a kind waits at most, however many processes plan it. */
async function plan(database: Database, type: string, at: number, runAt = at): Promise<void> {
  await database.writeHolding(nothing, (tx) =>
    enqueue(tx, { organizationId: null, type, key: type, payload: {}, at, runAt }),
  )
}

export function upkeepHandlers(upkeep: Upkeep): Readonly<Record<string, JobHandler>> {
  const { services, auditDays, now } = upkeep
  const { database, files, spoolFolder } = services

  function tell(
    removed: Readonly<Record<string, number>>,
    bytes: Readonly<Record<string, number>> = {},
  ): void {
    for (const [kind, count] of Object.entries(removed)) collectedItems.labels(kind).inc(count)
    for (const [kind, count] of Object.entries(bytes)) collectedBytes.labels(kind).inc(count)
    if (Object.values(removed).some((count) => count > 0)) upkeep.told(removed)
  }

  return {
    async [removeExpiredJob](_payload, { signal }) {
      // First: should this fail again and again and be given up, the next comes nevertheless.
      await plan(database, removeExpiredJob, now(), now() + hour)
      const removed = await removeExpired(database, { now: now(), auditLife: auditDays * day, signal })
      const mails = await expireMail(database, now(), signal)
      const spooled = await clearAbandoned(spoolFolder, now())
      tell({ ...Object.fromEntries(removed), 'mails that nobody could send': mails, 'spool files': spooled })
    },

    async [collectFilesJob](_payload, { signal }) {
      await plan(database, collectFilesJob, now(), now() + day)
      const removed = await collectFiles({ database, files, now, signal })
      tell({ files: removed.files }, { files: removed.bytes })
    },

    async [tidyEventsJob](_payload, { signal }) {
      await plan(database, tidyEventsJob, now(), now() + day)
      await tidyEvents(database, now(), signal)
    },

    async [collectObjectsJob](payload, { signal }) {
      const { organizationId } = payload as { organizationId: OrganizationId }
      const collected = await collectObjects({ database, organizationId, signal })
      // Something was let go of meanwhile: it wrote a job, but that may have been this one, seen again.
      if (collected === undefined)
        return database.writeHolding(nothing, (tx) => collectLater(tx, organizationId, now()))
      tell({ objects: collected.objects, 'held files': collected.files }, { objects: collected.bytes })
    },
  }
}
