/**
 * `llms-full.txt`: the texts of a site concatenated, in parts of a hundred pages, so that sites of any size do not block
 * other requests. One part is written at a time, with a bounded queue.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import { findPage } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import {
  type BoundedQueue,
  QueueRejection,
  createBoundedQueue,
} from '../../store/search-workers/bounded-queue.js'
import { type VisibleContent, isVisible, openContent, readAncestors } from '../pages/content.js'
import { isReadable } from '../routing/destination.js'
import { variantsInLanguageOf } from '../routing/languages.js'
import { belowBase } from '../routing/linker.js'
import type { PublishedSite, Variant } from '../routing/site.js'
import { bodyOf, readMarkdown } from './markdown.js'
import { markdownLink, singleLine } from './markdown-link.js'
import { readTextOrder } from './listed-pages.js'

const pagesPerPart = 100
/** Characters of a part; a page that does not fit is linked instead. */
const maxPartLength = 4_000_000

const line: BoundedQueue = createBoundedQueue({ concurrency: 1, maxWaiting: 16 })

export interface FullText {
  readonly text: string
  /** False when a later result may be more complete. */
  readonly isFinal: boolean
}

interface PartRequest {
  /** The variant whose language is requested. */
  readonly variant: Variant
  /** Counted from 1. */
  readonly part: number
  readonly signal: AbortSignal
  /** Returns the Markdown of a page by its address, where the caller has it. */
  known?(href: string): string | undefined
}

/** Returns a part; undefined beyond the last one, and `busy` when the queue is full. */
export async function readFullText(
  services: Services,
  site: PublishedSite,
  request: PartRequest,
): Promise<FullText | 'busy' | undefined> {
  try {
    return await line.run(() => writePart(services, site, request), request.signal)
  } catch (error) {
    if (error instanceof QueueRejection) return 'busy'
    throw error
  }
}

async function writePart(
  services: Services,
  site: PublishedSite,
  { variant, part, signal, known }: PartRequest,
): Promise<FullText | undefined> {
  const start = (part - 1) * pagesPerPart
  const texts: string[] = []
  let [pagesBefore, remaining, isFinal] = [0, maxPartLength, true]
  for (const one of variantsInLanguageOf(site, variant)) {
    const visible = await openContent(services, site, one)
    const ids = await readTextOrder(services, visible)
    const [from, to] = [start - pagesBefore, start + pagesPerPart - pagesBefore]
    pagesBefore += ids.length
    for (const id of ids.slice(Math.max(0, from), Math.max(0, to))) {
      // A disconnected client must not block others.
      if (signal.aborted) return { text: '', isFinal: false }
      const written = await writePage(visible, id, { remaining, known })
      if (written === undefined) continue
      texts.push(written.text)
      remaining -= written.text.length
      isFinal &&= written.isFinal
      await nextTurn()
    }
  }
  if (start > 0 && start >= pagesBefore) return undefined
  if (pagesBefore > start + pagesPerPart) {
    const next = `${site.url}${belowBase(variant)}llms-full.txt/${part + 1}`
    texts.push(`${markdownLink('Next pages', next)}\n`)
  }
  return { text: texts.join('\n'), isFinal }
}

/** Returns a page with its title and address; undefined for a page closed to the reader. */
async function writePage(
  visible: VisibleContent,
  id: PageId,
  { remaining, known }: { readonly remaining: number; readonly known: PartRequest['known'] },
): Promise<FullText | undefined> {
  const { content, linker } = visible
  const page = await content.run(findPage(content.revision.snapshot, id))
  if (page === undefined || !isReadable(page)) return undefined
  const above = await readAncestors(visible, page)
  if (![page, ...above].every((one) => isVisible(visible, one))) return undefined
  const href = linker.markdown(page)
  const address = linker.absolute(href)
  const before = known?.(href)
  const { text, isFinal } =
    before === undefined ? await readMarkdown(visible, page) : { text: before, isFinal: true }
  const head = `# ${singleLine(page.title)}\n\nSource: ${address}\n`
  const body = bodyOf(text)
  if (body === '') return { text: head, isFinal }
  if (head.length + body.length > remaining)
    return { text: `${head}\nRead it there: it is too long to stand here.\n`, isFinal }
  return { text: `${head}\n${body}\n`, isFinal }
}
