/**
 * Query expansion: the indexed words that match a word of a query: the word itself, its other inflections, words with it
 * as prefix or suffix, and likely typos.
 */
import { editDistance, maxErrors, intactLetters, swapMiddle } from './edit-distance.js'
import { stemmerOf } from './stems.js'
import { isSpaceless } from './words.js'

/** A word that the index holds. */
export interface IndexedWord {
  readonly word: string
  /** How many pages hold it. */
  readonly pages: number
  /** Of the texts that hold it. */
  readonly language: string | null
  /** The space of the texts: a word may be indexed in several spaces, and match in several ways. */
  readonly space: string
}

export interface Variant {
  readonly word: string
  readonly pages: number
  /** Match quality: 1 for the word itself, less for more distant variants. */
  readonly quality: number
}

/** Words to be looked up: some, all that begin with some letters, or all that end with some. */
export type Lookup =
  | { readonly in: readonly string[] }
  | { readonly begins: string; readonly lengths?: Lengths }
  | { readonly ends: readonly string[]; readonly lengths?: Lengths }

/** Least and most letters of the words meant. */
type Lengths = readonly [least: number, most: number]

const [inflected, prefixed, ended, mistyped, mistypedTwice] = [0.9, 0.8, 0.7, 0.65, 0.5]
/** More would cost more than they contribute. */
const maxVariants = 12
/** A word on no more pages may be a typo of another. */
const rarePageCount = 1
const leastEnd = 5

/** Languages with compound words, whose last part is the head; in Arabic, articles are prefixed. */
const joining = new Set('ar da de fi hu nb nl nn no sv'.split(' '))
/** Endings of the words that are at the end of another, longer ones first. */
const endingsOfJoined: ReadonlyMap<string, readonly string[]> = new Map([
  ['de', ['ern', 'en', 'er', 'es', 'e', 'n', 's', '']],
  ['nl', ['en', 's', '']],
  ['sv', ['en', 'ar', 'er', 'or', '']],
])

/** Returns the lookups of a query word's variants, besides itself, by the languages of the texts. */
export function variantLookups(
  term: string,
  languages: readonly (string | null)[],
  isOpen: boolean,
): readonly Lookup[] {
  const lookups: Lookup[] = []
  if (isOpen) lookups.push({ begins: term })
  if (!hasEndings(term)) return lookups
  const begins = new Set(languages.map((language) => commonBeginning(term, stemmerOf(language)(term))))
  for (const letters of begins) {
    if (letters.length >= 2) lookups.push({ begins: letters, lengths: [letters.length, term.length + 5] })
  }
  const ends = languages.flatMap((language) => endsWith(term, language))
  return ends.length === 0 ? lookups : [...lookups, { ends: [...new Set(ends)] }]
}

/** Returns the lookups of words that a typo may mean; none for words that are too short. */
export function typoLookups(term: string): readonly Lookup[] {
  const most = maxErrors(term)
  if (most === 0 || !hasEndings(term)) return []
  const intact = intactLetters(term)
  const lengths = [term.length - most, term.length + most] as const
  return [
    { in: [swapMiddle(term)] },
    { begins: term.slice(0, intact), lengths },
    { ends: [term.slice(-intact)], lengths },
  ]
}

/** Returns whether a word may be a typo: the index has none, or hardly one, of its variants. */
export function mayBeMistyped(variants: readonly Variant[]): boolean {
  return variants.reduce((sum, { pages }) => sum + pages, 0) <= rarePageCount
}

/** Returns the best of the indexed words that match a word of a query. */
export function chooseVariants(
  term: string,
  known: readonly IndexedWord[],
  { isOpen, isMistyped }: { readonly isOpen: boolean; readonly isMistyped: boolean },
): readonly Variant[] {
  const found = new Map<string, Variant>()
  const stems = new Map<string | null, [stem: (word: string) => string, of: string]>()
  const added = new Set<string>()
  for (const { word, pages, language, space } of known) {
    const key = `${space} ${word}`
    if (added.has(key)) continue
    added.add(key)
    const before = found.get(word)
    if (before !== undefined) {
      found.set(word, { ...before, pages: before.pages + pages })
      continue
    }
    let stemming = stems.get(language)
    if (stemming === undefined) {
      const stem = stemmerOf(language)
      stems.set(language, (stemming = [stem, stem(term)]))
    }
    const quality = scoreVariant(term, word, stemming, isOpen, isMistyped)
    if (quality > 0) found.set(word, { word, pages, quality })
  }
  return [...found.values()]
    .toSorted((a, b) => b.quality - a.quality || b.pages - a.pages || (a.word < b.word ? -1 : 1))
    .slice(0, maxVariants)
}

function scoreVariant(
  term: string,
  word: string,
  [stem, stemOfTerm]: readonly [(word: string) => string, string],
  isOpen: boolean,
  isMistyped: boolean,
): number {
  if (word === term) return 1
  const own = stem(word)
  if (own === stemOfTerm) return inflected
  if (isOpen && word.startsWith(term)) return prefixed
  if (isMistyped) {
    const errors = editDistance(term, word, maxErrors(term))
    if (errors !== undefined) return errors === 1 ? mistyped : mistypedTwice
  }
  return stemOfTerm.length >= leastEnd - 1 && own.endsWith(stemOfTerm) ? ended : 0
}

/** Returns the suffixes of compounds with the term, in its inflections. */
function endsWith(term: string, language: string | null): string[] {
  const code = language?.split('-')[0] ?? ''
  if (!joining.has(code)) return []
  const endings = endingsOfJoined.get(code) ?? ['']
  const own = endings.find((ending) => ending !== '' && term.endsWith(ending)) ?? ''
  const base = term.slice(0, term.length - own.length)
  const ends = [...endings.map((ending) => base + ending), stemmerOf(language)(term)]
  return ends.filter((end) => end.length >= leastEnd || code === 'ar')
}

function hasEndings(term: string): boolean {
  return term.length >= 3 && !/\p{N}/u.test(term) && !isSpaceless(term)
}

/** One letter less than both have in common: an ending may take the last one along, as in `policy` and `policies`. */
function commonBeginning(term: string, stem: string): string {
  let length = 0
  while (length < stem.length && stem[length] === term[length]) length += 1
  return term.slice(0, length > 3 ? length - 1 : length)
}
