/** The search index on PostgreSQL: a tsvector made of finished words, asked for sections and never for ranks. */
import { type RawBuilder, sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import { joinFound, joinSearched, marksOf, marksOfScope } from './engine.js'
import { mostRead } from './steps.js'
import type { NamedSection, SearchEngine, Searched, SectionRow, Step } from './engine.js'

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

  /** In one statement, because the way to the server and back takes as long as a step. */
  async findSections(db, searched, steps, most) {
    const last = steps.at(-1)!
    /** What is behind a step that finds enough is dropped when all is joined. */
    const isOpen = (at: number) => {
      const before = steps.slice(0, at).flatMap(({ limit }, place) => (limit < most ? [] : [place]))
      return sql.join(
        [sql`true`, ...before.map((place) => sql`${howMany(nameOf(place))} < ${most}`)],
        sql` and `,
      )
    }
    const others = steps.slice(0, -1)
    // The words are longer than the rest, and worth being copied along only where a phrase is told from them.
    const columns = others.some(({ wants }) => wants === 'phrases') ? withWords : named
    const parts = [
      sql`${nameOf('last')} as materialized (${selectLast(searched, last, columns)})`,
      ...others.map((step, at) => {
        return sql`${nameOf(at)} as materialized (${selectAfter(searched, step, last, isOpen(at))})`
      }),
    ]
    const all = [
      ...others.map((_, at) => sql`select ${sql.lit(at)} as step, ${listNamed} as list from ${nameOf(at)}`),
      sql`select ${sql.lit(others.length)} as step, ${listTold(searched)} as list from ${nameOf('last')} as last`,
    ]
    const { rows } = await sql<Listed>`
      with ${sql.join(parts)} ${sql.join(all, sql` union all `)}`.execute(db)
    const lists = steps.map((): readonly NamedSection[] => [])
    for (const { step, list } of rows) lists[step] = list === null ? [] : readList(list)
    return joinFound(steps, lists, most)
  },
}

/** Rows come as one text of JSON: some hundred of them, column by column, take as long to read as to find. */
interface Listed {
  readonly step: number
  readonly list: string | null
}

type NamedValues = readonly [number, SpaceId, PageId, title: string, heading: string, ordinal: number]
type Told = readonly [
  anchor: string | null,
  body: string,
  page: readonly [title: string, path: string] | null,
]

function readList(list: string): NamedSection[] {
  const values = JSON.parse(list) as readonly (readonly [...NamedValues, ...([] | Told)])[]
  return values.map(([id, spaceId, pageId, title, heading, ordinal, anchor, body, page]) => {
    const section = { id, spaceId, pageId, title, heading, isFirst: ordinal === 0 }
    if (body === undefined || !page) return section
    return { ...section, text: { anchor: anchor!, body, title: page[0], path: page[1] } }
  })
}

const named = sql.raw('id, space_id, page_id, page_title, heading, ordinal')
const listNamed = sql`json_agg(json_build_array(${named}))::text`

/** Where the last step finds no more than is read, all of it is told at once: without a way there and back for its texts. */
function listTold({ organizationId }: Searched): RawBuilder<unknown> {
  return sql`json_agg(
    case when ${howMany(nameOf('last'))} > ${mostRead} then json_build_array(${named})
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
const howMany = (way: RawBuilder<unknown>) => sql`(select count(*) from ${way})`

/**
 * A phrase is looked for in so many sections with all of its words: their words are read one by one, where the index
 * tells of the other steps by itself.
 */
const mostReadForPhrases = 300

/**
 * The index counts all sections that hold a word before it tells of the first. Where most do, looking through so many of
 * the space finds enough of them in a fifth of the time. In their order, because a walk through a large table begins
 * where another has come to: the second page of an answer would go on from another first one.
 */
const mostLookedThrough = 2_000

/** By so many of them it is told whether these are enough: for most words they are not, and looked through for nothing. */
const mostTried = 250

function selectLast(searched: Searched, step: Step, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const found = selectFound(searched, step, sql`true`, columns)
  if (!('spaceIds' in searched) || step.isCommon !== true) return found
  const first = (most: number) => sql`(
      select section.* from unnest(${searched.spaceIds}::text[]) as wanted (space_id) cross join lateral (
        select ${withWords} from search_sections
        where organization_id = ${searched.organizationId} and space_id = wanted.space_id
        order by page_id, ordinal limit ${most}
      ) as section limit ${most}
    ) as first where words @@ ${`(${scopeOf(searched)}) & ${expressionOf(step)}`}::tsquery`
  const enough = Math.floor((step.limit * mostTried) / mostLookedThrough)
  return sql`with tried as materialized (select id from ${first(mostTried)}),
    looked as materialized (
      select ${columns} from ${first(mostLookedThrough)} and ${howMany(sql`tried`)} >= ${enough} limit ${step.limit}
    )
    select * from looked where ${howMany(sql`looked`)} = ${step.limit}
    union all
    select * from (
      ${selectFound(searched, step, sql`${howMany(sql`looked`)} < ${step.limit}`, columns)}
    ) as found`
}

function selectAfter(
  searched: Searched,
  step: Step,
  last: Step,
  isOpen: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const held = howMany(nameOf('last'))
  if (step.wants !== 'phrases')
    return selectFound(searched, step, sql`${held} >= ${step.after ?? 0} and ${isOpen}`, named)
  const words: Step = { ...step, wants: 'all', groups: step.groups.flat().map((word) => [word]) }
  const phrase = sql`${expressionOf(step)}::tsquery`
  // What the last step found is all, or there is more.
  return sql`select * from (
      select ${withWords} from ${nameOf('last')} where ${held} < ${last.limit} and words @@ ${phrase}
      union all
      select * from (
        ${selectFound(searched, { ...words, limit: mostReadForPhrases }, sql`${held} >= ${last.limit}`, withWords)}
      ) as more where words @@ ${phrase}
    ) as held limit ${step.limit}`
}

/**
 * The words and where they stand are asked for apart: together, the index would judge both at each section that holds a
 * word, which takes a fifth longer.
 *
 * Asked of the index whatever the planner thinks of the words, which it would often rather look for in all sections,
 * one after the other: so they are not told before, and no limit stands beside them. Nor may it read all sections of the
 * organization from another index beside, which it does where it knows little of the table: so their equality is spelled
 * in a way that no index answers. The words that are asked for name the organization or its spaces.
 */
function selectFound(
  searched: Searched,
  step: Step,
  isWanted: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`with section as materialized (
    select ${columns} from search_sections
    where organization_id is not distinct from ${searched.organizationId} and ${isWanted}
      and words @@ (select ${expressionOf(step)}::tsquery) and words @@ (select ${scopeOf(searched)}::tsquery)
  ) select section.* from section ${joinSearched(searched, 'section.space_id')} limit ${step.limit}`
}

function scopeOf(searched: Searched): string {
  return marksOfScope(searched).map(quoted).join(' | ')
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
    ...marksOf(row).map(quoted),
    ...[...positions].map(([word, places]) => `${quoted(word)}:${places.join(',')}`),
  ].join(' ')
}
