/** Background jobs: runs waiting jobs when a test calls for it, in place of the server's worker. */
import { sendSlowWebhookJob, sendWebhookJob } from '../src/access/events/deliveries.js'
import { inboxHandlers } from '../src/resources/inbox/deliver.js'
import { indexSpaceJob } from '../src/resources/content/content-jobs.js'
import { indexComputedJob } from '../src/resources/openapi-specs/index-job.js'
import { specHandlers } from '../src/resources/openapi-specs/process.js'
import { indexComputedHandler, indexSpaceHandler } from '../src/resources/search/index-space.js'
import { webhookHandlers } from '../src/resources/webhooks/deliver.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import type { JobHandlers } from '../src/store/jobs/worker.js'
import type { TestClient } from './test-client.js'

type Worked = Pick<TestClient, 'services' | 'now'>

/** Sends what waits for webhooks and is due. */
export async function sendWebhooks(api: Worked): Promise<void> {
  const sending = { services: api.services, now: api.now, random: () => 0.5 }
  await work(api, {
    ...webhookHandlers(sending, sendWebhookJob),
    ...webhookHandlers(sending, sendSlowWebhookJob),
  })
}

/** Writes the entries of inboxes that follow from what was done. */
export async function deliverInboxes(api: Worked): Promise<void> {
  await work(api, inboxHandlers(api.services))
}

/** Brings the index up to the content. */
export async function indexSpaces(api: Worked): Promise<void> {
  await work(api, { [indexSpaceJob]: indexSpaceHandler(api.services, api.now) })
}

/** Reads the specifications that wait for it, and brings the index up to them and to the content. */
export async function indexSpecifications(api: Worked): Promise<void> {
  const { services, now } = api
  await work(api, {
    ...specHandlers({ services, now, random: () => 0.5 }),
    [indexSpaceJob]: indexSpaceHandler(services, now),
    [indexComputedJob]: indexComputedHandler(services, now),
  })
}

async function work({ services, now }: Worked, handlers: JobHandlers): Promise<void> {
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
