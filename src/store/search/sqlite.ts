/**
 * The search index on SQLite: FTS5 without content, ranked by bm25.
 *
 * The space is a word in a column of its own, so that the index leaves out other spaces before it ranks.
 */
import { sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/across.js'
import type { Db } from '../db/database.js'
import { joinSearched, scopeWord } from './engine.js'
import type { Candidate, SearchEngine, Searched, WordQuery } from './engine.js'

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
      const words = part.map(({ spaceId, words: { title, heading, body } }, index) => {
        const id = first + at + index
        return sql`(${id}, ${scopeWord(spaceId)}, ${title.join(' ')}, ${heading.join(' ')}, ${body.join(' ')})`
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

  async moveSections(tx, spaceId, { from, to }) {
    // In their place: the index of words names them by their numbers.
    await tx
      .updateTable('search_sections')
      .set({ organization_id: to })
      .where('organization_id', '=', from)
      .where('space_id', '=', spaceId)
      .execute()
  },

  async findCandidates(db, query) {
    const found = await rank(db, query.searched, matchExpression(query), query.limit)
    if (found.length < query.limit) return found.toSorted(bestFirst)
    // More than may be ranked: those that have a word in their title or heading must not be among the lost ones.
    const prominent = await rank(db, query.searched, prominentExpression(query), Math.ceil(query.limit / 4))
    const byId = new Map([...found, ...prominent].map((candidate) => [candidate.id, candidate]))
    return [...byId.values()].toSorted(bestFirst)
  },
}

/**
 * Answers the first sections that match, with their ranks, in no order: ranking all of them to sort them costs
 * 90 ms for two words that stand in each of 30,000 sections, ranking 1,000 costs 6.
 */
async function rank(
  db: Db,
  searched: Searched,
  expression: string,
  limit: number,
): Promise<readonly Candidate[]> {
  // In this order: the words come first, and each of their sections is asked whether it may be found.
  const { rows } = await sql<{ id: number; space_id: SpaceId; page_id: PageId; rank: number }>`
    select found.id, section.space_id, section.page_id, found.rank
    from (
      select search_words.rowid as id, bm25(search_words, 0, 10, 4, 1) as rank
      from search_words(${expression}) ${joinSections(searched)} limit ${limit}
    ) as found
    cross join search_sections as section
    where section.organization_id = ${searched.organizationId} and section.id = found.id
  `.execute(db)
  // bm25 is negative, better when lower.
  return rows.map((row) => ({ id: row.id, spaceId: row.space_id, pageId: row.page_id, score: -row.rank }))
}

function joinSections(searched: Searched) {
  if ('spaceIds' in searched) return sql``
  return sql`
    cross join search_sections as place
      on place.organization_id = ${searched.organizationId} and place.id = search_words.rowid
    ${joinSearched(searched, 'place.space_id')}
  `
}

function bestFirst(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.id - b.id
}

function matchExpression(query: WordQuery): string {
  const words = `{title heading body} : (${quoted(query).join(' AND ')})`
  if (!('spaceIds' in query.searched)) return words
  const scopes = query.searched.spaceIds.map((id) => `"${scopeWord(id)}"`).join(' OR ')
  return `scope : (${scopes}) AND ${words}`
}

function prominentExpression(query: WordQuery): string {
  return `${matchExpression(query)} AND {title heading} : (${quoted(query).join(' OR ')})`
}

/** Quoted words are never operators; the words hold no quotes. */
function quoted({ words, prefixLast }: WordQuery): string[] {
  return words.map((word, at) => `"${word}"${prefixLast && at === words.length - 1 ? '*' : ''}`)
}
