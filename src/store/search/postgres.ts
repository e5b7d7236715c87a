/** The search index on PostgreSQL: a tsvector made of finished words, asked for sections and never for ranks. */
import { type RawBuilder, sql } from 'kysely'
import { joinSearched, marksOf, marksOfScope } from './engine.js'
import type { SearchEngine, Searched, SectionRow, Step } from './engine.js'

const rowsPerInsert = 200

/** 14 bits, as the type has it. */
const lastPosition = 16_383

export const postgresSearch: SearchEngine = {
  async insertSections(tx, rows) {
    // Each search reads all that waits to be put into the index, where four megabytes would be usual.
    await sql`select set_config('gin_pending_list_limit', '64kB', true)`.execute(tx)
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

  /** In one statement, because the way to the server and back takes as long as a step. */
  async findSections(db, searched, steps, enough) {
    if (steps.length === 0) return []
    const parts = steps.map((step, at) => {
      const before = steps.slice(0, at).map((_, index) => sql`select id from ${nameOf(index)}`)
      const isWanted =
        at === 0
          ? sql`true`
          : sql`(select count(*) from (${sql.join(before, sql` union `)}) as found) < ${enough}`
      return sql`${nameOf(at)} as materialized (${selectFound(searched, step, isWanted)})`
    })
    const all = steps.map((_, at) => sql`select ${sql.lit(at)} as step, id from ${nameOf(at)}`)
    const { rows } = await sql<{ step: number; id: number }>`
      with ${sql.join(parts)} ${sql.join(all, sql` union all `)}`.execute(db)
    const found = steps.map((): number[] => [])
    for (const { step, id } of rows) found[step]!.push(id)
    return found
  },
}

const nameOf = (step: number) => sql.ref(`step${step}`)

/**
 * A phrase is looked for in so many sections with all of its words: their words are read one by one, where the index
 * tells of the other steps by itself.
 */
const mostReadForPhrases = 300

/**
 * Asked of the index whatever the planner thinks of the words, which it would often rather look for in all sections,
 * one after the other: so they are not told before, and no limit stands beside them. Nor may it read all sections of the
 * organization from another index beside, which it does where it knows little of the table: so their equality is spelled
 * in a way that no index answers. The words that are asked for name the organization or its spaces.
 */
function selectFound(searched: Searched, step: Step, isWanted: RawBuilder<unknown>): RawBuilder<unknown> {
  const isPhrases = step.wants === 'phrases'
  const asked: Step = isPhrases
    ? { ...step, wants: 'all', groups: step.groups.flat().map((word) => [word]) }
    : step
  const scope = marksOfScope(searched).map(quoted).join(' | ')
  const place = joinSearched(searched, 'section.space_id')
  const section = sql`section as materialized (
    select ${sql.raw(isPhrases ? 'id, space_id, words' : 'id, space_id')} from search_sections
    where organization_id is not distinct from ${searched.organizationId} and ${isWanted}
      and words @@ (select ${`(${scope}) & ${expressionOf(asked)}`}::tsquery)
  )`
  if (!isPhrases) return sql`with ${section} select section.id from section ${place} limit ${step.limit}`
  return sql`with ${section},
    held as materialized (select section.id, section.words from section ${place} limit ${mostReadForPhrases})
    select id from held where words @@ ${expressionOf(step)}::tsquery limit ${step.limit}`
}

function expressionOf({ wants, groups, beside = [] }: Step): string {
  const any = (words: readonly string[]) => `(${words.map(quoted).join(' | ')})`
  const phrase = (words: readonly string[]) => `(${words.map(quoted).join(' <-> ')})`
  const parts = groups.map(wants === 'phrases' ? phrase : any).join(wants === 'some' ? ' | ' : ' & ')
  return [...beside.map(any), `(${parts})`].join(' & ')
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
