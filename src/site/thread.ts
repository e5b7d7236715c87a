/**
 * The program of the threads that render for a site: says that it is ready, then answers each task in its turn.
 *
 * What draws diagrams is large, and is loaded for the first of them. Then the thread says once more that it is ready,
 * so that the clock of that task begins when its work does.
 */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type PieceAnswer, askBack } from '../store/reading/pieces.js'
import { readySign } from '../store/reading/threads.js'
import { prepareDiagrams } from './blocks/diagram-markup.js'
import { prepareBlocks } from './blocks/prepare.js'
import { type SiteTask, doTask } from './tasks.js'

let draws = false

parentPort!.on('message', ({ port, ...task }: SiteTask & { readonly port?: MessagePort }) => {
  const ask = port === undefined ? () => Promise.reject(new Error('Nobody answers')) : askBack(port)
  perform(task as SiteTask, ask).then(
    (answer) => parentPort!.postMessage(answer),
    () => parentPort!.postMessage({} satisfies PieceAnswer),
  )
})

async function perform(task: SiteTask, ask: (question: unknown) => Promise<unknown>): Promise<PieceAnswer> {
  if (task.kind === 'diagram' && !draws) {
    await prepareDiagrams()
    draws = true
    parentPort!.postMessage(readySign)
  }
  return doTask(task, ask)
}

prepareBlocks()
parentPort!.postMessage(readySign)
