/**
 * Reading texts: what an import wants to know of them and what the index holds of them.
 *
 * Both are pure and take about a millisecond a page, which adds up: the reader that the server uses does
 * it in threads of their own (`threaded-reader.ts`), so that an import keeps nobody waiting. This one does it at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describePage } from '../../core/markdown/describe.js'
import { textForEverybody } from '../../core/markdown/open-text.js'
import { parsePage } from '../../core/markdown/parse.js'
import type { Description } from '../../core/pages/describe.js'
import { collectSections } from '../../core/search/sections.js'
import { type FoldedPage, type SearchablePage, foldPages } from '../search/fold.js'

/** What a text says of itself; its references are packed as JSON, because parts of a string keep all of it alive. */
export interface ReadText {
  readonly said: Omit<Description, 'references'>
  readonly references: Uint8Array
  /** Sentences, each once. */
  readonly problems: readonly string[]
}

/** A page to be indexed: everything but its sections, and the text that they are cut from. */
export interface PageToFold extends Omit<SearchablePage, 'sections'> {
  readonly markdown: string
}

export interface TextReader {
  describe(markdown: string): Promise<ReadText>
  fold(page: PageToFold): Promise<FoldedPage>
  /** Told that there will be something to read: a thread takes a third of a second to begin. */
  prepare(): void
  close(): Promise<void>
}

/** Returns a reader that works in the caller's thread, and lets others have their turn before each text. */
export function createInlineReader(): TextReader {
  return {
    async describe(markdown) {
      await nextTurn()
      return describeText(markdown)
    },
    async fold(page) {
      await nextTurn()
      return foldText(page)
    },
    prepare: () => {},
    close: async () => {},
  }
}

/** Answers what the text says of itself; never throws, whatever stands in it. */
export function describeText(markdown: string): ReadText {
  try {
    const { title, metadata, references, problems } = describePage(markdown)
    return {
      // Through JSON: the copies share nothing with the text.
      said: JSON.parse(JSON.stringify({ title, metadata })) as ReadText['said'],
      references: new TextEncoder().encode(JSON.stringify(references)),
      problems: [...new Set(problems.map(({ message }) => message))],
    }
  } catch {
    return unreadable()
  }
}

/** What is said of a text that cannot be read. */
export function unreadable(): ReadText {
  return {
    said: { metadata: {} },
    references: new TextEncoder().encode('[]'),
    problems: ['This text cannot be read: it is shown as plain text.'],
  }
}

/** Returns the description with references that are unpacked when somebody asks for them. */
export function unpackDescription({ said, references }: ReadText): Description {
  return {
    ...said,
    get references() {
      return JSON.parse(new TextDecoder().decode(references)) as Description['references']
    },
  }
}

/** Answers the page cut and folded; never throws, whatever stands in its text. */
export function foldText({ markdown, ...page }: PageToFold): FoldedPage {
  try {
    const sections = collectSections(parsePage(textForEverybody(markdown)).document, page.title).map(
      ({ anchor, heading, body }) => ({ anchor: anchor ?? null, heading, body }),
    )
    return foldPages([{ ...page, sections }])[0]!
  } catch (error) {
    return unfoldable({ markdown, ...page }, String(error))
  }
}

/** A page whose text cannot be folded: it is found by its title alone, and says why. */
export function unfoldable({ pageId, title, path, text }: PageToFold, failure: string): FoldedPage {
  const sections = [{ anchor: null, heading: title, body: '' }]
  return { ...foldPages([{ pageId, title, path, text, sections }])[0]!, failure }
}
