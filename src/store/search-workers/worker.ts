/** The search worker: opens its connection, reports that it is ready, and executes queries one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { type ReaderSettings, openReader } from '../db/open-reader.js'
import { serializeError } from '../db/serialized-error.js'
import { readyMessage } from '../reading/worker-pool.js'
import { type SerializedQuery, deserializeQuery } from './serialize-query.js'
import { executeSearch } from './execute-search.js'
import type { WorkerReply } from './search-service.js'

const db = await openReader(workerData as ReaderSettings)

async function answer(query: SerializedQuery): Promise<WorkerReply> {
  try {
    return { answer: await executeSearch(db, deserializeQuery(query)) }
  } catch (error) {
    return { error: serializeError(error) }
  }
}

let before = Promise.resolve()
parentPort!.on('message', (query: SerializedQuery) => {
  before = before.then(async () => parentPort!.postMessage(await answer(query)))
})
parentPort!.postMessage(readyMessage)
