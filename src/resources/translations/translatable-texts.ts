/** Translatable texts: the units of pages and titles, and of the texts that pages include. */
import type { Hash, PageId } from '../../core/ids.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { isInclude } from '../../core/pages/paths.js'
import { entryAt, findPages } from '../../core/pages/read.js'
import { entryOf } from '../../core/pages/titles.js'
import type { NameEntry, PageRecord } from '../../core/pages/types.js'
import { describePage } from '../../core/markdown/describe.js'
import { type SplitText, type Unit, splitText, titleUnit, unitsOf } from '../../core/translation/split.js'
import { hashOf } from '../../store/content/encoding.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { ContentContext } from '../content/content.js'

/** A page or an included text; ids of included texts begin with "/", which page ids do not. */
export interface TranslatableText {
  readonly id: PageId
  readonly page?: PageRecord
  readonly path?: string
  readonly entry?: Extract<NameEntry, { text: Hash }>
  readonly text: string
  readonly split: SplitText
  /** The title in the table of contents when it is not in the text and has words. */
  readonly title?: Unit
}

const textsPerRead = 32

/** Yields the pages and included texts with these ids, loaded in batches. */
export async function* readTranslatableTexts(
  content: ContentContext,
  ids: readonly PageId[],
): AsyncGenerator<TranslatableText> {
  const { snapshot } = content.revision
  const yieldIfDue = yieldToEventLoop()
  for (let at = 0; at < ids.length; at += textsPerRead) {
    const batch = ids.slice(at, at + textsPerRead)
    const pages = await content.run(
      findPages(
        snapshot,
        batch.filter((id) => !id.startsWith('/')),
      ),
    )
    const includedTexts: { id: PageId; path: string; entry: Extract<NameEntry, { text: Hash }> }[] = []
    for (const id of batch.filter((one) => one.startsWith('/'))) {
      const path = id.slice(1)
      const entry = await content.run(entryAt(snapshot, path))
      if (entry !== undefined && 'text' in entry) includedTexts.push({ id, path, entry })
    }
    const present = pages.filter((page) => page !== undefined)
    const hashes = present.map((page) => (page.type === 'document' ? page.text : undefined))
    const requested = [
      ...hashes.filter((hash) => hash !== undefined),
      ...includedTexts.map(({ entry }) => entry.text),
    ]
    const texts = await content.run(loadTexts(requested))
    const byHash = new Map(requested.map((hash, index) => [hash, texts[index]!]))
    for (const [index, page] of present.entries()) {
      const pending = yieldIfDue()
      if (pending !== undefined) await pending
      const hash = hashes[index]
      yield translatablePage(page, hash === undefined ? '' : byHash.get(hash)!)
    }
    for (const { entry, ...one } of includedTexts) {
      const text = byHash.get(entry.text)!
      yield { ...one, entry, text, split: splitText(text, false) }
    }
  }
}

export function translatablePage(page: PageRecord, text: string): TranslatableText {
  const own = page.type === 'document' && page.text !== undefined ? describePage(text).title : undefined
  // The words of the menu: those of the entry in the table of contents.
  const entry = page.type === 'document' ? entryOf(page) : page
  const title = own === entry.title ? undefined : titleUnit(entry.title)
  const split = page.type === 'document' ? splitText(text) : { rows: [], end: '' }
  return { id: page.id, page, text, split, ...(title !== undefined && { title }) }
}

export function unitsOfText({ split, title }: TranslatableText): Unit[] {
  return title === undefined ? unitsOf(split) : [title, ...unitsOf(split)]
}

/** Returns the key of a unit in the translation memory. */
export function hashOfUnit({ key }: Unit): string {
  return hashOf(Buffer.from(key))
}

/** Returns whether a file is an included text, which is translated; other text files are copied. */
export function isTranslatable(path: string, { revision }: ContentContext): boolean {
  return isInclude(path, revision.snapshot.config)
}
