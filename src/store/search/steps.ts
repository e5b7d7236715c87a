/**
 * In which ways sections are looked for, from those that ask for the whole query to those that are content with its
 * rarest words.
 *
 * A query takes at most eleven steps of sixteen groups of twelve words, finds at most 200 sections, and reads 40 texts. A
 * step passes over sections that hold some of its words, which costs most where all of them are common; a phrase is
 * the dearest, and has a bound of its own.
 */
import { type Step, marked } from './engine.js'
import type { Meaning } from './meaning.js'

type Groups = readonly (readonly string[])[]

/**
 * A phrase is looked for in every section that holds its words: where each is in more pages than this, it would cost
 * milliseconds and find what all pages say.
 */
const mostPagesOfPhrase = 3_000

/** Of so many sections the texts are read, which say by themselves what is a phrase. */
export const mostRead = 40

/** Answers the ways to find what holds all words of the query, those that ask for most first. */
export function stepsForAll({ words, phrases, pagesOfPhrase }: Meaning): readonly Step[] {
  const groups = words.map(({ variants }) => variants.map(({ word }) => word))
  const prominent = groups.map((group) => group.map(marked.prominent))
  const names = [phrases.flat(), ...(groups.length === 1 ? groups[0]!.map((word) => [word]) : [])]
  const isPhrase = phrases.some((phrase) => phrase.length > 1) && pagesOfPhrase <= mostPagesOfPhrase
  const all = { wants: 'all', finds: 'words', limit: 200 } as const
  return [
    { ...all, groups: [names.map(marked.name)], limit: 20, after: all.limit },
    { ...all, groups: prominent, after: all.limit },
    ...(isPhrase
      ? [{ wants: 'phrases', finds: 'phrase', groups: phrases, limit: 20, after: mostRead + 1 } as const]
      : []),
    ...(groups.length > 1
      ? [{ ...all, wants: 'some', groups: prominent, beside: groups, limit: 60, after: all.limit } as const]
      : []),
    { ...all, groups, isCommon: words.every(({ pages }) => pages > mostPagesOfPhrase) },
  ]
}

/** Words that are left out one by one, the rarest, which is missing most likely. */
const mostLeftOut = 3
/** Pages that words of which any is enough may stand in together. */
const mostPagesOfSome = 300

/** Answers the ways to find what holds most words of the query, or its rarest. */
export function stepsForMost({ words }: Meaning): readonly Step[] {
  if (words.length < 2) return []
  const groups = words
    .toSorted((a, b) => a.pages - b.pages)
    .map(({ variants, pages }) => ({ pages, group: variants.map(({ word }) => word) }))
  const all = groups.map(({ group }) => group)
  const parts: Groups[] = []
  if (all.length > 2) {
    for (let left = 0; left < mostLeftOut; left += 1) parts.push(all.toSpliced(left, 1))
  }
  if (all.length > 3) parts.push(all.slice(0, Math.ceil(all.length / 2)))
  let pages = 0
  const rare = groups.filter((one, place) => (pages += one.pages) <= mostPagesOfSome || place === 0)
  const some = rare.map(({ group }) => group)
  return [
    ...parts.map((part): Step => ({ wants: 'all', finds: 'some', groups: part, limit: 20 })),
    { wants: 'some', finds: 'some', groups: some.map((group) => group.map(marked.prominent)), limit: 40 },
    { wants: 'some', finds: 'some', groups: some, limit: 40 },
  ]
}
