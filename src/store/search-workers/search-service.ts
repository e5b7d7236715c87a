/**
 * Search in worker threads: a few queries run concurrently, a bounded number waits, others are rejected with
 * `search_busy`. Searches use neither the main thread nor the connections of other reads.
 *
 * Workers have their own connections, on both engines (see `worker.ts`). A worker that dies is restarted, and its query
 * retried once. Programs that run from source have no workers: they search in the main thread.
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
   * Executes the query when it is its turn; throws `search_busy` when too many wait, and `search_failed` when it times
   * out. The signal aborts waiting. A caller that has read the data version at the start of its request, and has awaited
   * nothing since, passes it as `since`, which saves a query.
   */
  find(query: SearchQuery, signal: AbortSignal, since?: DataVersion): Promise<SearchResult>
  /** Numbers of running and waiting searches. */
  count(): ReturnType<BoundedQueue['count']>
  /** Rejects waiting searches, and resolves when the running ones have ended. */
  close(): Promise<void>
}

/** What a worker posts: a result, or an error. */
export type WorkerReply = { readonly answer: SearchResult } | { readonly error: SerializedError }

interface WorkerSearchLimits extends Pick<QueueLimits, 'maxWaiting'> {
  /** Milliseconds for one search: a thousand times the usual duration. */
  readonly deadline?: number
}

const defaultDeadline = 5_000
const defaultMaxWaiting = 64
/** Queries per worker that are sent ahead: it continues while this thread is busy. */
const prefetch = 2
/** Megabytes: a search holds some hundred sections in memory. */
const maxMemory = 256
/** Milliseconds without a search until the workers end: reopening connections and their caches is slow. */
const idleTimeout = 10 * 60_000
/** In programs without worker threads. */
const defaultConcurrency = 4

/** Returns a search service over `count` workers that run the program at `entry`, each with its own connection. */
export function createWorkerSearch(
  entry: URL,
  count: number,
  database: ReaderSettings,
  { deadline = defaultDeadline, maxWaiting = defaultMaxWaiting }: WorkerSearchLimits = {},
): SearchService {
  const workers = createWorkerPool<SerializedQuery, WorkerReply>(entry, count, {
    prefetch,
    deadline,
    memory: maxMemory,
    idleTimeout,
    data: database,
  })
  const queue = createBoundedQueue({ concurrency: count * prefetch, maxWaiting })
  return {
    async find(query, signal) {
      const outcome = await inQueue(queue, signal, () => workers.run(serializeQuery(query)))
      if ('error' in outcome) throw deserializeError(outcome.error)
      return outcome.answer
    },
    count: () => queue.count(),
    async close() {
      await queue.close()
      await workers.close()
    },
  }
}

/** Returns a search service in this thread, over the connections of other reads. */
export function createInlineSearch(
  { read }: Pick<Database, 'read'>,
  { concurrency = defaultConcurrency, maxWaiting = defaultMaxWaiting }: QueueLimits = {},
): SearchService {
  const queue = createBoundedQueue({ concurrency, maxWaiting })
  return {
    find: (query, signal) => inQueue(queue, signal, () => executeSearch(read, query)),
    count: () => queue.count(),
    close: () => queue.close(),
  }
}

async function inQueue<T>(queue: BoundedQueue, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await queue.run(work, signal)
  } catch (error) {
    // An aborted caller ignores the error.
    if (error instanceof QueueRejection) throw new ApiError('search_busy')
    // The cause is for the log: the caller can do nothing about it.
    if (error instanceof WorkerLost) throw Object.assign(new ApiError('search_failed'), { cause: error })
    throw error
  }
}
