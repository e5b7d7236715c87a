/** Reads specifications in a worker thread: a large one takes seconds and a gigabyte, and a malicious one kills only its worker. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WorkerLost, createWorkerPool } from '../reading/worker-pool.js'
import { type SpecificationAnswer, type SpecificationTask, readSpecification } from './read.js'

export interface SpecificationReader {
  /** Rejects only when the reader is closed; problems of the documents are results. */
  read(task: SpecificationTask): Promise<SpecificationAnswer>
  close(): Promise<void>
}

/** Milliseconds: fifty megabytes of YAML take twenty seconds. */
const readTimeout = 120_000
/** Megabytes: fifty megabytes of JSON take seven hundred. */
const maxMemory = 1_536

/** Returns a reader over one worker that runs the program at `entry` (see `worker.ts`). */
export function createThreadedSpecificationReader(
  entry: URL,
  limits: { readonly deadline?: number; readonly memory?: number } = {},
): SpecificationReader {
  const workers = createWorkerPool<SpecificationTask, SpecificationAnswer>(entry, 1, {
    deadline: readTimeout,
    memory: maxMemory,
    prefetch: 1,
    ...limits,
  })
  return {
    async read(task) {
      try {
        return await workers.run(task)
      } catch (error) {
        if (!(error instanceof WorkerLost) || error.reason === 'closed') throw error
        return { problem: 'It is too large or too deep to be read' }
      }
    },
    close: () => workers.close(),
  }
}

/** Returns a reader in this thread: for programs that run from source. */
export function createInlineSpecificationReader(): SpecificationReader {
  return {
    async read(task) {
      await nextTurn()
      return readSpecification(task)
    },
    close: async () => {},
  }
}
