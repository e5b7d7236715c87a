/**
 * Readers in threads: they start with the first text and end when there has been nothing to read for a while.
 *
 * A thread that dies takes one text with it, the one it was reading: that text is answered as unreadable,
 * and the others go to a new thread. So no text of a stranger can end the process.
 */
import { Worker } from 'node:worker_threads'
import type { FoldedPage } from '../search/fold.js'
import type { PageToFold, ReadText, TextReader } from './reader.js'

export type Task = { readonly describe: string } | { readonly fold: PageToFold }
export type Answer = ReadText | FoldedPage

interface Waiting {
  readonly task: Task
  readonly answer: (answer: Answer) => void
}

/** Tasks a thread is given ahead: it goes on reading while this thread is inside a transaction for tens of milliseconds. */
const ahead = 64
/** Milliseconds without a task until the threads end and give their memory back. */
const idleAfter = 3_000

const unreadable: ReadText = {
  said: { metadata: {} },
  references: new TextEncoder().encode('[]'),
  problems: ['This text cannot be read: it is shown as plain text.'],
}

/** Returns a reader over `count` threads that run the program at `entry` (see `thread.ts`). */
export function createThreadedReader(entry: URL, count: number): TextReader {
  const queue: Waiting[] = []
  const threads = new Set<Thread>()
  let idle: NodeJS.Timeout | undefined

  interface Thread {
    readonly worker: Worker
    /** In the order in which they were sent and will be answered. */
    readonly sent: Waiting[]
  }

  function start(): Thread {
    const worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: 12 } })
    const thread: Thread = { worker, sent: [] }
    threads.add(thread)
    worker.unref()
    worker.on('message', (answer: Answer) => {
      thread.sent.shift()!.answer(answer)
      feed()
    })
    worker.on('error', () => {})
    worker.on('exit', () => {
      threads.delete(thread)
      const [lost, ...others] = thread.sent
      if (lost !== undefined)
        lost.answer('describe' in lost.task ? unreadable : withoutSections(lost.task.fold))
      queue.unshift(...others)
      feed()
    })
    return thread
  }

  function feed(): void {
    while (queue.length > 0) {
      const free = [...threads].toSorted((a, b) => a.sent.length - b.sent.length)[0]
      const thread = (free === undefined || free.sent.length > 0) && threads.size < count ? start() : free!
      if (thread.sent.length >= ahead) break
      const next = queue.shift()!
      thread.sent.push(next)
      thread.worker.ref()
      thread.worker.postMessage(next.task)
    }
    rest()
  }

  /** Threads without work do not keep the process, and after a while not its memory either. */
  function rest(): void {
    clearTimeout(idle)
    if ([...threads].some(({ sent }) => sent.length > 0)) return
    for (const { worker } of threads) worker.unref()
    idle = setTimeout(() => void end(), idleAfter)
    idle.unref()
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    await Promise.all([...threads].map(({ worker }) => worker.terminate()))
  }

  function ask(task: Task): Promise<Answer> {
    return new Promise((answer) => {
      queue.push({ task, answer })
      feed()
    })
  }

  return {
    describe: (markdown) => ask({ describe: markdown }) as Promise<ReadText>,
    fold: (page) => ask({ fold: page }) as Promise<FoldedPage>,
    prepare() {
      if (threads.size === 0) start()
      rest()
    },
    close: end,
  }
}

/** A page that could not be read is still found by its title. */
function withoutSections({ pageId, title, path, text }: PageToFold): FoldedPage {
  return { page: { pageId, title, path, text, sections: [] }, words: [] }
}
