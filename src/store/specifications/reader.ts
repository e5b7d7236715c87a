/** Reads specifications aside: a large one takes seconds and a gigabyte, and one that means harm takes its thread alone. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WorkerLost, createWorkerPool } from '../reading/worker-pool.js'
import { type SpecificationAnswer, type SpecificationTask, readSpecification } from './read.js'

export interface SpecificationReader {
  /** Rejects when the reader is closed; whatever is wrong with the texts is an answer. */
  read(task: SpecificationTask): Promise<SpecificationAnswer>
  close(): Promise<void>
}

/** Milliseconds: fifty megabytes of YAML take twenty seconds. */
const readTimeout = 120_000
/** Megabytes: fifty megabytes of JSON take seven hundred. */
const maxMemory = 1_536

/** Returns a reader over one thread that runs the program at `entry` (see `thread.ts`). */
export function createThreadedSpecificationReader(
  entry: URL,
  limits: { readonly deadline?: number; readonly memory?: number } = {},
): SpecificationReader {
  const threads = createWorkerPool<SpecificationTask, SpecificationAnswer>(entry, 1, {
    deadline: readTimeout,
    memory: maxMemory,
    prefetch: 1,
    ...limits,
  })
  return {
    async read(task) {
      try {
        return await threads.run(task)
      } catch (error) {
        if (!(error instanceof WorkerLost) || error.reason === 'closed') throw error
        return { problem: 'It is too large or too deep to be read' }
      }
    },
    close: () => threads.close(),
  }
}

/** Returns a reader that does everything in this thread: for programs run from their sources. */
export function createInlineSpecificationReader(): SpecificationReader {
  return {
    async read(task) {
      await nextTurn()
      return readSpecification(task)
    },
    close: async () => {},
  }
}
