/**
 * Starting and stopping: data opened, first start made, server listening, worker working; and all of
 * it again in the other order. Standard output carries one line, when everything answers.
 */
import { fileURLToPath } from 'node:url'
import { warmUpBlocks } from '../../site/blocks/warm-up.js'
import { followLinksJob, indexSpaceJob } from '../../resources/content/content-jobs.js'
import { indexComputedJob } from '../../resources/openapi-specs/announce.js'
import {
  catchUpIndexes,
  indexComputedHandler,
  indexSpaceHandler,
} from '../../resources/search/index-space.js'
import { catchUpLinks, followLinksHandler } from '../../resources/links/follow-links.js'
import { removeSpaceFromSites } from '../../resources/sites/change-site-space.js'
import { sendSlowWebhookJob, sendWebhookJob } from '../../access/events/deliveries.js'
import { webhookHandlers, webhookFailureHandlers } from '../../resources/webhooks/deliver.js'
import { translationHandlers, translationsGivenUp } from '../../resources/translations/run.js'
import { importHandlers } from '../../resources/imports/resume.js'
import { planSpecChecks, specHandlers } from '../../resources/openapi-specs/process.js'
import { pdfJobHandlers, pdfGiveUpHandlers } from '../../site/pdf/make-pdf.js'
import { removeSpaceHandler, removeSpaceJob } from '../../resources/spaces/remove-expired.js'
import type { Services } from '../../access/route/scope.js'
import { lockDataFolder } from '../../store/db/data-folder-lock.js'
import { type WorkerOptions, startWorker } from '../../store/jobs/worker.js'
import { expireMail } from '../mail/expire-mail.js'
import { type ClaimedAddress, claimAddress } from './claim-address.js'
import { type FirstStart, prepareFirstStart } from './first-start.js'
import { createMailer, mailHandlers } from '../mail/mail.js'
import { openOctavo } from './open.js'
import { pause } from './pause.js'
import { openPrinter } from './printer.js'
import { importFolder, publishSpace } from './publish-folder.js'
import { packageRoot } from '../package-root.js'
import { createServer } from '../server.js'
import type { Settings } from '../settings/settings.js'
import { scheduleMaintenance, maintenanceHandlers } from '../maintenance/maintenance.js'

export interface Running {
  readonly url: string
  /** Finishes what is being answered and worked on, then lets go of the data. */
  stop(): Promise<void>
}

/** Receivers that are told of events at a time, of those that answer soon, and of the others. */
const webhookLanes = 4

const guide = fileURLToPath(new URL('docs', packageRoot))

/** Serves until `stop`; throws when the address is taken or the data cannot be opened. */
export async function serve(given: Settings): Promise<Running> {
  const address = await claimAddress(given)
  try {
    return await serveAt(address, { ...given, port: address.port })
  } finally {
    await address.release()
  }
}

async function serveAt(address: ClaimedAddress, settings: Settings): Promise<Running> {
  const now = Date.now
  const octavo = await openOctavo(settings, now(), 'server')
  const { services, database } = octavo
  const stopping = new AbortController()
  const serving = settings.databaseUrl === undefined ? await lockDataFolder(settings.data) : undefined
  if (serving?.isAlone === false) process.stderr.write(sharedFolder(settings))
  try {
    warmUpBlocks()
    const first = await prepareFirstStart(database, settings, now())
    // At once: whoever stops it now must not have missed what is shown once.
    if (first !== undefined) welcome(first, settings, services.addresses.base)
    const server = await createServer({
      services,
      now,
      logLevel: settings.logLevel,
      settings,
      isReady: () => !stopping.signal.aborted,
    })
    await catchUpIndexes(database, now())
    await catchUpLinks(services, now())
    // Before anything is sent: a mail that waited for years for a server must not be.
    await expireMail(database, now(), stopping.signal)
    await scheduleMaintenance(database, now())
    await planSpecChecks(services, now())
    const mailer = createMailer(settings, services.addresses.base)
    const working: Omit<WorkerOptions, 'handlers'> = {
      database,
      now,
      random: Math.random,
      report: (error, job, isGivenUp) =>
        server.log.error({ err: error, job: job?.type, isGivenUp }, 'work after a change failed'),
      signal: stopping.signal,
    }
    const worker = startWorker({
      ...working,
      handlers: {
        [indexSpaceJob]: indexSpaceHandler(services, now),
        [indexComputedJob]: indexComputedHandler(services, now),
        [followLinksJob]: followLinksHandler(services),
        [removeSpaceJob]: removeSpaceHandler(services, now, removeSpaceFromSites),
        ...importHandlers(services, now),
        ...mailHandlers(mailer, services, now),
        ...maintenanceHandlers({
          services,
          auditDays: settings.auditDays,
          now,
          onRemoved: (removed) => server.log.info(removed, 'removed what nobody needs any more'),
        }),
      },
    })
    // Lanes of their own: an address that does not answer keeps nothing else waiting.
    const fetching = startWorker({
      ...working,
      handlers: specHandlers({ services, now, random: Math.random }),
    })
    const telling = ([sendWebhookJob, sendSlowWebhookJob] as const).map((pace) => {
      const sending = { services, now, random: Math.random }
      return startWorker({
        ...working,
        handlers: webhookHandlers(sending, pace),
        onGiveUp: webhookFailureHandlers(sending, pace),
        concurrency: webhookLanes,
        pollMs: 5_000,
      })
    })
    // One at a time: each takes a processor, and a gigabyte at worst.
    const printing = startWorker({
      ...working,
      handlers: pdfJobHandlers({ services, printer: openPrinter(), now }),
      onGiveUp: pdfGiveUpHandlers({ services, now }),
      concurrency: 1,
    })
    // And one of theirs: a run takes as long as a translator does.
    const running = { services, now, pause }
    const translating = startWorker({
      ...working,
      handlers: translationHandlers(running),
      onGiveUp: translationsGivenUp(running),
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
        await Promise.all([worker, fetching, printing, translating, ...telling])
        serving?.release()
        await octavo.close()
      },
    }
  } catch (error) {
    stopping.abort()
    serving?.release()
    await octavo.close()
    throw error
  }
}

/** Serves until the process is asked to end; a second request ends it at once. */
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

/** What is shown once goes to standard error, where people look and programs do not parse. */
function welcome({ email, signInLink, token }: FirstStart, { data }: Settings, base: string): void {
  const lines = [
    `Octavo keeps its data in ${data}`,
    `Sign in as ${email}:  ${base}/~octavo/sign-in?link=${signInLink}`,
    ...(token === undefined ? [] : [`API token:  ${token}`]),
    `This is shown once. New ones, in this folder: npx octavo user sign-in-link ${email}, npx octavo token create ${email}`,
  ]
  process.stderr.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
}

async function publishGuide(owner: FirstStart, services: Services, now: number): Promise<void> {
  const title = 'Octavo guide'
  const { spaceId } = await importFolder(services, owner, { folder: guide, title, now })
  const url = await publishSpace(services, owner, { spaceId, title, now })
  process.stderr.write(`  The guide:  ${url}\n\n`)
}
