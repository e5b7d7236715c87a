/** The search index on PostgreSQL: a tsvector of our own tokens, used without its ranking. */
import { type RawBuilder, sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { mergeResults, joinScope, markersOf, scopeMarkers } from './engine.js'
import { maxRankedByText } from './steps.js'
import type { NamedSection, SearchEngine, SectionScope, SectionRow, SearchStep } from './engine.js'

const rowsPerInsert = 200

/** 14 bits, the limit of the type. */
const lastPosition = 16_383

export const postgresSearch: SearchEngine = {
  async insertSections(tx, rows) {
    // Each search reads the pending list of the index, whose default limit is four megabytes.
    await sql`select set_config('gin_pending_list_limit', '64kB', true)`.execute(tx)
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const values = rows.slice(at, at + rowsPerInsert).map(toValues)
      await sql`
        insert into search_sections (organization_id, space_id, page_id, ordinal, page_title, anchor, heading, body, words)
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

  mergeParts: async () => false,

  /** In one statement, because a round trip takes as long as a step. */
  async findSections(db, scope, steps, most) {
    const last = steps.at(-1)!
    /** Steps after one that finds enough are skipped. */
    const isOpen = (at: number) => {
      const before = steps.slice(0, at).flatMap(({ limit }, place) => (limit < most ? [] : [place]))
      return sql.join(
        [sql`true`, ...before.map((place) => sql`${countOf(nameOf(place))} < ${most}`)],
        sql` and `,
      )
    }
    const others = steps.slice(0, -1)
    // The words are longer than the other columns, and are selected only when a phrase is checked.
    const columns = others.some(({ wants }) => wants === 'phrases') ? withWords : named
    const parts = [
      sql`${nameOf('last')} as materialized (${selectLast(scope, last, columns)})`,
      ...others.map((step, at) => {
        return sql`${nameOf(at)} as materialized (${selectAfter(scope, step, last, isOpen(at))})`
      }),
    ]
    const all = [
      ...others.map((_, at) => sql`select ${sql.lit(at)} as step, ${listNamed} as list from ${nameOf(at)}`),
      sql`select ${sql.lit(others.length)} as step, ${listWithTexts(scope)} as list from ${nameOf('last')} as last`,
    ]
    const { rows } = await sql<ListRow>`
      with ${sql.join(parts)} ${sql.join(all, sql` union all `)}`.execute(db)
    const lists = steps.map((): readonly NamedSection[] => [])
    for (const { step, list } of rows) lists[step] = list === null ? [] : readList(list)
    return mergeResults(steps, lists, most)
  },
}

/** Rows are returned as one JSON text: some hundred of them, column by column, take as long to read as to find. */
interface ListRow {
  readonly step: number
  readonly list: string | null
}

type NamedValues = readonly [number, SpaceId, PageId, title: string, heading: string, ordinal: number]
type SectionTextValues = readonly [
  anchor: string | null,
  body: string,
  page: readonly [title: string, path: string] | null,
]

function readList(list: string): NamedSection[] {
  const values = JSON.parse(list) as readonly (readonly [...NamedValues, ...([] | SectionTextValues)])[]
  return values.map(([id, spaceId, pageId, title, heading, ordinal, anchor, body, page]) => {
    const section = { id, spaceId, pageId, title, heading, isFirst: ordinal === 0 }
    if (body === undefined || !page) return section
    return { ...section, text: { anchor: anchor!, body, title: page[0], path: page[1] } }
  })
}

const named = sql.raw('id, space_id, page_id, page_title, heading, ordinal')
const listNamed = sql`json_agg(json_build_array(${named}))::text`

/** When the last step finds no more sections than are ranked by text, their texts are returned with them, which saves a round trip. */
function listWithTexts({ organizationId }: SectionScope): RawBuilder<unknown> {
  return sql`json_agg(
    case when ${countOf(nameOf('last'))} > ${maxRankedByText} then json_build_array(${named})
    else (
      select json_build_array(
        last.id, last.space_id, last.page_id, last.page_title, last.heading, last.ordinal, anchor, body,
        (
          select json_build_array(page.title, page.path) from search_pages as page
          where page.organization_id = ${organizationId}
            and page.space_id = last.space_id and page.page_id = last.page_id
        )
      ) from search_sections as text where text.organization_id = ${organizationId} and text.id = last.id
    ) end
  )::text`
}

const nameOf = (step: number | 'last') => sql.ref(`step_${step}`)
const withWords = sql`${named}, words`
const countOf = (way: RawBuilder<unknown>) => sql`(select count(*) from ${way})`

/**
 * Sections with all words of a phrase that are checked for the phrase: their words are read one by one, while other steps
 * use the index alone.
 */
const maxPhraseCandidates = 300

/**
 * The index collects all sections with a word before it returns the first. When most have it, scanning so many sections of
 * the space finds enough of them in a fifth of the time. Ordered, because a sequential scan of a large table starts where
 * another one is: the second page of a result would continue a different first one.
 */
const maxScanned = 2_000

/** Sample by which is decided whether scanning finds enough: for most words it does not. */
const maxSampled = 250

function selectLast(
  scope: SectionScope,
  step: SearchStep,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const found = selectFound(scope, step, sql`true`, columns)
  if (!('spaceIds' in scope) || step.isCommon !== true) return found
  const first = (most: number) => sql`(
      select section.* from unnest(${scope.spaceIds}::text[]) as wanted (space_id) cross join lateral (
        select ${withWords} from search_sections
        where organization_id = ${scope.organizationId} and space_id = wanted.space_id
        order by page_id, ordinal limit ${most}
      ) as section limit ${most}
    ) as first where words @@ ${`(${scopeOf(scope)}) & ${expressionOf(step)}`}::tsquery`
  const enough = Math.floor((step.limit * maxSampled) / maxScanned)
  return sql`with tried as materialized (select id from ${first(maxSampled)}),
    looked as materialized (
      select ${columns} from ${first(maxScanned)} and ${countOf(sql`tried`)} >= ${enough} limit ${step.limit}
    )
    select * from looked where ${countOf(sql`looked`)} = ${step.limit}
    union all
    select * from (
      ${selectFound(scope, step, sql`${countOf(sql`looked`)} < ${step.limit}`, columns)}
    ) as found`
}

function selectAfter(
  scope: SectionScope,
  step: SearchStep,
  last: SearchStep,
  isOpen: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const lastCount = countOf(nameOf('last'))
  if (step.wants !== 'phrases')
    return selectFound(scope, step, sql`${lastCount} >= ${step.after ?? 0} and ${isOpen}`, named)
  const words: SearchStep = { ...step, wants: 'all', groups: step.groups.flat().map((word) => [word]) }
  const phrase = sql`${expressionOf(step)}::tsquery`
  // The last step has found all sections, or there are more.
  return sql`select * from (
      select ${withWords} from ${nameOf('last')} where ${lastCount} < ${last.limit} and words @@ ${phrase}
      union all
      select * from (
        ${selectFound(scope, { ...words, limit: maxPhraseCandidates }, sql`${lastCount} >= ${last.limit}`, withWords)}
      ) as more where words @@ ${phrase}
    ) as matches limit ${step.limit}`
}

/**
 * The words and the scope are separate conditions: combined, the index would evaluate both at each section with a word,
 * which takes a fifth longer.
 *
 * Forces the planner to use the word index, since it often prefers a scan of all sections: so the words are subqueries,
 * unknown to it, and there is no limit beside them. Nor may it read all sections of the organization from another index,
 * which it does with little statistics: so that equality is written in a form that no index supports. The scope words name
 * the organization or its spaces.
 */
function selectFound(
  scope: SectionScope,
  step: SearchStep,
  isWanted: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`with section as materialized (
    select ${columns} from search_sections
    where organization_id is not distinct from ${scope.organizationId} and ${isWanted}
      and words @@ (select ${expressionOf(step)}::tsquery) and words @@ (select ${scopeOf(scope)}::tsquery)
  ) select section.* from section ${joinScope(scope, 'section.space_id')} limit ${step.limit}`
}

function scopeOf(scope: SectionScope): string {
  return scopeMarkers(scope).map(quoted).join(' | ')
}

function expressionOf({ wants, groups, beside = [] }: SearchStep): string {
  const any = (words: readonly string[]) => `(${words.map(quoted).join(' | ')})`
  const phrase = (words: readonly string[]) => `(${words.map(quoted).join(' <-> ')})`
  const parts = groups.map(wants === 'phrases' ? phrase : any).join(wants === 'some' ? ' | ' : ' & ')
  return [...beside.map(any), `(${parts})`].join(' & ')
}

/** Words contain no quotes. */
function quoted(word: string): string {
  return `'${word}'`
}

function toValues(row: SectionRow) {
  const { organizationId, spaceId, pageId, ordinal, title, anchor, heading, body } = row
  const columns = [organizationId, spaceId, pageId, ordinal, title, anchor, heading, body]
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
    ...markersOf(row).map(quoted),
    ...[...positions].map(([word, places]) => `${quoted(word)}:${places.join(',')}`),
  ].join(' ')
}
