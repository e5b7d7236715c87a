/**
 * Startup and graceful shutdown of the server: opens the data, performs the first start, starts workers, listens; and
 * stops in reverse order. Standard output gets one line, when the server is ready.
 */
import { fileURLToPath } from 'node:url'
import { warmUpBlocks } from '../../site/blocks/warm-up.js'
import { removeAmendedHandler } from '../../resources/change-requests/remove-amended.js'
import { followLinksJob, indexSpaceJob, removeAmendedJob } from '../../resources/content/content-jobs.js'
import { indexComputedJob } from '../../resources/openapi-specs/index-job.js'
import {
  catchUpIndexes,
  indexComputedHandler,
  indexSpaceHandler,
} from '../../resources/search/index-space.js'
import { catchUpLinks, followLinksHandler } from '../../resources/links/follow-links.js'
import { removeSpaceFromSites } from '../../resources/sites/change-site-space.js'
import { sendSlowWebhookJob, sendWebhookJob } from '../../access/events/deliveries.js'
import { webhookHandlers, webhookFailureHandlers } from '../../resources/webhooks/deliver.js'
import { translationHandlers, translationGiveUpHandlers } from '../../resources/translations/run.js'
import { importHandlers } from '../../resources/imports/resume.js'
import { scheduleSpecChecks, specHandlers } from '../../resources/openapi-specs/process.js'
import { pdfJobHandlers, pdfGiveUpHandlers } from '../../site/pdf/make-pdf.js'
import { removeSpaceHandler, removeSpaceJob } from '../../resources/spaces/remove-expired.js'
import type { Services } from '../../access/route/scope.js'
import { lockDataFolder } from '../../store/db/data-folder-lock.js'
import { createReadiness } from '../../store/db/readiness.js'
import { DatabaseUnavailable } from '../../store/db/unavailable.js'
import { type WorkerOptions, startWorker } from '../../store/jobs/worker.js'
import { expireMail } from '../mail/expire-mail.js'
import { type ReservedAddress, reserveAddress } from './reserve-address.js'
import { type FirstStart, firstStartLines, prepareFirstStart } from './first-start.js'
import { inboxHandlers } from '../../resources/inbox/deliver.js'
import { createMailer, mailHandlers } from '../mail/mail.js'
import { openOctavo } from './open.js'
import { pause } from './pause.js'
import { openPrinter } from './printer.js'
import { importFolder, publishSpace } from './publish-folder.js'
import { packageRoot } from '../package-root.js'
import { createOutageLog } from '../http/outage-log.js'
import { operatorMessage } from '../operator-message.js'
import { createServer } from '../server.js'
import type { Settings } from '../settings/settings.js'
import { backupHandlers, scheduleBackups } from '../backup/scheduled-backup.js'
import { scheduleMaintenance, maintenanceHandlers } from '../maintenance/maintenance.js'

export interface RunningServer {
  readonly url: string
  /** Finishes running requests and jobs, then closes the data. */
  stop(): Promise<void>
}

/** Concurrent webhook deliveries: to receivers that answer fast, and as many to the slow ones. */
const webhookConcurrency = 4

const guide = fileURLToPath(new URL('docs', packageRoot))

/** Serves until `stop`; throws when the address is taken or the data cannot be opened. */
export async function serve(settings: Settings): Promise<RunningServer> {
  const address = await reserveAddress(settings)
  try {
    return await serveAt(address, { ...settings, port: address.port })
  } finally {
    await address.release()
  }
}

