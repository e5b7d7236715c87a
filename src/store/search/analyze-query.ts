/**
 * Query analysis: expands each word of a query to its variants in the vocabularies of the scope spaces, with weights.
 * Reads no words of other spaces, so none can leak.
 */
import { readQuery } from '../../core/search/query.js'
import { type WeightedQuery, type WeightedTerm, rarityWeight } from '../../core/search/score.js'
import {
  type IndexedWord,
  type Lookup,
  type Variant,
  chooseVariants,
  mayBeMistyped,
  variantLookups,
  typoLookups,
} from '../../core/search/variants.js'
import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import type { Db } from '../db/database.js'
import type { Tables } from '../db/tables.js'
import type { SectionScope, VocabularySpace } from './engine.js'
import { guardPrefix } from './guards.js'
import { findWords } from './vocabulary.js'

export interface QueryAnalysis extends WeightedQuery {
  readonly words: readonly QueryWord[]
  /** All words of the query in the order in which they are in a matching text. */
  readonly phrases: readonly (readonly string[])[]
  /** Number of pages with the rarest word of the phrases. */
  readonly pagesOfPhrase: number
  /** Every variant of the words of the query, for highlighting. */
  readonly marked: readonly string[]
}

export interface QueryWord extends WeightedTerm {
  readonly variants: readonly Variant[]
  /** Upper bound of the number of pages with one of its variants. */
  readonly pages: number
}

/** Spaces whose vocabulary is read; others are scope by the words as typed. */
const maxVocabularySpaces = 30
/** The same for guards: the words of each are looked up separately. */
const maxGuards = 12

/** Returns the analysis of a query; without words when it has none. */
export async function analyzeQuery(db: Db, scope: SectionScope, text: string): Promise<QueryAnalysis> {
  const spaces = await listVocabularySpaces(db, scope)
  const languages = [...new Set(spaces.map(({ language }) => language))]
  const { terms, isOpen, phrases } = readQuery(text, languages)
  const open = (term: string) => isOpen && term === terms.at(-1)

  /** Undefined until the first lookup. */
  let guards = 'spaceIds' in scope ? scope.guards : undefined

  /** Returns the known ones of some words, and the words similar to each of the terms. */
  async function lookUp(
    some: readonly string[],
    lookedUp: readonly string[],
    lookupsOf: (term: string) => readonly Lookup[],
  ) {
    const around = lookedUp.map(lookupsOf)
    const lookups = [{ in: some }, ...around.flat()]
    const find = (own: readonly VocabularySpace[], prefix = '', most = 0) =>
      findWords(db, scope.organizationId, own, { lookups, prefix, maxGuards: most })
    const open = await find(spaces, '', guards === undefined ? maxGuards + 1 : 0)
    guards ??= open.guards
    const parts = [open.found]
    for (const { spaceId, guard } of guards.slice(0, maxGuards)) {
      const own = spaces.filter((space) => space.spaceId === spaceId)
      parts.push((await find(own, guardPrefix(guard))).found)
    }
    const [known, ...found] = lookups.map((_, at) => parts.flatMap((part) => part[at]!))
    let at = 0
    return { known: known!, around: around.map(({ length }) => found.slice(at, (at += length)).flat()) }
  }

  const phraseWords = [...new Set(phrases.flat())]
  const first = await lookUp([...phraseWords, ...terms], terms, (term) =>
    variantLookups(term, languages, open(term)),
  )
  // Words that are not looked up may be known all the same.
  const isAllLookedUp = (guards?.length ?? 0) <= maxGuards
  const known = terms.map((term, index) => [
    ...first.known.filter(({ word }) => word === term),
    ...first.around[index]!,
  ])
  const variants = terms.map((term, index) =>
    chooseVariants(term, known[index]!, { isOpen: open(term), isMistyped: false }),
  )
  const mistyped = terms.filter((_, index) => mayBeMistyped(variants[index]!))
  const { around } = await lookUp([], mistyped, typoLookups)
  for (const [index, term] of mistyped.entries()) {
    const at = terms.indexOf(term)
    const all = [...known[at]!, ...around[index]!]
    variants[at] = chooseVariants(term, all, { isOpen: open(term), isMistyped: true })
  }
  const isKnown = variants.some((some) => some.length > 0)
  const words = terms.flatMap((term, index): QueryWord[] => {
    const some = variants[index]!
    // A word without pages is dropped; but if none is known, the vocabulary may not be built yet.
    if (some.length === 0 && isKnown && isAllLookedUp) return []
    const pages = some.reduce((sum, variant) => sum + variant.pages, 0)
    return [
      {
        variants: some.length > 0 ? some : [{ word: term, pages: 0, quality: 1 }],
        pages,
        weight: rarityWeight(pages),
      },
    ]
  })
  const marked = [...new Set(words.flatMap((word) => word.variants.map((variant) => variant.word)))]
  return { words, text, phrases, pagesOfPhrase: pagesOfRarest(phraseWords, first.known), marked }
}

/** Number of pages with the rarest of the words. */
function pagesOfRarest(words: readonly string[], known: readonly IndexedWord[]): number {
  const pages = new Map(words.map((word) => [word, 0]))
  for (const { word, pages: more } of known) pages.set(word, pages.get(word)! + more)
  return Math.min(...pages.values())
}

async function listVocabularySpaces(db: Db, scope: SectionScope): Promise<readonly VocabularySpace[]> {
  if ('spaceIds' in scope && scope.vocabularySpaces !== undefined)
    return scope.vocabularySpaces.slice(0, maxVocabularySpaces)
  const isInScope = (space: ReturnType<typeof expressionBuilder<Tables, 'spaces'>>): Expression<SqlBool> =>
    'spaceIds' in scope
      ? space('id', 'in', scope.spaceIds.slice(0, maxVocabularySpaces))
      : scope.isInScope(space)
  return db
    .selectFrom('spaces')
    .select(['id as spaceId', 'language'])
    .where('organization_id', '=', scope.organizationId)
    .where(isInScope)
    .orderBy('id')
    .limit(maxVocabularySpaces)
    .execute()
}
