/** The program of a thread that searches: opens its connection, says that it is ready, answers each question in its turn. */
import { parentPort, workerData } from 'node:worker_threads'
import { type ReaderSettings, openReader } from '../db/open-reader.js'
import { serializeError } from '../db/serialized-error.js'
import { readyMessage } from '../reading/worker-pool.js'
import { type SerializedQuery, deserializeQuery } from './serialize-query.js'
import { executeSearch } from './execute-search.js'
import type { Outcome } from './search-service.js'

const db = await openReader(workerData as ReaderSettings)

async function answer(packed: SerializedQuery): Promise<Outcome> {
  try {
    return { answer: await executeSearch(db, deserializeQuery(packed)) }
  } catch (error) {
    return { error: serializeError(error) }
  }
}

let before = Promise.resolve()
parentPort!.on('message', (packed: SerializedQuery) => {
  before = before.then(async () => parentPort!.postMessage(await answer(packed)))
})
parentPort!.postMessage(readyMessage)
