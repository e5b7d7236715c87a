/** The program of a thread that answers pages of a site: it has the data open for itself, asks inside, and writes nothing. */
import { parentPort, workerData } from 'node:worker_threads'
import { readySign } from '../../store/reading/threads.js'
import { createServer } from '../server.js'
import { openOctavo } from '../start/open.js'
import { askSite } from './ask.js'
import type { PageAnswers, PagePlaces, ThreadData } from './pages.js'

const { settings, now, site } = workerData as ThreadData
const { services } = await openOctavo(settings, now, 'command')
const isReady = () => true
const server = await createServer({ services, now: () => now, logLevel: 'silent', settings, isReady })
const { ask } = await askSite(server, services, site)

/** One page after another: the forms of a page stand together, so that its text is read once for both. */
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ page, text }: PagePlaces) => {
  last = last.then(async () => {
    parentPort!.postMessage({ page: await ask(page), text: await ask(text) } satisfies PageAnswers)
  })
})
parentPort!.postMessage(readySign)
