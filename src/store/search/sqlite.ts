/**
 * The search index on SQLite: FTS5 without content, asked for sections and never for ranks.
 *
 * Its ranking counts every section of every word that is asked for, also of the words that stand for spaces: some
 * milliseconds for a word of 30,000 sections, where finding the first hundred takes a tenth of one.
 */
import { sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import { joinFound, joinSearched, marksOf, marksOfScope } from './engine.js'
import { isOneOf } from './lists.js'
import { selectNumbered } from './numbered.js'
import type { Db } from '../db/database.js'
import type { NamedSection, SearchEngine, Searched, Step } from './engine.js'

const rowsPerInsert = 200
/** Of the index, of 4 KB: four milliseconds at most times, fourteen at worst, in which nobody else writes. */
const pagesPerMerge = 64

export const sqliteSearch: SearchEngine = {
  async insertSections(tx, rows) {
    const numbered = acrossOrganizations(tx, 'the index of words numbers the sections of all')
    const { last } = await numbered
      .selectFrom('search_sections')
      .select(({ fn }) => fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow()
    // Given out here, because both tables need them; the writer is alone.
    const first = (last ?? 0) + 1
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const part = rows.slice(at, at + rowsPerInsert)
      await tx
        .insertInto('search_sections')
        .values(
          part.map((row, index) => ({
            id: first + at + index,
            organization_id: row.organizationId,
            space_id: row.spaceId,
            page_id: row.pageId,
            ordinal: row.ordinal,
            page_title: row.title,
            anchor: row.anchor,
            heading: row.heading,
            body: row.body,
          })),
        )
        .execute()
      const words = part.map((row, index) => {
        const { title, heading, body } = row.words
        const texts = [marksOf(row), title, heading, body].map((some) => some.join(' '))
        return sql`(${first + at + index}, ${sql.join(texts)})`
      })
      await sql`insert into search_words (rowid, scope, title, heading, body) values ${sql.join(words)}`.execute(
        tx,
      )
    }
  },

  async deleteSections(tx, { organizationId, spaceId }, pageIds) {
    let sections = tx
      .selectFrom('search_sections')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
    if (pageIds) sections = sections.where('page_id', 'in', pageIds)
    await sql`delete from search_words where rowid in (${sections})`.execute(tx)
    await tx
      .deleteFrom('search_sections')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', sections)
      .execute()
  },

  async mergeParts(tx) {
    // Two parts are enough to be merged, where the engine would leave three; said each time, it is kept with the index.
    await sql`insert into search_words (search_words, rank) values ('usermerge', 2)`.execute(tx)
    const before = await countChanges(tx)
    await sql`insert into search_words (search_words, rank) values ('merge', ${pagesPerMerge})`.execute(tx)
    // The statement itself counts as one.
    return (await countChanges(tx)) - before > 1
  },

  async findSections(db, searched, steps, most) {
    const find = finding(db, searched)
    const last = steps.at(-1)!
    const [found] = (await find([last])) as [readonly NamedSection[]]
    const others = steps.slice(0, -1)
    const wanted = others.filter(({ after = 0 }) => found.length >= after)
    const lists = await find(wanted)
    const listOf = (step: Step) => lists[wanted.indexOf(step)] ?? []
    return joinFound(steps, [...others.map(listOf), found], most)
  },
}

async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db)
  return rows[0]!.count
}

/** Of so many more sections than are wanted it is looked up whose they are. */
const mostOfOthers = 50

/**
 * Returns what answers the sections that each of some steps finds. The word that stands for a space is in all of its
 * sections, and passing over them takes longer than to find the others. So it is asked for only where words stand in
 * so many sections of other spaces that some of this one may be behind them.
 *
 * Steps find much the same, so all that they found is looked up at once, and what is known not again.
 */
