/**
 * Vocabulary: the words of each space with their document frequency, updated with the pages of the index, in the same
 * transaction and under the same lock, so that it is always consistent.
 *
 * A search queries words by prefix and suffix, in the searched spaces only; every result is bounded, however large the
 * vocabulary.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { chunks } from '../../core/group.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { IndexedWord, Lookup } from '../../core/search/variants.js'
import { isSpaceless } from '../../core/search/words.js'
import { engineOf } from '../db/database.js'
import type { Db, Tx } from '../db/database.js'
import type { GuardRef, IndexedSpace, VocabularySpace } from './engine.js'
import { prefixOf } from './guards.js'
import { isOneOf } from './lists.js'

/** Rows that are written as one JSON: blocks the event loop for about a millisecond. */
const rowsPerStatement = 1_000
/** Rows per lookup: a prefix of two letters has more words than are worth comparing. */
const rowsPerLookup = 400

/** Increments the counts of the words of added pages, and decrements those of removed pages. */
export async function changeVocabulary(
  tx: Tx,
  place: IndexedSpace,
  { removed, added }: { readonly removed: readonly string[]; readonly added: readonly string[] },
): Promise<void> {
  const changes = new Map<string, number>()
  const count = async (words: readonly string[], by: number) => {
    for (const text of words) {
      // A hundred pages have fifty thousand words: yields to the event loop between two pages.
      await nextTurn()
      for (const word of text === '' ? [] : text.split(' ')) changes.set(word, (changes.get(word) ?? 0) + by)
    }
  }
  await count(added, 1)
  await count(removed, -1)
  const rows = [...changes].filter(([, by]) => by !== 0)
  for (const part of chunks(rows, rowsPerStatement)) {
    await addRows(tx, place, part)
    await nextTurn()
  }
  const fewer = rows.filter(([, by]) => by < 0).map(([word]) => word)
  if (fewer.length === 0) return
  await sql`delete from search_vocabulary
    where organization_id = ${place.organizationId} and space_id = ${place.spaceId}
      and ${isOneOf(tx, 'word', fewer)} and pages <= 0`.execute(tx)
}

async function addRows(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  rows: readonly (readonly [word: string, pages: number])[],
): Promise<void> {
  const added = JSON.stringify(rows.map(([word, pages]) => [word, reverseWord(word), pages]))
  const source =
    engineOf(tx) === 'sqlite'
      ? sql`select ${organizationId}, ${spaceId}, value ->> 0, value ->> 1, value ->> 2 from json_each(${added}) where true`
      : sql`select ${organizationId}, ${spaceId}, value ->> 0, value ->> 1, (value ->> 2)::bigint
          from jsonb_array_elements(${added}::jsonb) as added`
  await sql`insert into search_vocabulary (organization_id, space_id, word, backwards, pages) ${source}
    on conflict (organization_id, space_id, word)
    do update set pages = search_vocabulary.pages + excluded.pages`.execute(tx)
}

/** Only words with an ending that may be mistyped, or that another word ends with. */
function reverseWord(whole: string): string | null {
  const prefix = prefixOf(whole)
  const word = whole.slice(prefix.length)
  if (word.length < 4 || /\p{N}/u.test(word) || isSpaceless(word)) return null
  return prefix + [...word].toReversed().join('')
}

/** A lookup of words, and in the same query of the guards of the spaces. */
interface VocabularyQuery {
  readonly lookups: readonly Lookup[]
  /** The prefix of words under a guard; empty for unconditional words. */
  readonly prefix: string
  readonly maxGuards: number
}

interface VocabularyResult {
  /** Of each lookup. */
  readonly found: readonly (readonly IndexedWord[])[]
  readonly guards: readonly GuardRef[]
}

/**
 * Returns the words that match the lookups, once for each space that has them, at most 400 per lookup: unconditional ones,
 * or those under one guard by its prefix. In one statement, because each takes a round trip.
 */
export async function findWords(
  db: Db,
  organizationId: OrganizationId,
  spaces: readonly VocabularySpace[],
  { lookups, prefix, maxGuards }: VocabularyQuery,
): Promise<VocabularyResult> {
  const ofSpaces = sql`organization_id = ${organizationId}
    and ${isOneOf(
      db,
      'space_id',
      spaces.map(({ spaceId }) => spaceId),
    )}`
  const parts = lookups.flatMap((lookup, at) =>
    'in' in lookup && lookup.in.length === 0
      ? []
      : sql`select * from (
          select ${sql.lit(at)} as lookup, space_id, word, pages from search_vocabulary
          where ${ofSpaces} and ${condition(db, lookup, prefix)}
          limit ${sql.lit(rowsPerLookup)}
        ) as part`,
  )
  const found = lookups.map((): IndexedWord[] => [])
  const guards: GuardRef[] = []
  if (parts.length === 0 || spaces.length === 0) return { found, guards }
  if (maxGuards > 0)
    parts.push(sql`select * from (
      select ${sql.lit(guardsAt)} as lookup, space_id, id as word, 0 as pages from search_guards
      where ${ofSpaces} order by space_id, id limit ${sql.lit(maxGuards)}
    ) as part`)
  const { rows } = await sql<{ lookup: number; space_id: SpaceId; word: string; pages: number }>`
    ${sql.join(parts, sql` union all `)}`.execute(db)
  const languages = new Map(spaces.map(({ spaceId, language }) => [spaceId, language]))
  for (const { lookup, space_id: space, word, pages } of rows)
    if (lookup === guardsAt) guards.push({ spaceId: space, guard: word })
    else
      found[lookup]!.push({
        word: word.slice(prefix.length),
        pages,
        language: languages.get(space)!,
        space,
      })
  return { found, guards }
}

/** The lookup number of rows of guards. */
const guardsAt = -1

function condition(db: Db, lookup: Lookup, prefix: string): RawBuilder<SqlBool> {
  if ('in' in lookup) {
    const words = prefix === '' ? lookup.in : lookup.in.map((word) => prefix + word)
    return isOneOf(db, 'word', words)
  }
  const range =
    'begins' in lookup
      ? between('word', prefix + lookup.begins)
      : sql<SqlBool>`(${sql.join(
          lookup.ends.map((letters) => endingWith(letters, prefix)),
          sql` or `,
        )})`
  if (lookup.lengths === undefined) return range
  const [least, most] = lookup.lengths
  const { length } = prefix
  return sql`${range} and length(word) between ${least + length} and ${most + length}`
}

function endingWith(letters: string, prefix: string): RawBuilder<SqlBool> {
  return between('backwards', prefix + [...letters].toReversed().join(''))
}

/** No letter of a word sorts after U+FFFF. */
function between(column: string, beginning: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} >= ${beginning} and ${sql.ref(column)} < ${`${beginning}\u{10ffff}`}`
}
