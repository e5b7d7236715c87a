/**
 * Worker thread that renders for sites: posts a ready message, then runs tasks one after another.
 *
 * The diagram library is large and loaded for the first diagram; the thread then posts ready once more, so that the
 * deadline of that task starts after loading.
 */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type RenderedFragment, requestFromHost } from '../store/reading/fragment-renderer.js'
import { readyMessage } from '../store/reading/worker-pool.js'
import { prepareDiagrams } from './blocks/diagram-markup.js'
import { warmUpBlocks } from './blocks/warm-up.js'
import { type SiteTask, runTask } from './tasks.js'

let areDiagramsLoaded = false

parentPort!.on('message', ({ port, ...task }: SiteTask & { readonly port?: MessagePort }) => {
  const ask =
    port === undefined ? () => Promise.reject(new Error('No port to answer queries')) : requestFromHost(port)
  perform(task as SiteTask, ask).then(
    (answer) => parentPort!.postMessage(answer),
    () => parentPort!.postMessage({} satisfies RenderedFragment),
  )
})

async function perform(task: SiteTask, ask: (query: unknown) => Promise<unknown>): Promise<RenderedFragment> {
  if (task.kind === 'diagram' && !areDiagramsLoaded) {
    await prepareDiagrams()
    areDiagramsLoaded = true
    parentPort!.postMessage(readyMessage)
  }
  return runTask(task, ask)
}

warmUpBlocks()
parentPort!.postMessage(readyMessage)
