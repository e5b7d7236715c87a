/**
 * The search index on SQLite: FTS5 without content, ranked by bm25.
 *
 * The space is a word of its own column, so that the index leaves out other spaces before it ranks.
 */
import { sql } from 'kysely'
import type { SpaceId } from '../../core/ids.js'
import type { SearchEngine, WordQuery } from './engine.js'

const rowsPerInsert = 200

export const sqliteSearch: SearchEngine = {
  async insertSections(tx, rows) {
    const { last } = await tx
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
      const words = part.map(({ spaceId, words: { title, heading, body } }, index) => {
        const id = first + at + index
        return sql`(${id}, ${scopeWord(spaceId)}, ${title.join(' ')}, ${heading.join(' ')}, ${body.join(' ')})`
      })
      await sql`insert into search_words (rowid, scope, title, heading, body) values ${sql.join(words)}`.execute(
        tx,
      )
    }
  },

  async deleteSections(tx, spaceId, pageIds) {
    let sections = tx.selectFrom('search_sections').select('id').where('space_id', '=', spaceId)
    if (pageIds) sections = sections.where('page_id', 'in', pageIds)
    await sql`delete from search_words where rowid in (${sections})`.execute(tx)
    await tx.deleteFrom('search_sections').where('id', 'in', sections).execute()
  },

  async findCandidates(db, query) {
    const { rows } = await sql<{ id: number; space_id: SpaceId; page_id: never; rank: number }>`
      select found.id, section.space_id, section.page_id, found.rank
      from (
        select rowid as id, rank from search_words
        where search_words match ${matchExpression(query)} and rank match 'bm25(0, 10, 4, 1)'
        order by rank limit ${query.limit}
      ) as found
      join search_sections as section on section.id = found.id
      order by found.rank, found.id
    `.execute(db)
    // bm25 is negative, better when lower.
    return rows.map((row) => ({ id: row.id, spaceId: row.space_id, pageId: row.page_id, score: -row.rank }))
  },
}

/** Quoted words are never operators; the words hold no quotes. */
function matchExpression({ spaceIds, words, prefixLast }: WordQuery): string {
  const scopes = spaceIds.map((id) => `"${scopeWord(id)}"`).join(' OR ')
  const wanted = words.map((word, at) => `"${word}"${prefixLast && at === words.length - 1 ? '*' : ''}`)
  return `scope : (${scopes}) AND {title heading body} : (${wanted.join(' AND ')})`
}

/** Hexadecimal, because the index folds case and ids do not. */
function scopeWord(spaceId: SpaceId): string {
  return `s${Buffer.from(spaceId).toString('hex')}`
}
