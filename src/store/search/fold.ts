/**
 * Pages made ready for the index, away from any database: a thread that folds words loads nothing else.
 */
import { foldText } from '../../core/search/words.js'
import type { PageId } from '../../core/ids.js'
import { wordsOf } from './engine.js'
import type { SectionRow } from './engine.js'

export interface SearchablePage {
  readonly pageId: PageId
  readonly title: string
  readonly path: string
  /** Hash of the text that the sections were made of; empty for a page without one. */
  readonly text: string
  /** In the order of the page. */
  readonly sections: readonly SearchableSection[]
}

export interface SearchableSection {
  /** Null before the first heading. */
  readonly anchor: string | null
  readonly heading: string
  /** Plain text, as it is to be shown. */
  readonly body: string
}

/** Of the cutting and folding: what an older one made is made anew. Raise it when the same text gives other words. */
export const indexVersion = 2

/** Pages with their words found, ready to be written. */
export interface FoldedPage {
  readonly page: SearchablePage
  readonly words: readonly SectionRow['words'][]
  /** Why the text is not in it; absent when it is. */
  readonly failure?: string
}

/** Answers the pages with their words; apart from `replacePages`, because it takes time that a transaction should not. */
export function foldPages(pages: readonly SearchablePage[]): FoldedPage[] {
  return pages.map((page) => {
    const title = wordsOf(foldText(page.title))
    const words = page.sections.map(({ heading, body }) => ({
      title,
      heading: wordsOf(foldText(heading)),
      body: wordsOf(foldText(body)),
    }))
    return { page, words }
  })
}
