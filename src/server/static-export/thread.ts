/** The program of a thread that answers pages of a site: it has the data open for itself, and writes nothing. */
import { parentPort, workerData } from 'node:worker_threads'
import { readyMessage } from '../../store/reading/worker-pool.js'
import { openOctavo } from '../start/open.js'
import { createAnswerPage } from './answer-page.js'
import type { TwinAnswer } from './fetch-internal.js'
import { openSite } from './open-site.js'
import type { PageAnswers, PagePlaces, ThreadData } from './pages.js'

const { settings, now, site: addressed } = workerData as ThreadData
const { services } = await openOctavo(settings, now, 'command')
const site = await openSite(services, addressed, now)
const answer = site && (await createAnswerPage(services, site))
/** Whoever writes the pages looks at the end whether the site is still open. */
const nothingThere = { status: 404, contentType: '', body: '' } satisfies TwinAnswer

/** One page after another: the forms of a page stand together, so that its text is read once for both. */
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ page, text }: PagePlaces) => {
  last = last.then(async () => {
    const answers =
      answer === undefined
        ? { page: nothingThere, text: nothingThere }
        : { page: await answer(page), text: await answer(text) }
    parentPort!.postMessage(answers satisfies PageAnswers)
  })
})
parentPort!.postMessage(readyMessage)
