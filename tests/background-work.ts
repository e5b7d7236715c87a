/** The worker of a server, for tests that have none: what waits is done when a test says so. */
import { sendSlowWebhookJob, sendWebhookJob } from '../src/access/events/deliveries.js'
import { indexSpaceJob } from '../src/resources/content/content-jobs.js'
import { indexComputedJob } from '../src/resources/openapi-specs/announce.js'
import { specHandlers } from '../src/resources/openapi-specs/process.js'
import { indexComputedHandler, indexSpaceHandler } from '../src/resources/search/index-space.js'
import { webhookHandlers } from '../src/resources/webhooks/deliver.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import type { JobHandler } from '../src/store/jobs/worker.js'
import type { Door } from './door.js'

type Worked = Pick<Door, 'services' | 'now'>

/** Sends what waits for webhooks and is due. */
export async function sendWebhooks(door: Worked): Promise<void> {
  const sending = { services: door.services, now: door.now, random: () => 0.5 }
  await work(door, {
    ...webhookHandlers(sending, sendWebhookJob),
    ...webhookHandlers(sending, sendSlowWebhookJob),
  })
}

/** Brings the index up to the content. */
export async function indexSpaces(door: Worked): Promise<void> {
  await work(door, { [indexSpaceJob]: indexSpaceHandler(door.services, door.now) })
}

/** Reads the specifications that wait for it, and brings the index up to them and to the content. */
export async function indexSpecifications(door: Worked): Promise<void> {
  const { services, now } = door
  await work(door, {
    ...specHandlers({ services, now, random: () => 0.5 }),
    [indexSpaceJob]: indexSpaceHandler(services, now),
    [indexComputedJob]: indexComputedHandler(services, now),
  })
}

async function work(
  { services, now }: Worked,
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<void> {
  await drainJobs({
    database: services.database,
    handlers,
    now,
    random: () => 0.5,
    report: (error) => {
      throw error
    },
    signal: new AbortController().signal,
  })
}
