/** Program of a worker thread that renders pages of a site: it opens the data for itself and writes nothing. */
import { parentPort, workerData } from 'node:worker_threads'
import { readyMessage } from '../../store/reading/worker-pool.js'
import { openOctavo } from '../start/open.js'
import { createPageRenderer } from './render-page.js'
import type { ExportedResponse } from './fetch-internal.js'
import { openSite } from './open-site.js'
import type { PageForms, PageAddresses, ExportThreadData } from './render-pages.js'

const { settings, now, site: addressed } = workerData as ExportThreadData
const { services } = await openOctavo(settings, now, 'command')
const site = await openSite(services, addressed, now)
const render = site && (await createPageRenderer(services, site))
/** The writer checks at the end whether the site is still public. */
const notFound = { status: 404, contentType: '', body: '' } satisfies ExportedResponse

/** One page after another, both of its forms in a row, so that its text is read once for both. */
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ page, markdown }: PageAddresses) => {
  last = last.then(async () => {
    const forms =
      render === undefined
        ? { page: notFound, markdown: notFound }
        : { page: await render(page), markdown: await render(markdown) }
    parentPort!.postMessage(forms satisfies PageForms)
  })
})
parentPort!.postMessage(readyMessage)