function finding(db: Db, searched: Searched) {
  const scoped = (step: Step) => findScoped(db, searched, step)
  if (!('spaceIds' in searched) || searched.guards !== undefined)
    return (steps: readonly Step[]) => Promise.all(steps.map(scoped))
  const known = new Map<number, NamedSection | undefined>()
  return async (steps: readonly Step[]): Promise<(readonly NamedSection[])[]> => {
    const numbers = await Promise.all(steps.map((step) => findNumbers(db, step)))
    const unknown = [...new Set(numbers.flat())].filter((id) => !known.has(id))
    const own = await nameSections(db, searched, unknown)
    for (const id of unknown) known.set(id, own.get(id))
    return Promise.all(
      steps.map((step, at) => {
        const found = numbers[at]!.flatMap((id) => known.get(id) ?? [])
        const isAll = numbers[at]!.length < step.limit + mostOfOthers
        return isAll || found.length >= step.limit ? found.slice(0, step.limit) : scoped(step)
      }),
    )
  }
}

/** Rows come as one text of JSON: some hundred of them as objects take as long as to find them. */
interface Listed {
  readonly list: string
}

/** Answers sections that hold the words, of whatever space, as many as tell of one space in most cases. */
async function findNumbers(db: Db, step: Step): Promise<readonly number[]> {
  const { rows } = await sql<Listed>`
    select json_group_array(id) as list
    from (select rowid as id from search_words(${wordsOf(step)}) limit ${step.limit + mostOfOthers})
  `.execute(db)
  return JSON.parse(rows[0]!.list) as number[]
}

type NamedValues = readonly [number, SpaceId, PageId, title: string, heading: string, ordinal: number]

/** Answers those of the sections that are of the named spaces. */
async function nameSections(
  db: Db,
  { organizationId, spaceIds }: Extract<Searched, { readonly spaceIds: unknown }>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedSection>> {
  if (ids.length === 0) return new Map()
  const { list } = await selectNumbered(db, organizationId, ids)
    .select(sql<string>`json_group_array(json_array(section.id, ${named}))`.as('list'))
    .where(isOneOf(db, 'section.space_id', spaceIds))
    .executeTakeFirstOrThrow()
  const values = JSON.parse(list) as readonly NamedValues[]
  return new Map(
    values.map(([id, spaceId, pageId, title, heading, ordinal]) => [
      id,
      { id, spaceId, pageId, title, heading, isFirst: ordinal === 0 },
    ]),
  )
}

const named = sql.raw(
  ['space_id', 'page_id', 'page_title', 'heading', 'ordinal'].map((column) => `section.${column}`).join(', '),
)

async function findScoped(db: Db, searched: Searched, step: Step): Promise<readonly NamedSection[]> {
  const { rows } = await sql<NamedRow>`
    select section.id, ${named}
    from search_words(${`${any(marksOfScope(searched))} AND ${wordsOf(step)}`})
    cross join search_sections as section
      on section.organization_id = ${searched.organizationId} and section.id = search_words.rowid
    ${joinSearched(searched, 'section.space_id')} limit ${step.limit}
  `.execute(db)
  return rows.map(({ id, space_id, page_id, page_title, heading, ordinal }) => {
    return { id, spaceId: space_id, pageId: page_id, title: page_title, heading, isFirst: ordinal === 0 }
  })
}

interface NamedRow {
  readonly id: number
  readonly space_id: SpaceId
  readonly page_id: PageId
  readonly page_title: string
  readonly heading: string
  readonly ordinal: number
}

function wordsOf({ wants, groups, beside = [] }: Step): string {
  const phrase = (words: readonly string[]) => `(${words.map(quoted).join(' + ')})`
  const parts = groups.map(wants === 'phrases' ? phrase : any).join(wants === 'some' ? ' OR ' : ' AND ')
  return [...beside.map(any), `(${parts})`].join(' AND ')
}

function any(words: readonly string[]): string {
  return `(${words.map(quoted).join(' OR ')})`
}

/** Quoted words are never operators; the words hold no quotes. */
function quoted(word: string): string {
  return `"${word}"`
}
