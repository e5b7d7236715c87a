/** The worker thread that reads specifications. */
import { parentPort } from 'node:worker_threads'
import { readyMessage } from '../reading/worker-pool.js'
import { type SpecificationTask, readSpecification } from './read.js'

parentPort!.on('message', (task: SpecificationTask) => {
  const answer = readSpecification(task)
  parentPort!.postMessage(answer)
})
parentPort!.postMessage(readyMessage)
