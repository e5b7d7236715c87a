/** The program of a thread that searches: opens its connection, says that it is ready, answers each question in its turn. */
import { parentPort, workerData } from 'node:worker_threads'
import { type ReaderSettings, openReader } from '../db/open-reader.js'
import { packError } from '../db/packed-error.js'
import { readySign } from '../reading/threads.js'
import { type PackedQuestion, unpackQuestion } from './packed.js'
import { answerQuestion } from './question.js'
import type { Outcome } from './searching.js'

const db = await openReader(workerData as ReaderSettings)

async function answer(packed: PackedQuestion): Promise<Outcome> {
  try {
    return { answer: await answerQuestion(db, unpackQuestion(packed)) }
  } catch (error) {
    return { error: packError(error) }
  }
}

let before = Promise.resolve()
parentPort!.on('message', (packed: PackedQuestion) => {
  before = before.then(async () => parentPort!.postMessage(await answer(packed)))
})
parentPort!.postMessage(readySign)
