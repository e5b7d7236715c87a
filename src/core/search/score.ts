/**
 * How well a section answers a query: which of its words stand there, as themselves or as something near, in the
 * title, a heading or the text, and whether they stand together and in order.
 *
 * The index finds candidates in its own order; this order is the one that people see, the same on every engine.
 */
import type { Variant } from './variants.js'
import { phraseText, phraseMatcher } from './match-phrase.js'
import { foldText, isSpaceless, spellOut, withoutLonger } from './words.js'

/** A word of the query, and what answers it. */
export interface WeightedTerm {
  readonly variants: readonly Pick<Variant, 'word' | 'quality'>[]
  /** How much it says; rare words say more. */
  readonly weight: number
}

export interface WeightedQuery {
  readonly words: readonly WeightedTerm[]
  /** The query as it was typed. */
  readonly text: string
}

export interface ScoredText {
  readonly title: string
  /** Empty where the section is the first one of its page. */
  readonly heading: string
  /** Undefined when it was not read. */
  readonly body: string | undefined
  /** What is known already: that it holds the query as a phrase, all of its words, or only some. */
  readonly holds: 'phrase' | 'words' | 'some'
}

/** What a match in each place is worth, of which the best counts. */
const [inTitle, inHeading, inBody] = [1, 0.95, 0.8]
/** What a title or heading adds that is about nothing else than the query. */
const [titleOnlyBonus, headingOnlyBonus] = [1.1, 1]
/** What each word adds when all of the query stand together as they were typed, up to five: nobody types so by chance. */
const [phraseBonusPerWord, maxPhraseWords] = [0.25, 5]
/** What it adds that they stand one by one beside the next. */
const adjacencyBonus = 0.3

/** What it adds that a query with signs, such as `--install` or `privilege::debug`, stands there sign by sign. */
const literalBonus = 0.5

/** More than any section gets. */
const maxScore = 10

/** Returns how much a word says that this many pages hold. */
export function inverseDocumentFrequency(pages: number): number {
  return 1 / (1 + Math.log2(1 + pages) / 4)
}

/** Returns what scores sections by the query: higher for better ones, below 0 for those that hold no more than half of it. */
export function createScorer({ words, text }: WeightedQuery): (section: ScoredText) => number {
  const sought = words.map(({ variants, weight }) => ({
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

  /** The share of the words of a title or heading that the query is about: smaller, the more it says besides. */
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

  const tell = withoutLonger(words.flatMap(({ variants }) => variants.map(({ word }) => word)))
  /** Folding is slow beside this: most names in ASCII are seen to hold none of the words without it. */
  const mayHold = (name: string, text: string): boolean => {
    if (!/^[ -"$-*,-~]*$/.test(name) || tell.some((word) => text.includes(word))) return true
    if (!/[._'-]/.test(text)) return false
    const joined = text.replace(/[._'-]/g, '')
    return tell.some((word) => joined.includes(word))
  }
  const nothing = words.map(() => 0)
  const read = (name: string): ReadName => {
    const text = phraseText(name)
    if (!mayHold(name, text)) return { text, qualities: nothing, points: 0 }
    const folded = isPlain(name) ? spellOut(name) : wordsOfName(name)
    const qualities = sought.map(({ variants }) => best(variants, folded))
    const points = sought.reduce((sum, { weight }, at) => sum + qualities[at]! * weight, 0) / total
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
    for (const [at, { variants, weight }] of sought.entries()) {
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

/** What a title or heading says of the query: read once, because all sections of a page have one title. */
interface ReadName {
  readonly text: string
  /** How well it answers each word; 0 where it does not. */
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
