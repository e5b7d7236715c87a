/**
 * Prefetching: renders the pages of a site ahead of the writer, in worker threads where there is a built program for
 * them, else in this one. Only a few pages are ahead at any time, so that unwritten pages never pile up in memory.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createWorkerPool } from '../../store/reading/worker-pool.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { Settings } from '../settings/settings.js'
import type { RenderPage } from './render-page.js'
import type { ExportedResponse } from './fetch-internal.js'

/** What a worker thread starts with: the settings with which it opens the data once more, and the site. */
export interface ExportThreadData {
  readonly settings: Settings
  /** Milliseconds since 1970. */
  readonly now: number
  readonly site: AddressedSite
}

/** Addresses of a page and of its Markdown. */
export interface PageAddresses {
  readonly page: string
  readonly markdown: string
}

export interface PageForms {
  readonly page: ExportedResponse
  readonly markdown: ExportedResponse
}

/** Pages of each thread that are rendered or requested before they are written. */
const pagesAheadPerThread = 8
/** Megabytes of a thread's caches, and of its heap. */
const [cacheMegabytes, threadHeapMegabytes] = [8, 160]

/** Yields both forms of every page, in the order of the addresses. */
export async function* renderPages(
  render: RenderPage,
  addresses: readonly PageAddresses[],
  { site, now, settings }: Pick<ExportThreadData, 'site' | 'now'> & { readonly settings?: Settings },
): AsyncGenerator<PageForms> {
  const entry = new URL('static-export-thread.js', import.meta.url)
  if (settings === undefined || !existsSync(entry)) {
    for (const { page, markdown } of addresses)
      yield { page: await render(page), markdown: await render(markdown) }
    return
  }
  const data: ExportThreadData = { settings: { ...settings, cacheMegabytes }, now, site }
  // This thread rewrites links and writes files; the others render.
  const count = Math.max(1, availableParallelism() - 1)
  const threads = createWorkerPool<PageAddresses, PageForms>(entry, count, {
    memory: threadHeapMegabytes,
    data,
  })
  try {
    const pending: Promise<PageForms>[] = []
    for (const address of addresses) {
      const rendered = threads.run(address)
      // Awaited below: a rejection before that is not unhandled.
      rendered.catch(() => {})
      if (pending.push(rendered) >= pagesAheadPerThread * count) yield await pending.shift()!
    }
    for (const rendered of pending) yield await rendered
  } finally {
    await threads.close()
  }
}
