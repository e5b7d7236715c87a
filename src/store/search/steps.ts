/**
 * In which ways sections are looked for, from those that ask for the whole query to those that are content with its
 * rarest words. What each way costs is bounded by the engine; there are at most a dozen.
 */
import { type Step, marked } from './engine.js'
import type { Meaning } from './meaning.js'

type Groups = readonly (readonly string[])[]

/**
 * A phrase is looked for in every section that holds its words: where each is in more pages than this, it would cost
 * milliseconds and find what all pages say.
 */
const mostPagesOfPhrase = 3_000

/** Answers the ways to find what holds all words of the query, those that ask for most first. */
export function stepsForAll({ words, phrases, pagesOfPhrase }: Meaning): readonly Step[] {
  const groups = words.map(({ variants }) => variants.map(({ word }) => word))
  const prominent = groups.map((group) => group.map(marked.prominent))
  const names = [phrases.flat(), ...(groups.length === 1 ? groups[0]!.map((word) => [word]) : [])]
  const isPhrase = phrases.some((phrase) => phrase.length > 1) && pagesOfPhrase <= mostPagesOfPhrase
  return [
    { wants: 'all', finds: 'words', groups: [names.map(marked.name)], limit: 20 },
    { wants: 'all', finds: 'words', groups: prominent, limit: 60 },
    ...(isPhrase ? [{ wants: 'phrases', finds: 'phrase', groups: phrases, limit: 20 } as const] : []),
    ...(groups.length > 1
      ? [{ wants: 'some', finds: 'words', groups: prominent, beside: groups, limit: 60 } as const]
      : []),
    { wants: 'all', finds: 'words', groups, limit: 200 },
  ]
}

/** Leaving out more than this many words one by one says little. */
const mostLeftOut = 6
/** Pages that words of which any is enough may stand in together. */
const mostPagesOfSome = 300

/** Answers the ways to find what holds most words of the query, or its rarest. */
export function stepsForMost({ words }: Meaning): readonly Step[] {
  if (words.length < 2) return []
  const groups = words.map(({ variants }) => variants.map(({ word }) => word))
  const byRarity = words.map((_, index) => index).toSorted((a, b) => words[a]!.pages - words[b]!.pages)
  const without = (left: number): Groups => groups.filter((_, index) => index !== left)
  const steps: Step[] =
    words.length === 2
      ? []
      : byRarity
          .toReversed()
          .slice(0, mostLeftOut)
          .map((left) => ({ wants: 'all', finds: 'some', groups: without(left), limit: 15 }))
  let pages = 0
  const rare = byRarity.filter(
    (index, place) => (pages += words[index]!.pages) <= mostPagesOfSome || place === 0,
  )
  const some = rare.map((index) => groups[index]!)
  return [
    ...steps,
    { wants: 'some', finds: 'some', groups: some.map((group) => group.map(marked.prominent)), limit: 40 },
    { wants: 'some', finds: 'some', groups: some, limit: 60 },
  ]
}
