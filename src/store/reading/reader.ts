/**
 * Reading texts: what an import wants to know of them and what the index holds of them.
 *
 * Both are pure and take about a millisecond a page, which adds up: the reader that the server uses does
 * it in threads of their own (`threads.ts`), so that an import keeps nobody waiting. This one does it at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describePage } from '../../core/document/describe.js'
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

export function describeText(markdown: string): ReadText {
  const { title, metadata, references, problems } = describePage(markdown)
  return {
    // Through JSON: the copies share nothing with the text.
    said: JSON.parse(JSON.stringify({ title, metadata })) as ReadText['said'],
    references: new TextEncoder().encode(JSON.stringify(references)),
    problems: [...new Set(problems.map(({ message }) => message))],
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

export function foldText({ markdown, ...page }: PageToFold): FoldedPage {
  const sections = collectSections(parsePage(markdown).document, page.title).map(
    ({ anchor, heading, body }) => ({
      anchor: anchor ?? null,
      heading,
      body,
    }),
  )
  return foldPages([{ ...page, sections }])[0]!
}
