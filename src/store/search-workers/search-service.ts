/**
 * Searching beside everything else: a few questions are answered at a time, a bounded number waits, the rest are told
 * to come again. A search never takes the thread that answers requests, nor the connections of those who read.
 *
 * Threads have connections of their own, on both engines (see `thread.ts`). One that dies is started again, and its
 * question asked once more. Programs run from their sources have no thread: they answer in their own.
 */
import { ApiError } from '../../contract/errors.js'
import type { DataVersion } from '../db/commits.js'
import type { Database } from '../db/database.js'
import type { ReaderSettings } from '../db/open-reader.js'
import { WorkerLost, createWorkerPool } from '../reading/worker-pool.js'
import { type BoundedQueue, type QueueLimits, QueueRejection, createBoundedQueue } from './bounded-queue.js'
import { type SerializedQuery, serializeQuery } from './serialize-query.js'
import { type SerializedError, deserializeError } from '../db/serialized-error.js'
import { type SearchResult, type SearchQuery, executeSearch } from './execute-search.js'

export interface SearchService {
  /**
   * Answers the question when its turn comes; throws `search_busy` where too many wait, and `search_failed` when
   * it comes to no end. Whoever aborts the signal waits no longer. Who has looked when the request came in, and waited
   * for nothing since, says the moment of that look, so that no other is taken.
   */
  find(question: SearchQuery, signal: AbortSignal, since?: DataVersion): Promise<SearchResult>
  /** Searches that are being answered, and those that wait. */
  count(): ReturnType<BoundedQueue['count']>
  /** Sends away who waits, and resolves when nothing is searched any more. */
  close(): Promise<void>
}

/** What a thread posts: an answer, or why there is none. */
export type Outcome = { readonly answer: SearchResult } | { readonly error: SerializedError }

interface WorkerSearchLimits extends Pick<QueueLimits, 'maxWaiting'> {
  /** Milliseconds that one search may take: a thousand times what most take. */
  readonly deadline?: number
}

const defaultDeadline = 5_000
const defaultMaxWaiting = 64
/** Questions that a thread is given before it has answered the first: it goes on while this one is busy. */
const prefetch = 2
/** Megabytes: a search holds some hundred sections. */
const maxMemory = 256
/** Milliseconds without a search until the threads end: connections and what they hold take a while to come back. */
const idleTimeout = 10 * 60_000
/** In programs without threads. */
const defaultConcurrency = 4

/** Returns searching in `count` threads that run the program at `entry`, each with a connection of its own. */
export function createWorkerSearch(
  entry: URL,
  count: number,
  database: ReaderSettings,
  { deadline = defaultDeadline, maxWaiting = defaultMaxWaiting }: WorkerSearchLimits = {},
): SearchService {
  const threads = createWorkerPool<SerializedQuery, Outcome>(entry, count, {
    prefetch,
    deadline,
    memory: maxMemory,
    idleTimeout,
    data: database,
  })
  const line = createBoundedQueue({ concurrency: count * prefetch, maxWaiting })
  return {
    async find(question, signal) {
      const outcome = await inQueue(line, signal, () => threads.run(serializeQuery(question)))
      if ('error' in outcome) throw deserializeError(outcome.error)
      return outcome.answer
    },
    count: () => line.count(),
    async close() {
      await line.close()
      await threads.close()
    },
  }
}

/** Returns searching in this thread, through the connections of those who read. */
export function createInlineSearch(
  { read }: Pick<Database, 'read'>,
  { concurrency = defaultConcurrency, maxWaiting = defaultMaxWaiting }: QueueLimits = {},
): SearchService {
  const line = createBoundedQueue({ concurrency, maxWaiting })
  return {
    find: (question, signal) => inQueue(line, signal, () => executeSearch(read, question)),
    count: () => line.count(),
    close: () => line.close(),
  }
}

async function inQueue<T>(line: BoundedQueue, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await line.run(work, signal)
  } catch (error) {
    // Nobody hears what is said to those who left.
    if (error instanceof QueueRejection) throw new ApiError('search_busy')
    // For the log: whoever asks can do nothing about it.
    if (error instanceof WorkerLost) throw Object.assign(new ApiError('search_failed'), { cause: error })
    throw error
  }
}
