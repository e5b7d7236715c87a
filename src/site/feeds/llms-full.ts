/**
 * `llms-full.txt`: the texts of a site one after another, in parts of a hundred pages, so that a site of any size is
 * read without anybody waiting for it: a part is as long as some pages, and no more than one is written at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import { findPage } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import { type Line, NotLetIn, createLine } from '../../store/search-workers/bounded-queue.js'
import { type ShownContent, isOpen, openContent, readAncestors } from '../pages/content.js'
import { isReadable } from '../routing/destination.js'
import { variantsInLanguageOf } from '../routing/languages.js'
import { belowBase } from '../routing/linker.js'
import type { ShownSite, Variant } from '../routing/site.js'
import { bodyOf, readMarkdown } from './markdown.js'
import { linkTo, oneLine } from './markdown-link.js'
import { readTextOrder } from './listed-pages.js'

const pagesPerPart = 100
/** Characters of a part; a page that no longer fits is named instead. */
const longestPart = 4_000_000

const line: Line = createLine({ atOnce: 1, mostWaiting: 16 })

export interface FullText {
  readonly text: string
  /** False when another time more may be written out. */
  readonly isFinal: boolean
}

interface AskedPart {
  /** Of whose language. */
  readonly variant: Variant
  /** Counted from 1. */
  readonly part: number
  readonly signal: AbortSignal
  /** Returns the Markdown of a page by its address, where it was written before. */
  known?(href: string): string | undefined
}

/** Returns a part; undefined beyond the last one, and `busy` when too many wait for theirs. */
export async function readFullText(
  services: Services,
  site: ShownSite,
  asked: AskedPart,
): Promise<FullText | 'busy' | undefined> {
  try {
    return await line.enter(() => writePart(services, site, asked), asked.signal)
  } catch (error) {
    if (error instanceof NotLetIn) return 'busy'
    throw error
  }
}

async function writePart(
  services: Services,
  site: ShownSite,
  { variant, part, signal, known }: AskedPart,
): Promise<FullText | undefined> {
  const start = (part - 1) * pagesPerPart
  const texts: string[] = []
  let [passed, left, isFinal] = [0, longestPart, true]
  for (const one of variantsInLanguageOf(site, variant)) {
    const shown = await openContent(services, site, one)
    const ids = await readTextOrder(services, shown)
    const [from, to] = [start - passed, start + pagesPerPart - passed]
    passed += ids.length
    for (const id of ids.slice(Math.max(0, from), Math.max(0, to))) {
      // Whoever has gone keeps nobody waiting.
      if (signal.aborted) return { text: '', isFinal: false }
      const written = await writePage(shown, id, { room: left, known })
      if (written === undefined) continue
      texts.push(written.text)
      left -= written.text.length
      isFinal &&= written.isFinal
      await nextTurn()
    }
  }
  if (start > 0 && start >= passed) return undefined
  if (passed > start + pagesPerPart) {
    const next = `${site.url}${belowBase(variant)}llms-full.txt/${part + 1}`
    texts.push(`${linkTo('Next pages', next)}\n`)
  }
  return { text: texts.join('\n'), isFinal }
}

/** Returns a page with its title and where it stands; undefined for what this reader may not have. */
async function writePage(
  shown: ShownContent,
  id: PageId,
  { room, known }: { readonly room: number; readonly known: AskedPart['known'] },
): Promise<FullText | undefined> {
  const { content, linker } = shown
  const page = await content.run(findPage(content.revision.snapshot, id))
  if (page === undefined || !isReadable(page)) return undefined
  const above = await readAncestors(shown, page)
  if (![page, ...above].every((one) => isOpen(shown, one))) return undefined
  const href = linker.markdown(page)
  const address = linker.absolute(href)
  const before = known?.(href)
  const { text, isFinal } =
    before === undefined ? await readMarkdown(shown, page) : { text: before, isFinal: true }
  const head = `# ${oneLine(page.title)}\n\nSource: ${address}\n`
  const body = bodyOf(text)
  if (body === '') return { text: head, isFinal }
  if (head.length + body.length > room)
    return { text: `${head}\nRead it there: it is too long to stand here.\n`, isFinal }
  return { text: `${head}\n${body}\n`, isFinal }
}
