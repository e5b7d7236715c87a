/**
 * The search index on PostgreSQL: a tsvector made of finished words, ranked by ts_rank.
 *
 * Ranking reads each section, so a common word would cost what its sections cost: only a bounded number is
 * ranked, and some of those that have a word in their title or heading are always among them. The index cannot
 * tell weights apart or see other columns, so `^word` stands for a word in a title or heading, `/s…` for the space.
 */
import { sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { joinSearched, scopeWord } from './engine.js'
import type { SearchEngine, SectionRow, SectionWords } from './engine.js'

const rowsPerInsert = 200

/** 14 bits, as the type has it. */
const lastPosition = 16_383

export const postgresSearch: SearchEngine = {
  async insertSections(tx, rows) {
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const values = rows.slice(at, at + rowsPerInsert).map(toValues)
      await sql`
        insert into search_sections (organization_id, space_id, page_id, ordinal, anchor, heading, body, words)
        values ${sql.join(values)}
      `.execute(tx)
    }
  },

  async deleteSections(tx, { organizationId, spaceId }, pageIds) {
    let sections = tx
      .deleteFrom('search_sections')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
    if (pageIds) sections = sections.where('page_id', 'in', pageIds)
    await sections.execute()
  },

  async moveSections(tx, spaceId, { from, to }) {
    await sql`
      insert into search_sections (organization_id, space_id, page_id, ordinal, anchor, heading, body, words)
      select ${to}, space_id, page_id, ordinal, anchor, heading, body, words from search_sections
      where organization_id = ${from} and space_id = ${spaceId}
    `.execute(tx)
    const left = tx.deleteFrom('search_sections').where('organization_id', '=', from)
    await left.where('space_id', '=', spaceId).execute()
  },

  async findCandidates(db, { searched, words, prefixLast, limit }) {
    const wanted = (mark: string) =>
      words.map((word, at) => `'${mark}${word}'${prefixLast && at === words.length - 1 ? ':*' : ''}`)
    const all = wanted('').join(' & ')
    const inSpaces =
      'spaceIds' in searched
        ? `${all} & (${searched.spaceIds.map((id) => `'/${scopeWord(id)}'`).join(' | ')})`
        : all
    const prominent = `${inSpaces} & (${wanted('^').join(' | ')})`
    const matching = (query: string, most: number) => sql`(
      select section.id, section.space_id, section.page_id, section.words
      from (
        select * from search_sections
        where organization_id = ${searched.organizationId} and words @@ ${query}::tsquery
      ) as section
      ${joinSearched(searched, 'section.space_id')}
      limit ${most}
    )`
    const { rows } = await sql<{ id: number; space_id: SpaceId; page_id: PageId; score: number }>`
      with found as materialized (
        select distinct on (id) * from (
          ${matching(prominent, Math.ceil(limit / 4))} union all ${matching(inSpaces, limit)}
        ) as either
      )
      select id, space_id, page_id,
        ts_rank('{0.1, 0.1, 0.4, 1}', words, ${all}::tsquery, 1) as score
      from found order by score desc, id
    `.execute(db)
    return rows.map((row) => ({ id: row.id, spaceId: row.space_id, pageId: row.page_id, score: row.score }))
  },
}

function toValues(row: SectionRow) {
  const { organizationId, spaceId, pageId, ordinal, anchor, heading, body, words } = row
  const columns = [organizationId, spaceId, pageId, ordinal, anchor, heading, body]
  return sql`(${sql.join(columns)}, ${formatVector(spaceId, words)}::tsvector)`
}

/** Writes each word with its positions and weights, as in `'install':1A,7`; the words hold no quotes. */
function formatVector(spaceId: SpaceId, { title, heading, body }: SectionWords): string {
  const positions = new Map<string, string[]>()
  let position = 0
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      position = Math.min(position + 1, lastPosition)
      const places = positions.get(word) ?? []
      positions.set(word, places)
      places.push(`${position}${weight}`)
    }
  }
  add(title, 'A')
  add(heading, 'B')
  add(body, '')
  return [
    `'/${scopeWord(spaceId)}'`,
    ...[...title, ...heading].map((word) => `'^${word}'`),
    ...[...positions].map(([word, places]) => `'${word}':${places.join(',')}`),
  ].join(' ')
}
