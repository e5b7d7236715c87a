/**
 * Search ranking: scores a section by the query words that it has, exact or as variants, in the title, a heading or the
 * text, and by their adjacency and order.
 *
 * The index finds candidates in its own order; this is the order of the results, the same on every database engine.
 */
import type { Variant } from './variants.js'
import { phraseText, phraseMatcher } from './match-phrase.js'
import { foldText, isSpaceless, spellOut, withoutLonger } from './words.js'

/** A word of the query, and its variants. */
export interface WeightedTerm {
  readonly variants: readonly Pick<Variant, 'word' | 'quality'>[]
  /** Weight; rare words weigh more. */
  readonly weight: number
}

export interface WeightedQuery {
  readonly words: readonly WeightedTerm[]
  /** The query as it was typed. */
  readonly text: string
}

export interface ScoredText {
  readonly title: string
  /** Of the first section of a page: its other titles, empty where it has none. */
  readonly heading: string
  /** Undefined when it was not read. */
  readonly body: string | undefined
  /** The match known from the index: the query as a phrase, all of its words, or only some. */
  readonly holds: 'phrase' | 'words' | 'some'
}

/** Points of a match by field, of which the best counts. */
const [inTitle, inHeading, inBody] = [1, 0.95, 0.8]
/** Bonus of a title or heading that consists of nothing but the query. */
const [titleOnlyBonus, headingOnlyBonus] = [1.1, 1]
/** Bonus per word of an exact phrase match of the whole query, up to five words. */
const [phraseBonusPerWord, maxPhraseWords] = [0.25, 5]
/** Bonus for adjacent query words. */
const adjacencyBonus = 0.3

/** Bonus for a literal match of a query with punctuation, such as `--install` or `privilege::debug`. */
const literalBonus = 0.5

/** Above the score of any section. */
const maxScore = 10

/** Returns the weight of a word that occurs on this many pages, an inverse document frequency. */
export function rarityWeight(pages: number): number {
  return 1 / (1 + Math.log2(1 + pages) / 4)
}

/** Returns a function that scores sections by the query: higher is better, below 0 for those that match no more than half of it. */
export function createScorer({ words, text }: WeightedQuery): (section: ScoredText) => number {
  const termsByWeight = words.map(({ variants, weight }) => ({
    weight,
    // The best come first.
    variants: variants.map(({ word, quality }) => ({ stands: phraseMatcher(word), quality })),
  }))
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const meant = new Set([
    ...words.flatMap(({ variants }) => variants.map(({ word }) => word)),
    ...foldText(text).split(' '),
  ])
  const spelled = spellOut(text).trim().split(' ')
  const asPhrase =
    phraseBonusPerWord * Math.min(spelled.length === 1 ? words.length : spelled.length, maxPhraseWords)
  const standsWhole = phraseMatcher(spelled.join(' '))
  const pairs = spelled.slice(1).map((word, index) => phraseMatcher(`${spelled[index]!} ${word}`))

  const literal = text.trim().toLowerCase()
  const hasSigns = /[^\p{L}\p{N}\s]/u.test(literal)
  const isWritten = (texts: readonly string[]): boolean =>
    texts.some((one) => one.toLowerCase().includes(literal))

  /** The share of the words of a title or heading that match the query. */
  const shareMeant = (name: string): number => {
    const all = name.split(' ').filter((word) => word !== '')
    return all.length === 0 ? 0 : all.filter((word) => meant.has(word)).length / all.length
  }
  const togetherness = (texts: readonly string[]): number => {
    if (spelled.length === 1 && !isSpaceless(spelled[0]!)) return 0
    if (texts.some(standsWhole)) return asPhrase
    // One pair is the whole again.
    if (pairs.length < 2) return 0
    return (pairs.filter((stands) => texts.some(stands)).length / pairs.length) * adjacencyBonus
  }

  const prefixes = withoutLonger(words.flatMap(({ variants }) => variants.map(({ word }) => word)))
  /** Cheap prefilter before folding: most ASCII names have none of the words. */
  const mayHold = (name: string, text: string): boolean => {
    if (!/^[ -"$-*,-~]*$/.test(name) || prefixes.some((word) => text.includes(word))) return true
    if (!/[._'-]/.test(text)) return false
    const joined = text.replace(/[._'-]/g, '')
    return prefixes.some((word) => joined.includes(word))
  }
  const nothing = words.map(() => 0)
  const read = (name: string): ReadName => {
    const text = phraseText(name)
    if (!mayHold(name, text)) return { text, qualities: nothing, points: 0 }
    const folded = isPlain(name) ? spellOut(name) : wordsOfName(name)
    const qualities = termsByWeight.map(({ variants }) => best(variants, folded))
    const points = termsByWeight.reduce((sum, { weight }, at) => sum + qualities[at]! * weight, 0) / total
    return { text, qualities, points: points * shareMeant(folded) ** 0.5 }
  }
  const names = new Map<string, ReadName>()
  const readOnce = (name: string): ReadName => {
    let known = names.get(name)
    if (known === undefined) names.set(name, (known = read(name)))
    return known
  }

  return ({ title, heading, body, holds: known }) => {
    const [ofTitle, ofHeading] = [readOnce(title), readOnce(heading)]
    const inside = body === undefined ? '' : phraseText(body)
    let [held, covered] = [0, 0]
    for (const [at, { variants, weight }] of termsByWeight.entries()) {
      const [one, two] = [ofTitle.qualities[at]!, ofHeading.qualities[at]!]
      const inText =
        (inside === '' ? 0 : best(variants, inside)) || (known === 'some' ? 0 : variants.at(-1)!.quality)
      if (one || two || inText) held += weight
      covered += Math.max(one * inTitle, two * inHeading, inText * inBody) * weight
    }
    const name = Math.max(ofTitle.points * titleOnlyBonus, ofHeading.points * headingOnlyBonus)
    const together = known === 'phrase' ? asPhrase : togetherness([ofTitle.text, ofHeading.text, inside])
    const score =
      covered / total +
      name +
      together +
      (hasSigns && isWritten([title, heading, body ?? '']) ? literalBonus : 0)
    return held > total / 2 ? score : score - maxScore
  }
}

/**
 * Whether folding makes no more of a title or heading than its words one by one, and costs ten times as much: it has no
 * sign that is spelled out, no letter beyond ASCII, nothing joined, no capital inside, and no word that is cut.
 */
function isPlain(name: string): boolean {
  return name.length <= 64 && !compound.test(name)
}

const compound = /[^ -"$-*,-~]|[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z0-9][._'-][A-Za-z0-9]/

/** The match of a title or heading: computed once, because all sections of a page have one title. */
interface ReadName {
  readonly text: string
  /** Match quality of each word; 0 where it does not match. */
  readonly qualities: readonly number[]
  /** For what it is about, and nothing else. */
  readonly points: number
}

/** Titles and headings are short: the parts of their compounds are words, too. */
function wordsOfName(text: string): string {
  return text === '' ? '' : ` ${foldText(text)} `
}

function best(
  variants: readonly { readonly stands: (text: string) => boolean; readonly quality: number }[],
  text: string,
): number {
  return variants.find(({ stands }) => stands(text))?.quality ?? 0
}
