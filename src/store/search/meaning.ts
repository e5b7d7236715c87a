/**
 * What the words of a query mean in the spaces that are searched: which words of theirs answer each, and how much
 * it says. No word of another space is looked at, so none can be told.
 */
import { readQuery } from '../../core/search/query.js'
import { type Sought, type SoughtWord, weigh } from '../../core/search/score.js'
import {
  type KnownWord,
  type Lookup,
  type Variant,
  chooseVariants,
  mayBeMistyped,
  whereToLook,
  whereToLookForMistyped,
} from '../../core/search/variants.js'
import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import type { Db } from '../db/database.js'
import type { Tables } from '../db/tables.js'
import type { Searched, SpokenSpace } from './engine.js'
import { guardPrefix } from './guards.js'
import { findWords } from './vocabulary.js'

export interface Meaning extends Sought {
  readonly words: readonly MeantWord[]
  /** All words of the query as they stand together in a text that says the same. */
  readonly phrases: readonly (readonly string[])[]
  /** How many pages hold the rarest word of the phrases. */
  readonly pagesOfPhrase: number
  /** Every word that answers one of the query. */
  readonly marked: readonly string[]
}

export interface MeantWord extends SoughtWord {
  readonly variants: readonly Variant[]
  /** How many pages hold one of its variants, at most. */
  readonly pages: number
}

/** Spaces whose words are looked up: of more, the others are searched by the words as they were typed. */
const mostSpoken = 30
/** The same for what guards parts of them: the words of each are looked up apart. */
const mostGuards = 12

/** Answers what a query means; no words when it holds none. */
export async function findMeaning(db: Db, searched: Searched, text: string): Promise<Meaning> {
  const spaces = await listSpoken(db, searched)
  const languages = [...new Set(spaces.map(({ language }) => language))]
  const { terms, isOpen, phrases } = readQuery(text, languages)
  const open = (term: string) => isOpen && term === terms.at(-1)

  /** Undefined until the first lookup has told. */
  let guards = 'spaceIds' in searched ? searched.guards : undefined

  /** Answers the known ones of some words, and those around each of the terms. */
  async function lookUp(
    some: readonly string[],
    asked: readonly string[],
    where: (term: string) => readonly Lookup[],
  ) {
    const around = asked.map(where)
    const lookups = [{ in: some }, ...around.flat()]
    const find = (own: readonly SpokenSpace[], prefix = '', most = 0) =>
      findWords(db, searched.organizationId, own, { lookups, prefix, mostGuards: most })
    const open = await find(spaces, '', guards === undefined ? mostGuards + 1 : 0)
    guards ??= open.guards
    const parts = [open.found]
    for (const { spaceId, guard } of guards.slice(0, mostGuards)) {
      const own = spaces.filter((space) => space.spaceId === spaceId)
      parts.push((await find(own, guardPrefix(guard))).found)
    }
    const [known, ...found] = lookups.map((_, at) => parts.flatMap((part) => part[at]!))
    let at = 0
    return { known: known!, around: around.map(({ length }) => found.slice(at, (at += length)).flat()) }
  }

  const spoken = [...new Set(phrases.flat())]
  const first = await lookUp([...spoken, ...terms], terms, (term) => whereToLook(term, languages, open(term)))
  // Words that are not looked up may be known for all that.
  const isAllLookedUp = (guards?.length ?? 0) <= mostGuards
  const known = terms.map((term, index) => [
    ...first.known.filter(({ word }) => word === term),
    ...first.around[index]!,
  ])
  const variants = terms.map((term, index) =>
    chooseVariants(term, known[index]!, { isOpen: open(term), isMistyped: false }),
  )
  const mistyped = terms.filter((_, index) => mayBeMistyped(variants[index]!))
  const { around } = await lookUp([], mistyped, whereToLookForMistyped)
  for (const [index, term] of mistyped.entries()) {
    const at = terms.indexOf(term)
    const all = [...known[at]!, ...around[index]!]
    variants[at] = chooseVariants(term, all, { isOpen: open(term), isMistyped: true })
  }
  const isKnown = variants.some((some) => some.length > 0)
  const words = terms.flatMap((term, index): MeantWord[] => {
    const some = variants[index]!
    // A word that no page holds finds none; but a vocabulary that holds none of them may be still to be made.
    if (some.length === 0 && isKnown && isAllLookedUp) return []
    const pages = some.reduce((sum, variant) => sum + variant.pages, 0)
    return [
      {
        variants: some.length > 0 ? some : [{ word: term, pages: 0, quality: 1 }],
        pages,
        weight: weigh(pages),
      },
    ]
  })
  const marked = [...new Set(words.flatMap((word) => word.variants.map((variant) => variant.word)))]
  return { words, text, phrases, pagesOfPhrase: pagesOfRarest(spoken, first.known), marked }
}

/** How many pages hold the one of the words that the fewest hold. */
function pagesOfRarest(words: readonly string[], known: readonly KnownWord[]): number {
  const pages = new Map(words.map((word) => [word, 0]))
  for (const { word, pages: more } of known) pages.set(word, pages.get(word)! + more)
  return Math.min(...pages.values())
}

async function listSpoken(db: Db, searched: Searched): Promise<readonly SpokenSpace[]> {
  if ('spaceIds' in searched && searched.spoken !== undefined) return searched.spoken.slice(0, mostSpoken)
  const isMeant = (space: ReturnType<typeof expressionBuilder<Tables, 'spaces'>>): Expression<SqlBool> =>
    'spaceIds' in searched
      ? space('id', 'in', searched.spaceIds.slice(0, mostSpoken))
      : searched.isSearched(space)
  return db
    .selectFrom('spaces')
    .select(['id as spaceId', 'language'])
    .where('organization_id', '=', searched.organizationId)
    .where(isMeant)
    .orderBy('id')
    .limit(mostSpoken)
    .execute()
}
