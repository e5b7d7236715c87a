/**
 * Searching beside everything else: a few questions are answered at a time, a bounded number waits, the rest are told
 * to come again. A search never takes the thread that answers requests, nor the connections of those who read.
 *
 * Threads have connections of their own, on both engines (see `thread.ts`). One that dies is started again, and its
 * question asked once more. Programs run from their sources have no thread: they answer in their own.
 */
import { ApiError } from '../../contract/errors.js'
import type { Moment } from '../db/commits.js'
import type { Database } from '../db/database.js'
import type { ReaderSettings } from '../db/open-reader.js'
import { ThreadLost, createThreads } from '../reading/threads.js'
import { type Line, type LineLimits, NotLetIn, createLine } from './bounded-queue.js'
import { type PackedQuestion, packQuestion } from './packed.js'
import { type PackedError, unpackError } from '../db/packed-error.js'
import { type SearchAnswer, type SearchQuestion, answerQuestion } from './question.js'

export interface Searching {
  /**
   * Answers the question when its turn comes; throws `search_busy` where too many wait, and `search_failed` when
   * it comes to no end. Whoever aborts the signal waits no longer. Who has looked when the request came in, and waited
   * for nothing since, says the moment of that look, so that no other is taken.
   */
  find(question: SearchQuestion, signal: AbortSignal, since?: Moment): Promise<SearchAnswer>
  /** Searches that are being answered, and those that wait. */
  count(): ReturnType<Line['count']>
  /** Sends away who waits, and resolves when nothing is searched any more. */
  close(): Promise<void>
}

/** What a thread posts: an answer, or why there is none. */
export type Outcome = { readonly answer: SearchAnswer } | { readonly error: PackedError }

interface ThreadedLimits extends Pick<LineLimits, 'mostWaiting'> {
  /** Milliseconds that one search may take: a thousand times what most take. */
  readonly deadline?: number
}

const usualDeadline = 5_000
const usuallyWaiting = 64
/** Questions that a thread is given before it has answered the first: it goes on while this one is busy. */
const ahead = 2
/** Megabytes: a search holds some hundred sections. */
const mostMemory = 256
/** Milliseconds without a search until the threads end: connections and what they hold take a while to come back. */
const restAfter = 10 * 60_000
/** In programs without threads. */
const usuallyAtOnce = 4

/** Returns searching in `count` threads that run the program at `entry`, each with a connection of its own. */
export function createThreadedSearching(
  entry: URL,
  count: number,
  database: ReaderSettings,
  { deadline = usualDeadline, mostWaiting = usuallyWaiting }: ThreadedLimits = {},
): Searching {
  const threads = createThreads<PackedQuestion, Outcome>(entry, count, {
    ahead,
    deadline,
    memory: mostMemory,
    restAfter,
    data: database,
  })
  const line = createLine({ atOnce: count * ahead, mostWaiting })
  return {
    async find(question, signal) {
      const outcome = await inLine(line, signal, () => threads.ask(packQuestion(question)))
      if ('error' in outcome) throw unpackError(outcome.error)
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
export function createInlineSearching(
  { read }: Pick<Database, 'read'>,
  { atOnce = usuallyAtOnce, mostWaiting = usuallyWaiting }: LineLimits = {},
): Searching {
  const line = createLine({ atOnce, mostWaiting })
  return {
    find: (question, signal) => inLine(line, signal, () => answerQuestion(read, question)),
    count: () => line.count(),
    close: () => line.close(),
  }
}

async function inLine<T>(line: Line, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await line.enter(work, signal)
  } catch (error) {
    // Nobody hears what is said to those who left.
    if (error instanceof NotLetIn) throw new ApiError('search_busy')
    // For the log: whoever asks can do nothing about it.
    if (error instanceof ThreadLost) throw Object.assign(new ApiError('search_failed'), { cause: error })
    throw error
  }
}
