/**
 * The search index on SQLite: FTS5 without content, asked for sections and never for ranks.
 *
 * Its ranking counts every section of every word that is asked for, also of the words that stand for spaces: some
 * milliseconds for a word of 30,000 sections, where finding the first hundred takes a tenth of one.
 */
import { type RawBuilder, sql } from 'kysely'
import { acrossOrganizations } from '../db/across.js'
import { joinSearched, marksOf, marksOfScope } from './engine.js'
import type { SearchEngine, Searched, Step } from './engine.js'

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

  async findSections(db, searched, steps, enough) {
    const found: number[][] = []
    const distinct = new Set<number>()
    for (const step of steps) {
      if (distinct.size >= enough) break
      const { rows } = await sql<{ id: number }>`
        select search_words.rowid as id from search_words(${expressionOf(searched, step)})
        ${placeOf(searched)} limit ${step.limit}
      `.execute(db)
      found.push(rows.map(({ id }) => id))
      for (const { id } of rows) distinct.add(id)
    }
    return found
  },
}

/** In this order: the words come first, and each of their sections is asked whether it may be found. */
function placeOf(searched: Searched): RawBuilder<unknown> {
  if ('spaceIds' in searched) return sql``
  return sql`
    cross join search_sections as place
      on place.organization_id = ${searched.organizationId} and place.id = search_words.rowid
    ${joinSearched(searched, 'place.space_id')}
  `
}

function expressionOf(searched: Searched, { wants, groups, beside = [] }: Step): string {
  const any = (words: readonly string[]) => `(${words.map(quoted).join(' OR ')})`
  const phrase = (words: readonly string[]) => `(${words.map(quoted).join(' + ')})`
  const parts = groups.map(wants === 'phrases' ? phrase : any).join(wants === 'some' ? ' OR ' : ' AND ')
  return [any(marksOfScope(searched)), ...beside.map(any), `(${parts})`].join(' AND ')
}

/** Quoted words are never operators; the words hold no quotes. */
function quoted(word: string): string {
  return `"${word}"`
}
