/** Query parsing: the significant terms, their order, and whether the last is still being typed. */
import { stopWordsOf } from './stop-words.js'
import { foldPhrases, queryTerms } from './words.js'

export interface Query {
  /** Folded, none twice, in their order: without stop words, unless there are no others. */
  readonly terms: readonly string[]
  /** The last term may be the beginning of a word. */
  readonly isOpen: boolean
  /** All words as in a text with this phrase; those of scripts without spaces separately. */
  readonly phrases: readonly (readonly string[])[]
}

/** Most terms that are looked up in the index: more words are no more specific. */
const maxTerms = 16

/** Reads a query to texts in some languages; any text is a valid one. */
export function readQuery(text: string, languages: readonly (string | null)[]): Query {
  const { terms: all, prefixLast } = queryTerms(text)
  const small = languages.map(stopWordsOf)
  const telling = all.filter((term) => !small.some((words) => words.has(term)))
  // Of more words the last ones stay: the user is typing there.
  const terms = (telling.length > 0 ? telling : all).slice(-maxTerms)
  const isOpen = prefixLast && terms.at(-1) === all.at(-1) && isWorthOpening(terms)
  return { terms, isOpen, phrases: foldPhrases(text) }
}

/** One Latin letter begins every tenth word: beside other words it would cost much and select nothing. */
function isWorthOpening(terms: readonly string[]): boolean {
  const last = terms.at(-1)!
  return terms.length === 1 || last.length > 1 || last > '\u02ff'
}