async function serveAt(address: ReservedAddress, settings: Settings): Promise<RunningServer> {
  const now = Date.now
  const octavo = await openOctavo(settings, now(), 'server')
  const { services, database } = octavo
  const stopping = new AbortController()
  const folderLock = settings.databaseUrl === undefined ? await lockDataFolder(settings.data) : undefined
  if (folderLock?.isAlone === false) process.stderr.write(sharedFolder(settings))
  try {
    warmUpBlocks()
    const first = await prepareFirstStart(database, settings, now())
    // Printed immediately: a process that is stopped during the start has shown its secrets.
    if (first !== undefined) printFirstStart(first, settings, services.addresses.base)
    const outages = createOutageLog(createReadiness(database))
    const server = await createServer({
      services,
      outages,
      now,
      logLevel: settings.logLevel,
      settings,
      isReady: () => !stopping.signal.aborted,
    })
    await catchUpIndexes(database, now())
    await catchUpLinks(services, now())
    // Before anything is sent: an outdated mail must not be sent.
    await expireMail(database, now(), stopping.signal)
    await scheduleMaintenance(database, now())
    await scheduleBackups(database, settings, now())
    await scheduleSpecChecks(services, now())
    const mailer = createMailer(settings, services.addresses.base)
    const workerOptions: Omit<WorkerOptions, 'handlers'> = {
      database,
      now,
      random: Math.random,
      report(error, job, isGivenUp) {
        if (error instanceof DatabaseUnavailable && isGivenUp !== true)
          return outages.report(server.log, error)
        const reason = operatorMessage(error)
        const cause = reason === undefined ? { err: error } : { reason }
        server.log.error({ ...cause, job: job?.type, isGivenUp }, 'work after a change failed')
      },
      signal: stopping.signal,
    }
    const worker = startWorker({
      ...workerOptions,
      handlers: {
        [indexSpaceJob]: indexSpaceHandler(services, now),
        [indexComputedJob]: indexComputedHandler(services, now),
        [followLinksJob]: followLinksHandler(services),
        [removeAmendedJob]: removeAmendedHandler(services, now),
        [removeSpaceJob]: removeSpaceHandler(services, now, removeSpaceFromSites),
        ...importHandlers(services, now),
        ...inboxHandlers(services),
        ...mailHandlers(mailer, services, now),
        ...maintenanceHandlers({
          services,
          auditDays: settings.auditDays,
          now,
          onRemoved: (removed) => server.log.info(removed, 'removed what nobody needs any more'),
        }),
      },
    })
    // Bulkheads: a worker of its own for each kind, so that an unresponsive address delays nothing else.
    const fetching = startWorker({
      ...workerOptions,
      handlers: specHandlers({ services, now, random: Math.random }),
    })
    const webhooks = ([sendWebhookJob, sendSlowWebhookJob] as const).map((pace) => {
      const delivery = { services, now, random: Math.random }
      return startWorker({
        ...workerOptions,
        handlers: webhookHandlers(delivery, pace),
        onGiveUp: webhookFailureHandlers(delivery, pace),
        concurrency: webhookConcurrency,
        pollMs: 5_000,
      })
    })
    // A worker of its own: a backup takes as long as the data are large.
    const { backup } = settings
    const backingUp =
      backup === undefined
        ? undefined
        : startWorker({ ...workerOptions, handlers: backupHandlers(database, { ...settings, backup }, now) })
    // One at a time: each PDF takes a processor, and a gigabyte at worst.
    const printing = startWorker({
      ...workerOptions,
      handlers: pdfJobHandlers({ services, printer: openPrinter(), now }),
      onGiveUp: pdfGiveUpHandlers({ services, now }),
      concurrency: 1,
    })
    // Translations have a worker too: a run takes as long as the translator does.
    const translationContext = { services, now, pause }
    const translating = startWorker({
      ...workerOptions,
      handlers: translationHandlers(translationContext),
      onGiveUp: translationGiveUpHandlers(translationContext),
    })
    await address.release()
    await server.listen({ host: settings.host, port: settings.port })
    if (first !== undefined && settings.demo) await publishGuide(first, services, now())
    const { base } = services.addresses
    process.stdout.write(`octavo ready ${base}\n`)
    return {
      url: base,
      async stop() {
        stopping.abort()
        await server.close()
        await Promise.all([worker, fetching, printing, translating, backingUp, ...webhooks])
        folderLock?.release()
        await octavo.close()
      },
    }
  } catch (error) {
    stopping.abort()
    folderLock?.release()
    await octavo.close()
    throw error
  }
}

/** Serves until a signal stops the process; a second signal ends it immediately. */
export async function serveUntilStopped(settings: Settings): Promise<void> {
  const running = await serve(settings)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
  await running.stop()
}

function sharedFolder({ data }: Settings): string {
  return (
    `octavo: another server works on ${data} too. Nothing is lost by it, but each waits while the other writes: ` +
    'stop one of them, or use PostgreSQL (OCTAVO_DATABASE_URL) for several.\n'
  )
}

/** Prints the secrets of the first start to standard error, which people read and programs do not parse. */
function printFirstStart(first: FirstStart, { data }: Settings, base: string): void {
  const lines = firstStartLines(first, data, base)
  process.stderr.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
}

async function publishGuide(owner: FirstStart, services: Services, now: number): Promise<void> {
  const title = 'Octavo guide'
  const { spaceId, conditions } = await importFolder(services, owner, { folder: guide, title, now })
  const { url } = await publishSpace(services, owner, { spaceId, title, now, conditions })
  process.stderr.write(`  The guide:  ${url}\n\n`)
}
