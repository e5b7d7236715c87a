/**
 * The words of each space and how many of its pages hold them: kept by whoever changes pages of the index, in the same
 * transaction and under the same hold, so that it is true at every moment.
 *
 * A search asks for words by their beginnings and ends, of the spaces that it searches and no others; every answer is
 * bounded, however large the vocabulary.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { chunks } from '../../core/group.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { KnownWord, Lookup } from '../../core/search/variants.js'
import { isSpaceless } from '../../core/search/words.js'
import { engineOf } from '../db/database.js'
import type { Db, Tx } from '../db/database.js'
import type { GuardPlace, IndexPlace, SpokenSpace } from './engine.js'
import { prefixOf } from './guards.js'
import { isOneOf } from './lists.js'

/** Rows that are written as one JSON: about a millisecond of the thread that answers requests. */
const rowsPerStatement = 1_000
/** Rows that one lookup answers: two letters begin more words than are worth comparing. */
const rowsPerLookup = 400

/** Counts the words of pages that come into the index, and those of pages that leave it off. */
export async function changeVocabulary(
  tx: Tx,
  place: IndexPlace,
  { left, come }: { readonly left: readonly string[]; readonly come: readonly string[] },
): Promise<void> {
  const changes = new Map<string, number>()
  const count = async (words: readonly string[], by: number) => {
    for (const text of words) {
      // A hundred pages hold fifty thousand words: others have their turn between two of them.
      await nextTurn()
      for (const word of text === '' ? [] : text.split(' ')) changes.set(word, (changes.get(word) ?? 0) + by)
    }
  }
  await count(come, 1)
  await count(left, -1)
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
  { organizationId, spaceId }: IndexPlace,
  rows: readonly (readonly [word: string, pages: number])[],
): Promise<void> {
  const added = JSON.stringify(rows.map(([word, pages]) => [word, backwards(word), pages]))
  const source =
    engineOf(tx) === 'sqlite'
      ? sql`select ${organizationId}, ${spaceId}, value ->> 0, value ->> 1, value ->> 2 from json_each(${added}) where true`
      : sql`select ${organizationId}, ${spaceId}, value ->> 0, value ->> 1, (value ->> 2)::bigint
          from jsonb_array_elements(${added}::jsonb) as added`
  await sql`insert into search_vocabulary (organization_id, space_id, word, backwards, pages) ${source}
    on conflict (organization_id, space_id, word)
    do update set pages = search_vocabulary.pages + excluded.pages`.execute(tx)
}

/** Only words with an end that somebody may type wrong, or that another ends with. */
function backwards(whole: string): string | null {
  const prefix = prefixOf(whole)
  const word = whole.slice(prefix.length)
  if (word.length < 4 || /\p{N}/u.test(word) || isSpaceless(word)) return null
  return prefix + [...word].toReversed().join('')
}

/** What is looked up: words, and on the same way what guards parts of the spaces, so many at most. */
interface Asked {
  readonly lookups: readonly Lookup[]
  /** Of the words that stand under a guard; empty for those that are for everybody. */
  readonly prefix: string
  readonly mostGuards: number
}

interface Answered {
  /** Of each lookup. */
  readonly found: readonly (readonly KnownWord[])[]
  readonly guards: readonly GuardPlace[]
}

/**
 * Answers the words that the lookups are about, each once for each space that holds it, at most 400 of each lookup:
 * those that are for everybody, or with its prefix those under one guard. In one statement, because each is a way to the
 * server and back.
 */
export async function findWords(
  db: Db,
  organizationId: OrganizationId,
  spaces: readonly SpokenSpace[],
  { lookups, prefix, mostGuards }: Asked,
): Promise<Answered> {
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
  const found = lookups.map((): KnownWord[] => [])
  const guards: GuardPlace[] = []
  if (parts.length === 0 || spaces.length === 0) return { found, guards }
  if (mostGuards > 0)
    parts.push(sql`select * from (
      select ${sql.lit(guardsAt)} as lookup, space_id, id as word, 0 as pages from search_guards
      where ${ofSpaces} order by space_id, id limit ${sql.lit(mostGuards)}
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

/** In the place of a lookup. */
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

/** No letter of a word sorts behind the last character of the first plane of signs. */
function between(column: string, beginning: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} >= ${beginning} and ${sql.ref(column)} < ${`${beginning}\u{10ffff}`}`
}
