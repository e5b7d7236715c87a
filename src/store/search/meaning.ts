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
import type { GuardPlace, Searched } from './engine.js'
import { guardPrefix, listGuards } from './guards.js'
import { type SpokenSpace, findWords } from './vocabulary.js'

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
  const guards = await listSpokenGuards(db, searched, spaces)
  // Words that are not looked up may be known for all that.
  const isAllLookedUp = guards.length <= mostGuards
  const guarded = guards.slice(0, mostGuards).map(({ spaceId, guard }) => ({
    spaces: spaces.filter((space) => space.spaceId === spaceId),
    prefix: guardPrefix(guard),
  }))
  const { terms, isOpen, phrases } = readQuery(text, languages)
  const open = (term: string) => isOpen && term === terms.at(-1)

  /** Answers the known ones of some words, and those around each of the terms. */
  async function lookUp(
    some: readonly string[],
    asked: readonly string[],
    where: (term: string) => readonly Lookup[],
  ) {
    const lookups = asked.map(where)
    const all = [{ in: some }, ...lookups.flat()]
    const parts: (readonly (readonly KnownWord[])[])[] = []
    for (const part of [{ spaces, prefix: '' }, ...guarded])
      parts.push(await findWords(db, searched.organizationId, part.spaces, all, part.prefix))
    const [known, ...found] = all.map((_, at) => parts.flatMap((part) => part[at]!))
    let at = 0
    return { known: known!, around: lookups.map(({ length }) => found.slice(at, (at += length)).flat()) }
  }

  const spoken = [...new Set(phrases.flat())]
  const first = await lookUp([...spoken, ...terms], terms, (term) => whereToLook(term, languages, open(term)))
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

interface SearchedSpace extends SpokenSpace {
  /** Not 0 where something guards parts of it. */
  readonly isGuarded: number | boolean
}

async function listSpoken(db: Db, searched: Searched): Promise<readonly SearchedSpace[]> {
  const isMeant = (space: ReturnType<typeof expressionBuilder<Tables, 'spaces'>>): Expression<SqlBool> =>
    'spaceIds' in searched
      ? space('id', 'in', searched.spaceIds.slice(0, mostSpoken))
      : searched.isSearched(space)
  return db
    .selectFrom('spaces')
    .select(({ exists, selectFrom }) => [
      'id as spaceId',
      'language',
      exists(
        selectFrom('search_guards as guard')
          .select('guard.id')
          .whereRef('guard.organization_id', '=', 'spaces.organization_id')
          .whereRef('guard.space_id', '=', 'spaces.id'),
      ).as('isGuarded'),
    ])
    .where('organization_id', '=', searched.organizationId)
    .where(isMeant)
    .orderBy('id')
    .limit(mostSpoken)
    .execute()
}

/** Returns what guards parts that may be found, one more than are looked up at most. */
async function listSpokenGuards(
  db: Db,
  searched: Searched,
  spaces: readonly SearchedSpace[],
): Promise<readonly GuardPlace[]> {
  if ('spaceIds' in searched && searched.guards !== undefined) return searched.guards.slice(0, mostGuards + 1)
  const spaceIds = spaces.flatMap(({ spaceId, isGuarded }) => (isGuarded ? [spaceId] : []))
  return listGuards(db, searched.organizationId, spaceIds, mostGuards + 1)
}
