/**
 * Pages made ready for the index, away from any database: a thread that folds words loads nothing else.
 */
import { foldPhrases, foldText } from '../../core/search/words.js'
import type { PageId } from '../../core/ids.js'
import { wordsOf } from './engine.js'
import type { SectionRow, SectionWords } from './engine.js'

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
export const indexVersion = 3

/** Pages with their words found, ready to be written. */
export interface FoldedPage {
  readonly page: SearchablePage
  readonly words: readonly SectionRow['words'][]
  /** For the vocabulary: none twice, with spaces between them. */
  readonly distinct: string
  /** Why the text is not in it; absent when it is. */
  readonly failure?: string
}

/** Answers the pages with their words; apart from `replacePages`, because it takes time that a transaction should not. */
export function foldPages(pages: readonly SearchablePage[]): FoldedPage[] {
  return pages.map((page) => {
    const words = page.sections.map((_, index) => foldSection(page, index))
    return { page, words, distinct: distinctWords(words) }
  })
}

function foldSection({ title, sections }: SearchablePage, index: number): SectionWords {
  const { anchor, heading, body } = sections[index]!
  const fold = (text: string) => wordsOf(foldText(text))
  const ofName = index === 0 ? title : heading
  const name = wordsOf(foldPhrases(ofName).flat().join(' '))
  if (index === 0) return { title: fold(title), heading: [], body: fold(body), name }
  const goesOn = anchor === sections[index - 1]!.anchor
  const around = fold(title)
  return goesOn
    ? { title: [], heading: [], body: [...fold(body), ...fold(heading), ...around], name: [] }
    : { title: [], heading: fold(heading), body: [...fold(body), ...around], name }
}

/** Longer words are hashes and keys, which are found as they are and not counted. */
const longestCounted = 32

function distinctWords(sections: readonly SectionWords[]): string {
  const words = new Set(sections.flatMap(({ title, heading, body }) => [...title, ...heading, ...body]))
  return [...words]
    .filter((word) => word.length <= longestCounted)
    .toSorted()
    .join(' ')
}
