/** The search index on PostgreSQL: a tsvector made of finished words, asked for sections and never for ranks. */
import { sql } from 'kysely'
import { joinSearched, marksOf, marksOfScope } from './engine.js'
import type { SearchEngine, Searched, SectionRow, Step } from './engine.js'

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

  async findSections(db, searched, step) {
    // Asked of the index whatever the planner thinks of the words, which it would often rather look for in all
    // sections, one after the other: so they are not told before, and no limit stands beside them.
    const { rows } = await sql<{ id: number }>`
      with section as materialized (
        select id, space_id from search_sections
        where organization_id = ${searched.organizationId}
          and words @@ (select ${expressionOf(searched, step)}::tsquery)
      )
      select section.id from section ${joinSearched(searched, 'section.space_id')} limit ${step.limit}
    `.execute(db)
    return rows.map(({ id }) => id)
  },
}

function expressionOf(searched: Searched, { wants, groups, beside = [] }: Step): string {
  const any = (words: readonly string[]) => `(${words.map(quoted).join(' | ')})`
  const phrase = (words: readonly string[]) => `(${words.map(quoted).join(' <-> ')})`
  const parts = groups.map(wants === 'phrases' ? phrase : any).join(wants === 'some' ? ' | ' : ' & ')
  return [any(marksOfScope(searched)), ...beside.map(any), `(${parts})`].join(' & ')
}

/** The words hold no quotes. */
function quoted(word: string): string {
  return `'${word}'`
}

function toValues(row: SectionRow) {
  const { organizationId, spaceId, pageId, ordinal, anchor, heading, body } = row
  const columns = [organizationId, spaceId, pageId, ordinal, anchor, heading, body]
  return sql`(${sql.join(columns)}, ${formatVector(row)}::tsvector)`
}

/** Writes each word with its positions, as in `'install':1,7`. */
function formatVector(row: SectionRow): string {
  const { title, heading, body } = row.words
  const positions = new Map<string, number[]>()
  for (const [at, word] of [...title, ...heading, ...body].entries()) {
    const places = positions.get(word) ?? []
    positions.set(word, places)
    places.push(Math.min(at + 1, lastPosition))
  }
  return [
    ...marksOf(row).map(quoted),
    ...[...positions].map(([word, places]) => `${quoted(word)}:${places.join(',')}`),
  ].join(' ')
}
