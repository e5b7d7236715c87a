/**
 * Query plan: the steps in which sections are searched, from the whole query to its rarest words.
 *
 * A query takes at most eleven steps of sixteen groups of twelve words, finds at most 200 sections, and reads 40 texts. A
 * step skips sections that have some of its words, which is slowest when all of them are common; a phrase is the most
 * expensive, and has its own bound.
 */
import { type SearchStep, markers } from './engine.js'
import type { QueryAnalysis } from './analyze-query.js'

type Groups = readonly (readonly string[])[]

/**
 * A phrase is checked in every section with its words: when each is in more pages than this, that takes milliseconds and
 * finds what all pages say.
 */
const maxPagesOfPhrase = 3_000

/** Sections whose texts are read, in which phrases are found by the ranking. */
export const maxRankedByText = 40

/** Returns the steps that find all words of the query, the strictest first. */
export function stepsForAll({ words, phrases, pagesOfPhrase }: QueryAnalysis): readonly SearchStep[] {
  const groups = words.map(({ variants }) => variants.map(({ word }) => word))
  const prominent = groups.map((group) => group.map(markers.prominent))
  const names = [phrases.flat(), ...(groups.length === 1 ? groups[0]!.map((word) => [word]) : [])]
  const isPhrase = phrases.some((phrase) => phrase.length > 1) && pagesOfPhrase <= maxPagesOfPhrase
  const all = { wants: 'all', finds: 'words', limit: 200 } as const
  return [
    { ...all, groups: [names.map(markers.name)], limit: 20, after: all.limit },
    { ...all, groups: prominent, after: all.limit },
    ...(isPhrase
      ? [
          {
            wants: 'phrases',
            finds: 'phrase',
            groups: phrases,
            limit: 20,
            after: maxRankedByText + 1,
          } as const,
        ]
      : []),
    ...(groups.length > 1
      ? [{ ...all, wants: 'some', groups: prominent, beside: groups, limit: 60, after: all.limit } as const]
      : []),
    { ...all, groups, isCommon: words.every(({ pages }) => pages > maxPagesOfPhrase) },
  ]
}

/** Words that are omitted one by one: the rarest, which are most likely missing. */
const maxOmittedWords = 3
/** Total pages of words of which any suffices. */
const maxPagesOfSome = 300

/** Returns the steps that find most words of the query, or its rarest. */
export function stepsForMost({ words }: QueryAnalysis): readonly SearchStep[] {
  if (words.length < 2) return []
  const groups = words
    .toSorted((a, b) => a.pages - b.pages)
    .map(({ variants, pages }) => ({ pages, group: variants.map(({ word }) => word) }))
  const all = groups.map(({ group }) => group)
  const parts: Groups[] = []
  if (all.length > 2) {
    for (let left = 0; left < maxOmittedWords; left += 1) parts.push(all.toSpliced(left, 1))
  }
  if (all.length > 3) parts.push(all.slice(0, Math.ceil(all.length / 2)))
  let pages = 0
  const rare = groups.filter((one, place) => (pages += one.pages) <= maxPagesOfSome || place === 0)
  const some = rare.map(({ group }) => group)
  return [
    ...parts.map((part): SearchStep => ({ wants: 'all', finds: 'some', groups: part, limit: 20 })),
    { wants: 'some', finds: 'some', groups: some.map((group) => group.map(markers.prominent)), limit: 40 },
    { wants: 'some', finds: 'some', groups: some, limit: 40 },
  ]
}
