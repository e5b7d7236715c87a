/**
 * The pages of a site, answered ahead of whoever writes them: in threads where there is a built program for them, else
 * in this one. A few are ahead at any time, so that what is not written yet never piles up.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createWorkerPool } from '../../store/reading/worker-pool.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { Settings } from '../settings/settings.js'
import type { AnswerPage } from './answer-page.js'
import type { TwinAnswer } from './fetch-internal.js'

/** What a thread is given when it starts: by what it opens the data once more, and of which site. */
export interface ThreadData {
  readonly settings: Settings
  /** Milliseconds since 1970. */
  readonly now: number
  readonly site: AddressedSite
}

/** Addresses of a page and of its Markdown. */
export interface PagePlaces {
  readonly page: string
  readonly text: string
}

export interface PageAnswers {
  readonly page: TwinAnswer
  readonly text: TwinAnswer
}

/** Pages that are answered or asked for before they are written. */
const pagesAhead = 8
/** Megabytes of what a thread remembers, and of all that it holds. */
const [cacheMegabytes, threadMegabytes] = [8, 160]

/** Answers every page, in the order of the places. */
export async function* answerPages(
  answer: AnswerPage,
  places: readonly PagePlaces[],
  { site, now, settings }: Pick<ThreadData, 'site' | 'now'> & { readonly settings?: Settings },
): AsyncGenerator<PageAnswers> {
  const entry = new URL('static-export-thread.js', import.meta.url)
  if (settings === undefined || !existsSync(entry)) {
    for (const { page, text } of places) yield { page: await answer(page), text: await answer(text) }
    return
  }
  const data: ThreadData = { settings: { ...settings, cacheMegabytes }, now, site }
  // This thread translates and writes what the others answer.
  const count = Math.max(1, availableParallelism() - 1)
  const threads = createWorkerPool<PagePlaces, PageAnswers>(entry, count, { memory: threadMegabytes, data })
  try {
    const asked: Promise<PageAnswers>[] = []
    for (const one of places) {
      const answered = threads.run(one)
      // Whoever comes to it is told; nobody may have come to it yet.
      answered.catch(() => {})
      if (asked.push(answered) >= pagesAhead * count) yield await asked.shift()!
    }
    for (const answered of asked) yield await answered
  } finally {
    await threads.close()
  }
}
