/**
 * Pages made ready for the index, away from any database: a thread that folds words loads nothing else.
 */
import type { Guard } from '../../core/conditions/guard.js'
import { foldPhrases, foldText } from '../../core/search/words.js'
import type { PageId } from '../../core/ids.js'
import { wordsOf } from './engine.js'
import { guardPrefix, nameGuard } from './guards.js'
import type { SectionRow, SectionWords } from './engine.js'

export interface SearchablePage {
  readonly pageId: PageId
  readonly title: string
  readonly path: string
  /** Hash of the text that the sections were made of; empty for a page without one. */
  readonly text: string
  /** The conditions under which it stands as a whole; none, unless it is said. */
  readonly guard?: Guard
  /** In the order of the page. */
  readonly sections: readonly SectionToFold[]
}

export interface SearchableSection {
  /** Null before the first heading. */
  readonly anchor: string | null
  readonly heading: string
  /** Plain text, as it is to be shown. */
  readonly body: string
}

export interface SectionToFold extends SearchableSection {
  /** Of what stands under conditions: all of them, with those of its page. */
  readonly guarded?: { readonly guard: Guard; readonly isNamed: boolean }
}

/** Of the cutting and folding: what an older one made is made anew. Raise it when the same text gives other words. */
export const indexVersion = 9

/** Pages with their words found, ready to be written. */
export interface FoldedPage {
  readonly page: SearchablePage
  readonly words: readonly SectionRow['words'][]
  /** The id of what guards each section; undefined for what is for everybody. */
  readonly guards: readonly (string | undefined)[]
  /** For the vocabulary: none twice, with spaces between them. */
  readonly distinct: string
  /** Why the text is not in it; absent when it is. */
  readonly failure?: string
}

/** Answers the pages with their words; apart from `replacePages`, because it takes time that a transaction should not. */
export function foldPages(pages: readonly SearchablePage[]): FoldedPage[] {
  return pages.map(storable).map((page) => {
    const words = page.sections.map((_, index) => foldSection(page, index))
    const guards = page.sections.map(({ guarded }) => nameGuard(guardOfSection(page, guarded)))
    return { page, words, guards, distinct: distinctWords(words, guards) }
  })
}

/** No database holds U+0000 in words: specifications that were read once may, and it is found as Markdown shows it. */
function storable({ title, path, sections, ...page }: SearchablePage): SearchablePage {
  const clean = (text: string) => text.replaceAll('\0', '\ufffd')
  return {
    ...page,
    title: clean(title),
    path: clean(path),
    sections: sections.map(({ anchor, heading, body, ...section }) => {
      return { ...section, anchor: anchor && clean(anchor), heading: clean(heading), body: clean(body) }
    }),
  }
}

/** Returns what guards a section: its page, and what it stands under in its text. */
export function guardOfSection(
  { guard = [] }: Pick<SearchablePage, 'guard'>,
  guarded: SectionToFold['guarded'],
): Guard {
  return guarded?.guard ?? guard
}

function foldSection({ title, sections }: SearchablePage, index: number): SectionWords {
  const { anchor, heading, body, guarded } = sections[index]!
  const fold = (text: string) => wordsOf(foldText(text))
  const ofName = index === 0 ? title : heading
  const name = wordsOf(foldPhrases(ofName).flat().join(' '))
  if (index === 0) return { title: fold(title), heading: [], body: fold(body), name }
  const goesOn = guarded === undefined ? anchor === sections[index - 1]!.anchor : !guarded.isNamed
  const around = fold(title)
  return goesOn
    ? { title: [], heading: [], body: [...fold(body), ...fold(heading), ...around], name: [] }
    : { title: [], heading: fold(heading), body: [...fold(body), ...around], name }
}

/** Longer words are hashes and keys, which are found as they are and not counted. */
const longestCounted = 32

/** What is guarded is counted by its guard, which is counted, too. */
function distinctWords(sections: readonly SectionWords[], guards: readonly (string | undefined)[]): string {
  const words = new Set<string>()
  for (const [at, { title, heading, body }] of sections.entries()) {
    const guard = guards[at]
    const before = guard === undefined ? '' : guardPrefix(guard)
    if (guard !== undefined) words.add(before)
    for (const word of [...title, ...heading, ...body])
      if (word.length <= longestCounted) words.add(before + word)
  }
  return [...words].toSorted().join(' ')
}
