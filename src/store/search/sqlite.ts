/**
 * The search index on SQLite: contentless FTS5, used without its ranking.
 *
 * FTS5 ranking counts every section of every queried word, including markers: some milliseconds for a word of 30,000
 * sections, where finding the first hundred takes a tenth of one.
 */
import { sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import { mergeResults, joinScope, markersOf, scopeMarkers } from './engine.js'
import { isOneOf } from './lists.js'
import { selectSectionsById } from './sections-by-id.js'
import type { Db } from '../db/database.js'
import type { NamedSection, SearchEngine, SectionScope, SearchStep } from './engine.js'

const rowsPerInsert = 200
/** Index pages of 4 KB: usually four milliseconds, at worst fourteen, which block other writers. */
const pagesPerMerge = 64

export const sqliteSearch: SearchEngine = {
  async insertSections(tx, rows) {
    const numbered = acrossOrganizations(tx, 'row numbers of the sections of all organizations')
    const { last } = await numbered
      .selectFrom('search_sections')
      .select(({ fn }) => fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow()
    // Assigned by us, because both tables need them; there is only one writer.
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
        const texts = [markersOf(row), title, heading, body].map((some) => some.join(' '))
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
    // Merges from two parts on, where the default is three; the setting is stored with the index.
    await sql`insert into search_words (search_words, rank) values ('usermerge', 2)`.execute(tx)
    const before = await countChanges(tx)
    await sql`insert into search_words (search_words, rank) values ('merge', ${pagesPerMerge})`.execute(tx)
    // The statement itself counts as one change.
    return (await countChanges(tx)) - before > 1
  },

  async findSections(db, scope, steps, most) {
    const find = createFinder(db, scope)
    const last = steps.at(-1)!
    const [found] = (await find([last])) as [readonly NamedSection[]]
    const others = steps.slice(0, -1)
    const wanted = others.filter(({ after = 0 }) => found.length >= after)
    const lists = await find(wanted)
    const listOf = (step: SearchStep) => lists[wanted.indexOf(step)] ?? []
    return mergeResults(steps, [...others.map(listOf), found], most)
  },
}

async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db)
  return rows[0]!.count
}

/** Extra sections whose space is looked up, since they may be of others. */
const maxForeignSections = 50

/**
 * Returns a function that finds the sections of several steps. The marker of a space is in all of its sections, and
 * intersecting with it is slower than finding the words. So it is queried only when the words are in so many sections of
 * other spaces that some of this one may come after them.
 *
 * Steps find largely the same sections, so these are looked up together, and known ones not again.
 */
function createFinder(db: Db, scope: SectionScope) {
  const scoped = (step: SearchStep) => findScoped(db, scope, step)
  if (!('spaceIds' in scope) || scope.guards !== undefined)
    return (steps: readonly SearchStep[]) => Promise.all(steps.map(scoped))
  const known = new Map<number, NamedSection | undefined>()
  return async (steps: readonly SearchStep[]): Promise<(readonly NamedSection[])[]> => {
    const numbers = await Promise.all(steps.map((step) => findNumbers(db, step)))
    const unknown = [...new Set(numbers.flat())].filter((id) => !known.has(id))
    const own = await nameSections(db, scope, unknown)
    for (const id of unknown) known.set(id, own.get(id))
    return Promise.all(
      steps.map((step, at) => {
        const found = numbers[at]!.flatMap((id) => known.get(id) ?? [])
        const isAll = numbers[at]!.length < step.limit + maxForeignSections
        return isAll || found.length >= step.limit ? found.slice(0, step.limit) : scoped(step)
      }),
    )
  }
}

/** Rows are returned as one JSON text: some hundred of them as objects take as long as finding them. */
interface ListRow {
  readonly list: string
}

/** Returns sections with the words, of any space, as many as usually suffice for one space. */
async function findNumbers(db: Db, step: SearchStep): Promise<readonly number[]> {
  const { rows } = await sql<ListRow>`
    select json_group_array(id) as list
    from (select rowid as id from search_words(${wordsOf(step)}) limit ${step.limit + maxForeignSections})
  `.execute(db)
  return JSON.parse(rows[0]!.list) as number[]
}

type NamedValues = readonly [number, SpaceId, PageId, title: string, heading: string, ordinal: number]

/** Returns those of the sections that are in scope. */
async function nameSections(
  db: Db,
  { organizationId, spaceIds }: Extract<SectionScope, { readonly spaceIds: unknown }>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedSection>> {
  if (ids.length === 0) return new Map()
  const { list } = await selectSectionsById(db, organizationId, ids)
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

async function findScoped(db: Db, scope: SectionScope, step: SearchStep): Promise<readonly NamedSection[]> {
  const { rows } = await sql<NamedRow>`
    select section.id, ${named}
    from search_words(${`${any(scopeMarkers(scope))} AND ${wordsOf(step)}`})
    cross join search_sections as section
      on section.organization_id = ${scope.organizationId} and section.id = search_words.rowid
    ${joinScope(scope, 'section.space_id')} limit ${step.limit}
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

function wordsOf({ wants, groups, beside = [] }: SearchStep): string {
  const phrase = (words: readonly string[]) => `(${words.map(quoted).join(' + ')})`
  const parts = groups.map(wants === 'phrases' ? phrase : any).join(wants === 'some' ? ' OR ' : ' AND ')
  return [...beside.map(any), `(${parts})`].join(' AND ')
}

function any(words: readonly string[]): string {
  return `(${words.map(quoted).join(' OR ')})`
}

/** Quoted words are never operators; words contain no quotes. */
function quoted(word: string): string {
  return `"${word}"`
}
