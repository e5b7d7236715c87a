/** What a space says in words: the units of its pages and titles, and of the texts that pages include. */
import type { Hash, PageId } from '../../core/ids.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { isInclude } from '../../core/pages/paths.js'
import { entryAt, findPages } from '../../core/pages/read.js'
import type { NameEntry, PageRecord } from '../../core/pages/types.js'
import { describePage } from '../../core/markdown/describe.js'
import { type SplitText, type Unit, splitText, titleUnit, unitsOf } from '../../core/translation/split.js'
import { hashOf } from '../../store/content/encoding.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { ContentContext } from '../content/content.js'

/** A page or an included text; ids of the latter begin with "/", as those of no page do. */
export interface SpokenText {
  readonly id: PageId
  readonly page?: PageRecord
  readonly path?: string
  readonly entry?: Extract<NameEntry, { text: Hash }>
  readonly text: string
  readonly split: SplitText
  /** The title where it stands in no text, and has words. */
  readonly title?: Unit
}

const textsPerRead = 32

/** Yields the pages and texts of these ids that the content has, some at a time. */
export async function* readSpoken(
  content: ContentContext,
  ids: readonly PageId[],
): AsyncGenerator<SpokenText> {
  const { snapshot } = content.revision
  const turn = yieldToEventLoop()
  for (let at = 0; at < ids.length; at += textsPerRead) {
    const some = ids.slice(at, at + textsPerRead)
    const pages = await content.run(
      findPages(
        snapshot,
        some.filter((id) => !id.startsWith('/')),
      ),
    )
    const named: { id: PageId; path: string; entry: Extract<NameEntry, { text: Hash }> }[] = []
    for (const id of some.filter((one) => one.startsWith('/'))) {
      const path = id.slice(1)
      const entry = await content.run(entryAt(snapshot, path))
      if (entry !== undefined && 'text' in entry) named.push({ id, path, entry })
    }
    const present = pages.filter((page) => page !== undefined)
    const hashes = present.map((page) => (page.type === 'document' ? page.text : undefined))
    const wanted = [...hashes.filter((hash) => hash !== undefined), ...named.map(({ entry }) => entry.text)]
    const texts = await content.run(loadTexts(wanted))
    const byHash = new Map(wanted.map((hash, index) => [hash, texts[index]!]))
    for (const [index, page] of present.entries()) {
      const rest = turn()
      if (rest !== undefined) await rest
      const hash = hashes[index]
      yield spokenPage(page, hash === undefined ? '' : byHash.get(hash)!)
    }
    for (const { entry, ...one } of named) {
      const text = byHash.get(entry.text)!
      yield { ...one, entry, text, split: splitText(text, false) }
    }
  }
}

export function spokenPage(page: PageRecord, text: string): SpokenText {
  const own = page.type === 'document' && page.text !== undefined ? describePage(text).title : undefined
  const title = own === page.title ? undefined : titleUnit(page.title)
  const split = page.type === 'document' ? splitText(text) : { rows: [], end: '' }
  return { id: page.id, page, text, split, ...(title !== undefined && { title }) }
}

export function unitsOfSpoken({ split, title }: SpokenText): Unit[] {
  return title === undefined ? unitsOf(split) : [title, ...unitsOf(split)]
}

/** The name of a unit in the memory. */
export function hashOfUnit({ key }: Unit): string {
  return hashOf(Buffer.from(key))
}

/** Returns whether a text that is no page is translated with the pages: others name things, and are copied. */
export function isSpoken(path: string, { revision }: ContentContext): boolean {
  return isInclude(path, revision.snapshot.config)
}
