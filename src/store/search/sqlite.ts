/**
 * The search index on SQLite: FTS5 without content, asked for sections and never for ranks.
 *
 * Its ranking counts every section of every word that is asked for, also of the words that stand for spaces: some
 * milliseconds for a word of 30,000 sections, where finding the first hundred takes a tenth of one.
 */
import { sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/across.js'
import { joinFound, joinSearched, marksOf, marksOfScope } from './engine.js'
import { isOneOf } from './lists.js'
import type { Db } from '../db/database.js'
import type { NamedSection, SearchEngine, Searched, Step } from './engine.js'

const rowsPerInsert = 200

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

  async findSections(db, searched, steps, most) {
    const last = steps.at(-1)!
    const found = await find(db, searched, last)
    const lists = await Promise.all(
      steps.map((step) => {
        if (step === last) return found
        return found.length < (step.after ?? 0) ? [] : find(db, searched, step)
      }),
    )
    return joinFound(steps, lists, most)
  },
}

interface NamedRow {
  readonly id: number
  /** Null for a section of another space, of which nothing else is told. */
  readonly space_id: SpaceId | null
  readonly page_id: PageId
  readonly page_title: string
  readonly heading: string
  readonly ordinal: number
}

const named = sql.raw(
  ['space_id', 'page_id', 'page_title', 'heading', 'ordinal'].map((column) => `section.${column}`).join(', '),
)

/** Of so many more sections than are wanted it is looked up whose they are. */
const mostOfOthers = 50

/**
 * The word that stands for a space is in all of its sections, and passing over them takes longer than to find the
 * others. So it is asked for only where words stand in so many sections of other spaces that some of this one may be
 * behind them.
 */
async function find(db: Db, searched: Searched, step: Step): Promise<readonly NamedSection[]> {
  if ('spaceIds' in searched && searched.guards === undefined) {
    const most = step.limit + mostOfOthers
    const { rows } = await sql<NamedRow>`
      select word.id, ${named}
      from (select rowid as id from search_words(${wordsOf(step)}) limit ${most}) as word
      left join search_sections as section on section.id = word.id
        and section.organization_id = ${searched.organizationId}
        and ${isOneOf(db, 'section.space_id', searched.spaceIds)}
    `.execute(db)
    const own = rows.filter(({ space_id }) => space_id !== null)
    if (rows.length < most || own.length >= step.limit) return own.slice(0, step.limit).map(nameSection)
  }
  const { rows } = await sql<NamedRow>`
    select section.id, ${named}
    from search_words(${`${any(marksOfScope(searched))} AND ${wordsOf(step)}`})
    cross join search_sections as section
      on section.organization_id = ${searched.organizationId} and section.id = search_words.rowid
    ${joinSearched(searched, 'section.space_id')} limit ${step.limit}
  `.execute(db)
  return rows.map(nameSection)
}

function nameSection({ id, space_id, page_id, page_title, heading, ordinal }: NamedRow): NamedSection {
  return { id, spaceId: space_id!, pageId: page_id, title: page_title, heading, isFirst: ordinal === 0 }
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
