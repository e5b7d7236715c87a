/**
 * Preparation of pages for the index, without a database: worker threads that fold words import nothing else.
 */
import type { Guard } from '../../core/conditions/guard.js'
import { foldPhrases, foldText } from '../../core/search/words.js'
import type { PageId } from '../../core/ids.js'
import { tokenize } from './engine.js'
import { guardPrefix, nameGuard } from './guards.js'
import type { SectionRow, SectionWords } from './engine.js'

export interface SearchablePage {
  readonly pageId: PageId
  readonly title: string
  /** Further titles by which it is found: that in the menu, and those in its text. */
  readonly otherTitles?: readonly string[]
  readonly path: string
  /** Hash of the text of the sections; empty for a page without text. */
  readonly text: string
  /** The conditions of the page as a whole; none by default. */
  readonly guard?: Guard
  /** In the order of the page. */
  readonly sections: readonly SectionToFold[]
}

export interface SearchableSection {
  /** Null before the first heading. */
  readonly anchor: string | null
  readonly heading: string
  /** Plain text for display. */
  readonly body: string
}

export interface SectionToFold extends SearchableSection {
  /** All conditions of the section, including those of its page. */
  readonly guarded?: { readonly guard: Guard; readonly isNamed: boolean }
}

/** Version of tokenizing and folding: older entries are indexed again. Raise it when the same text gives other words. */
export const indexVersion = 10

/** Pages with their words, ready to be written. */
export interface FoldedPage {
  readonly page: SearchablePage
  readonly words: readonly SectionRow['words'][]
  /** The guard id of each section; undefined for unconditional sections. */
  readonly guards: readonly (string | undefined)[]
  /** For the vocabulary: unique words, separated by spaces. */
  readonly distinct: string
  /** Why the text is not indexed; absent when it is. */
  readonly failure?: string
}

/** Returns the pages with their words; separate from `replacePages`, because it is too slow for a transaction. */
export function foldPages(pages: readonly SearchablePage[]): FoldedPage[] {
  return pages
    .map(removeNulls)
    .map(withOtherTitles)
    .map((page) => {
      const words = page.sections.map((_, index) => foldSection(page, index))
      const guards = page.sections.map(({ guarded }) => nameGuard(guardOfSection(page, guarded)))
      return { page, words, guards, distinct: distinctWords(words, guards) }
    })
}

/** Databases cannot store U+0000 in text: older specifications may contain it, and it is indexed as Markdown renders it. */
function removeNulls({ title, otherTitles = [], path, sections, ...page }: SearchablePage): SearchablePage {
  const clean = (text: string) => text.replaceAll('\0', '\ufffd')
  return {
    ...page,
    title: clean(title),
    otherTitles: otherTitles.map(clean),
    path: clean(path),
    sections: sections.map(({ anchor, heading, body, ...section }) => {
      return { ...section, anchor: anchor && clean(anchor), heading: clean(heading), body: clean(body) }
    }),
  }
}

/** The first section, which represents the page, has the other titles as its heading. */
function withOtherTitles({ otherTitles = [], ...page }: SearchablePage): SearchablePage {
  const different = [...new Set(otherTitles)].filter((one) => one !== page.title)
  if (different.length === 0) return page
  const sections = page.sections.map((section, index) =>
    index === 0 ? { ...section, heading: different.join(' · ') } : section,
  )
  return { ...page, otherTitles: different, sections }
}

/** Returns the guard of a section: the conditions of its page and of its place in the text. */
export function guardOfSection(
  { guard = [] }: Pick<SearchablePage, 'guard'>,
  guarded: SectionToFold['guarded'],
): Guard {
  return guarded?.guard ?? guard
}

function foldSection({ title, otherTitles = [], sections }: SearchablePage, index: number): SectionWords {
  const { anchor, heading, body, guarded } = sections[index]!
  const fold = (text: string) => tokenize(foldText(text))
  const nameOf = (text: string) => tokenize(foldPhrases(text).flat().join(' '))
  if (index === 0) {
    const names = [title, ...otherTitles].map(nameOf)
    return { title: fold(title), heading: otherTitles.flatMap(fold), body: fold(body), names }
  }
  const goesOn = guarded === undefined ? anchor === sections[index - 1]!.anchor : !guarded.isNamed
  const around = fold(title)
  return goesOn
    ? { title: [], heading: [], body: [...fold(body), ...fold(heading), ...around], names: [] }
    : { title: [], heading: fold(heading), body: [...fold(body), ...around], names: [nameOf(heading)] }
}

/** Longer words are hashes and keys, which are found verbatim and not in the vocabulary. */
const maxCountedLength = 32

/** Conditional words are prefixed with their guard, which is in the vocabulary as well. */
function distinctWords(sections: readonly SectionWords[], guards: readonly (string | undefined)[]): string {
  const words = new Set<string>()
  for (const [at, { title, heading, body }] of sections.entries()) {
    const guard = guards[at]
    const before = guard === undefined ? '' : guardPrefix(guard)
    if (guard !== undefined) words.add(before)
    for (const word of [...title, ...heading, ...body])
      if (word.length <= maxCountedLength) words.add(before + word)
  }
  return [...words].toSorted().join(' ')
}
