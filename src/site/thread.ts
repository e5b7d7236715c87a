/** The program of the threads that render for a site: says that it is ready, then answers each task in its turn. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type PieceAnswer, askBack } from '../store/reading/pieces.js'
import { readySign } from '../store/reading/threads.js'
import { prepareBlocks } from './blocks/prepare.js'
import { type SiteTask, doTask } from './tasks.js'

parentPort!.on('message', ({ port, ...task }: SiteTask & { readonly port?: MessagePort }) => {
  const ask = port === undefined ? () => Promise.reject(new Error('Nobody answers')) : askBack(port)
  doTask(task as SiteTask, ask).then(
    (answer) => parentPort!.postMessage(answer),
    () => parentPort!.postMessage({} satisfies PieceAnswer),
  )
})
prepareBlocks()
parentPort!.postMessage(readySign)
